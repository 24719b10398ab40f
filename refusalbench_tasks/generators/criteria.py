"""What each class and intensity asks of a perturbation, in our own words."""

from collections.abc import Collection

from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.taxonomy import CODES, WHEN_TO_REFUSE, Intensity, PerturbationClass, code_of

_C, _I = PerturbationClass, Intensity

INTENSITY: dict[tuple[PerturbationClass, Intensity], str] = {
    (_C.AMBIGUITY, _I.LOW): "one reading is clearly favoured by the text, so that the answer stays the same",
    (_C.AMBIGUITY, _I.MEDIUM): "two readings are about equally good and lead to different answers",
    (_C.AMBIGUITY, _I.HIGH): "nothing in the text lets a reader decide between the readings",
    (_C.CONTRADICTION, _I.LOW): "only side details clash; what the answer rests on is undisputed",
    (_C.CONTRADICTION, _I.MEDIUM): "two statements of like authority clash on the fact that is asked for",
    (_C.CONTRADICTION, _I.HIGH): "what is asked for is stated in ways that cannot all be true",
    (_C.MISSING_INFO, _I.LOW): "an inessential detail is gone; the answer is still there",
    (_C.MISSING_INFO, _I.MEDIUM): "a fact that the answer needs is gone, while the text still speaks of the subject",
    (_C.MISSING_INFO, _I.HIGH): "the fact that is asked for, or the thing it is about, is gone altogether",
    (
        _C.FALSE_PREMISE,
        _I.LOW,
    ): "the question assumes something small that the text doesn't support and that changes nothing",
    (_C.FALSE_PREMISE, _I.MEDIUM): "the question assumes something that the text contradicts",
    (_C.FALSE_PREMISE, _I.HIGH): "the question assumes something impossible in kind or in logic",
    (_C.GRANULARITY, _I.LOW): "one simple step (a sum, a unit, a rule applied) leads from the text to the answer",
    (_C.GRANULARITY, _I.MEDIUM): "the text speaks at a level from which the asked one can't be derived",
    (_C.GRANULARITY, _I.HIGH): "scale or level of text and question are so far apart that nothing bridges them",
    (_C.EPISTEMIC, _I.LOW): "the question sounds like one of judgement and is settled by facts in the text",
    (_C.EPISTEMIC, _I.MEDIUM): "an answer needs norms, models or criteria that the text does not give",
    (_C.EPISTEMIC, _I.HIGH): "the question is one of pure opinion, or about a world that is not",
}

_SINGLE = {
    "query": "Change the question only. The passage stays exactly as it is.",
    "context": "Change the passage only. The question stays exactly as it is.",
    "query_and_context": "Change the question, the passage, or both, so that they no longer fit together.",
}
_MULTI = {
    "query": "Change the question only. Every passage stays exactly as it is.",
    "one_noise": "Rewrite exactly one passage that does not bear on the question (numbers: {noise}), so that it "
    "clashes with those that do. The question and all other passages stay exactly as they are.",
    "all_signal": "Rewrite every passage that bears on the question (numbers: {signal}), each in the same sense, so "
    "that none of them undoes the effect. The question and all other passages stay exactly as they are.",
    "query_and_signal": "Change the question, or the passages that bear on it (numbers: {signal}), or both; if one of "
    "these passages would undo the effect, change it as well. All other passages stay exactly as they are.",
}

_GROUND = (
    "One exception: a sentence that denies what the question takes for granted may be added at the end of a passage."
)


def meaning_of(perturbation: PerturbationClass) -> str:
    """Return what the class's refusal code means."""
    return next(code.meaning for code in CODES if code.perturbation is perturbation)


def target_of(lever: Lever, passages: int, signal: Collection[int]) -> str:
    """Return the sentences that say what may change of so many passages; `signal` are the places of those that bear."""
    ground = f" {_GROUND}" if lever.ground else ""
    if passages < 2:
        return _SINGLE[lever.single] + ground
    numbers = {
        "{signal}": ", ".join(str(k + 1) for k in sorted(set(signal))),
        "{noise}": ", ".join(str(k + 1) for k in range(passages) if k not in signal),
    }
    text = _MULTI[lever.multi]
    for mark, value in numbers.items():
        text = text.replace(mark, value)
    return text + ground


_BRIEF = {
    "query": "the question only",
    "context": "the passage only",
    "query_and_context": "the question, the passage, or both",
    "one_noise": "one passage that does not bear on the question, and nothing else",
    "all_signal": "the passages that bear on the question, each in the same sense, and nothing else",
    "query_and_signal": "the question, or the passages that bear on it, or both, and nothing else",
}


def brief_target(lever: Lever, multi: bool) -> str:
    """Return what a lever may change, in a few words; for a writer `target_of` says more."""
    ground = "; a sentence that denies what the question takes for granted may be added" if lever.ground else ""
    return _BRIEF[lever.multi if multi else lever.single] + ground


def constraint_of(perturbation: PerturbationClass, intensity: Intensity) -> str:
    """Return what must become of the answer."""
    if intensity is Intensity.LOW:
        return (
            "The original answer (any one of its wordings) must stay right and must still follow from the text. "
            f"{WHEN_TO_REFUSE} So a careful system answers (ANSWER_CORRECTLY)."
        )
    return (
        "Giving the original answer must no longer be justified, and for the reason of this class alone. "
        f"A careful system refuses with {code_of(perturbation)}."
    )
