"""What each class and intensity asks of a perturbation, in our own words: every
definition stands here once.
"""

from collections.abc import Collection

from refusalbench_tasks.generators.levers import Lever
from refusalbench_tasks.taxonomy import (
    CLASSES,
    CODES,
    PERTURBED,
    WHEN_TO_REFUSE,
    Intensity,
    PerturbationClass,
    code_of,
)

_C = PerturbationClass
_I = Intensity

INTENSITY: dict[tuple[PerturbationClass, Intensity], str] = {
    (
        _C.AMBIGUITY,
        _I.LOW,
    ): (
        "another reading can be thought of, but the text plainly favours one, with the"
        " same answer"
    ),
    (
        _C.AMBIGUITY,
        _I.MEDIUM,
    ): "two readings are about equally good and lead to different answers",
    (
        _C.AMBIGUITY,
        _I.HIGH,
    ): (
        "no reading is better than others: wording or structure leaves what is asked"
        " for open"
    ),
    (
        _C.CONTRADICTION,
        _I.LOW,
    ): "only side details clash; what the answer rests on is undisputed",
    (
        _C.CONTRADICTION,
        _I.MEDIUM,
    ): "two statements of like authority give different values for the fact asked for",
    (
        _C.CONTRADICTION,
        _I.HIGH,
    ): "what is asked for is stated in ways that rule each other out altogether",
    (
        _C.MISSING_INFO,
        _I.LOW,
    ): "an inessential detail is gone; the answer is still there",
    (
        _C.MISSING_INFO,
        _I.MEDIUM,
    ): (
        "the one fact that the answer needs is gone, while the text still tells of its"
        " subject"
    ),
    (
        _C.MISSING_INFO,
        _I.HIGH,
    ): "the thing that the question is about, or all that bears on it, is gone",
    (
        _C.FALSE_PREMISE,
        _I.LOW,
    ): (
        "the question mentions something beside the point, which the text covers or "
        "which plainly can make no difference to what is asked for"
    ),
    (
        _C.FALSE_PREMISE,
        _I.MEDIUM,
    ): "the question assumes something that the text contradicts",
    (
        _C.FALSE_PREMISE,
        _I.HIGH,
    ): "the question assumes something impossible in kind or in logic",
    (
        _C.GRANULARITY,
        _I.LOW,
    ): (
        "one simple step (a sum, a unit, a rule applied) leads from the text to the"
        " answer"
    ),
    (
        _C.GRANULARITY,
        _I.MEDIUM,
    ): "the text speaks at a level from which the asked one can't be derived",
    (
        _C.GRANULARITY,
        _I.HIGH,
    ): "scale or level of text and question are so far apart that nothing bridges them",
    (
        _C.EPISTEMIC,
        _I.LOW,
    ): "the question sounds like one of judgement and is settled by facts in the text",
    (
        _C.EPISTEMIC,
        _I.MEDIUM,
    ): "an answer needs norms, models or criteria that the text does not give",
    (
        _C.EPISTEMIC,
        _I.HIGH,
    ): "the question is one of pure opinion, or about a world that is not",
}
_EVIDENCE = {
    _C.AMBIGUITY: (
        "at least two readings, each with the answer that it leads to and a quote that"
        " gives this answer. The answers differ."
    ),
    _C.CONTRADICTION: (
        "two claims about the fact that is asked for, each with a quote and the value"
        " that it gives. The values differ, and exactly one of them is the original"
        " answer."
    ),
    _C.MISSING_INFO: (
        "the spans that are gone, copied letter by letter from the original passages."
        " The answer stood in them."
    ),
    _C.FALSE_PREMISE: (
        "what the question takes for granted, and a quote that says otherwise."
    ),
    _C.GRANULARITY: (
        "the level that the question asks for, that of the text, and a quote of what"
        " stands there."
    ),
    _C.EPISTEMIC: (
        "the words that ask for a judgement, copied letter by letter from the changed"
        " question, and what would settle it that the text does not have."
    ),
}
_SUPPORT = "a quote from which the answer still follows."
_IDLE = (
    "what the question mentions beside the point, and a quote that gives the answer all"
    " the same."
)
_COPIED = (
    " Quotes are copied letter by letter from the changed passages, after the edits."
)

_SINGLE = {
    "query": "Change the question only. The passage stays exactly as it is.",
    "context": "Change the passage only. The question stays exactly as it is.",
    "query_and_context": (
        "Change the question, the passage, or both, so that they no longer fit"
        " together."
    ),
}
_MULTI = {
    "query": "Change the question only. Every passage stays exactly as it is.",
    "one_noise": (
        "Rewrite exactly one passage that does not bear on the question (numbers:"
        " {noise}), so that it clashes with those that do. The question and all other"
        " passages stay exactly as they are."
    ),
    "all_signal": (
        "Rewrite every passage that bears on the question (numbers: {signal}), each in"
        " the same sense, so that none of them undoes the effect. The question and all"
        " other passages stay exactly as they are."
    ),
    "query_and_signal": (
        "Change the question, or the passages that bear on it (numbers: {signal}), or"
        " both; if one of these passages would undo the effect, change it as well. All"
        " other passages stay exactly as they are."
    ),
}

_GROUND = (
    "One exception: a sentence that denies what the question takes for granted may be"
    " added at the end of a passage."
)


def meaning_of(perturbation: PerturbationClass) -> str:
    """Return what the class's refusal code means."""
    return next(code.meaning for code in CODES if code.perturbation is perturbation)


def class_table() -> str:
    """Return when to refuse, and each class with its code, its meaning, and what each
    intensity asks for.
    """
    lines = [f"{WHEN_TO_REFUSE} Classes and codes:"]
    for one in CLASSES:
        lines.append(f"{one} = {code_of(one)}: {meaning_of(one)}.")
        lines += [f"  {level}: {INTENSITY[one, level]}." for level in PERTURBED]
    return "\n".join(lines)


def evidence_asked(perturbation: PerturbationClass, intensity: Intensity) -> str:
    """Return in words what a writer shows for an item of a class and an intensity."""
    if intensity is Intensity.LOW:
        return (_IDLE if perturbation is _C.FALSE_PREMISE else _SUPPORT) + _COPIED
    copied = "" if perturbation in (_C.MISSING_INFO, _C.EPISTEMIC) else _COPIED
    return _EVIDENCE[perturbation] + copied


def target_of(lever: Lever, passages: int, signal: Collection[int]) -> str:
    """Return the sentences that say what may change of so many passages; `signal` are
    the places of those that bear.
    """
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


def constraint_of(perturbation: PerturbationClass, intensity: Intensity) -> str:
    """Return what must become of the answer."""
    if intensity is Intensity.LOW:
        return (
            "The original answer (any one of its wordings) must stay right and must"
            " still follow from the text: a careful system answers (ANSWER_CORRECTLY)."
        )
    return (
        "Neither the original answer nor any other may follow from the text, and for"
        " the reason of this class alone: a careful system refuses with"
        f" {code_of(perturbation)}."
    )
