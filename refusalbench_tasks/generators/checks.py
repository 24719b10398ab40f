"""Rules that a candidate must meet before any verifier is paid for: one function each, with its reason."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.levers import Lever, Strategy, Target
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.replies.alias import answer_tokens
from refusalbench_tasks.taxonomy import CLASSES, Intensity, PerturbationClass

SHORTEST, LONGEST = 0.3, 3.0
"""How far a changed passage's length may be from the original's, as a ratio."""
_NAMES = "|".join(re.escape(name) for one in CLASSES for name in (one.value, one.short))
_NAMES = _NAMES.replace("|Ambiguity|", "|").replace("|Contradiction|", "|")  # these two are words of English as well
_LABELS = re.compile(rf"\bREFUSE_[A-Z]\w*|\bANSWER_CORRECTLY\b|\b(?:{_NAMES})\b|\b[Pp]erturb")


@dataclass(frozen=True)
class Case:
    """A candidate beside its plan; `cell` are the levers that its class and intensity have."""

    slot: Slot
    candidate: Candidate
    cell: Sequence[Lever]

    @property
    def base(self) -> RefusalItem:
        """Return the question that was perturbed."""
        return self.slot.base

    @property
    def lever(self) -> Lever | None:
        """Return the lever that the candidate names, if its cell has it."""
        named = self.candidate.lever.casefold()
        return next((lever for lever in self.cell if lever.name.casefold() == named), None)

    @property
    def query_changed(self) -> bool:
        """Whether the question differs from the original in more than spacing."""
        return _spaced(self.candidate.query) != _spaced(self.base.query)

    @property
    def changed(self) -> frozenset[int]:
        """Return the positions of the passages that differ from the originals in more than spacing."""
        pairs = zip(self.base.passages, self.candidate.passages, strict=False)
        return frozenset(k for k, (old, new) in enumerate(pairs) if _spaced(old) != _spaced(new))


def check(slot: Slot, candidate: Candidate, cell: Sequence[Lever]) -> dict[str, str]:
    """Return the rules that a candidate breaks, each with a sentence for the writer; empty if it may be verified."""
    case = Case(slot, candidate, cell)
    broken = {}
    for name, rule in RULES.items():
        problem = rule(case)
        if problem:
            broken[name] = problem
    return broken


def nothing_changed(case: Case) -> str | None:
    """Something must differ from the original."""
    return None if case.query_changed or case.changed else "Neither the question nor a passage was changed."


def wrong_lever(case: Case) -> str | None:
    """The lever must be the planned one, or one of the cell's where the writer chooses."""
    if case.slot.lever is not None and case.candidate.lever.casefold() != case.slot.lever.casefold():
        return f"The lever must be '{case.slot.lever}'."
    return None if case.lever else "The lever is not one of the list."


def bad_passage_number(case: Case) -> str | None:
    """Every edit must name an existing passage, once."""
    wrong = ", ".join(map(str, case.candidate.out_of_range))
    return f"These passage numbers do not exist or occur twice: {wrong}." if wrong else None


def question_changed(case: Case) -> str | None:
    """The question must stay as it is where the lever acts on passages only."""
    fixed = _single(case) == "context" if not case.slot.multi else _multi(case) in ("one_noise", "all_signal")
    return "The question must stay exactly as it was." if fixed and case.query_changed else None


def question_unchanged(case: Case) -> str | None:
    """The question must change where the lever acts on it alone."""
    needed = (_multi(case) if case.slot.multi else _single(case)) == "query"
    return "The question must be changed." if needed and not case.query_changed else None


def passages_changed(case: Case) -> str | None:
    """Passages that the lever does not act on must stay as they are."""
    if not case.slot.multi:
        return "The passage must stay exactly as it was." if _single(case) == "query" and case.changed else None
    wrong = sorted(k + 1 for k in case.changed - _allowed(case))
    return f"These passages must stay exactly as they were: {', '.join(map(str, wrong))}." if wrong else None


def passages_unchanged(case: Case) -> str | None:
    """Every passage that the lever acts on must change: the passage, one of the noise, or all of the signal."""
    if not case.slot.multi:
        return "The passage must be changed." if _single(case) == "context" and not case.changed else None
    strategy, signal = _multi(case), set(case.base.signal)
    if strategy == "one_noise" and len(case.changed) != 1:
        return "Exactly one passage that does not bear on the question must be changed."
    missing = sorted(k + 1 for k in signal - case.changed)
    if strategy == "all_signal" and missing:
        return f"These passages must be changed too: {', '.join(map(str, missing))}."
    return None


def answer_lost(case: Case) -> str | None:
    """At LOW an answer that stood in the passages must still stand in them."""
    if case.slot.intensity is not Intensity.LOW or not _stands(case.base.answers, case.base.passages):
        return None
    return None if _stands(case.base.answers, case.candidate.passages) else "The answer must still stand in the text."


def answer_kept(case: Case) -> str | None:
    """At MissingInfo MEDIUM and HIGH no answer may stand in the passages any more."""
    missing = case.slot.perturbation is PerturbationClass.MISSING_INFO and case.slot.intensity is not Intensity.LOW
    if missing and _stands(case.base.answers, case.candidate.passages):
        return "The answer still stands in the text."
    return None


def answer_in_question(case: Case) -> str | None:
    """At LOW the question must not give the answer away, unless it did before."""
    told = case.slot.intensity is Intensity.LOW and _stands(case.base.answers, (case.candidate.query,))
    if told and not _stands(case.base.answers, (case.base.query,)):
        return "The question must not contain the answer."
    return None


def length_out_of_range(case: Case) -> str | None:
    """A changed passage must have a length like the original's."""
    if len(case.candidate.query) > LONGEST * max(len(case.base.query), 100):
        return "The question is far longer than before."
    for k in sorted(case.changed):
        ratio = len(case.candidate.passages[k]) / len(case.base.passages[k])
        if not SHORTEST <= ratio <= LONGEST:
            return f"Passage {k + 1} is {ratio:.1f} times as long as before; keep between {SHORTEST} and {LONGEST}."
    return None


def label_in_text(case: Case) -> str | None:
    """Neither question nor passages may name codes, classes, the lever or the task."""
    before = "\n".join((case.base.query, *case.base.passages))
    after = "\n".join((case.candidate.query, *case.candidate.passages))
    found = set(_LABELS.findall(after)) - set(_LABELS.findall(before))
    lever = case.candidate.lever
    if " " in lever and lever in after and lever not in before:
        found.add(lever)
    return "The text must not speak of codes, classes or perturbation." if found else None


Rule = Callable[[Case], str | None]
RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        nothing_changed,
        wrong_lever,
        bad_passage_number,
        question_changed,
        question_unchanged,
        passages_changed,
        passages_unchanged,
        answer_lost,
        answer_kept,
        answer_in_question,
        length_out_of_range,
        label_in_text,
    )
}


def _single(case: Case) -> Target | None:
    return case.lever.single if case.lever else None


def _multi(case: Case) -> Strategy | None:
    return case.lever.multi if case.lever else None


def _allowed(case: Case) -> set[int]:
    every, signal = set(range(len(case.base.passages))), set(case.base.signal)
    by_strategy: dict[Strategy | None, set[int]] = {
        "query": set(),
        "one_noise": every - signal,
        "all_signal": signal,
        "query_and_signal": signal,
    }
    return by_strategy.get(_multi(case), every)


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _stands(answers: Sequence[str], texts: Sequence[str]) -> bool:
    """Whether some answer stands in some text, as whole words."""
    padded = [f" {' '.join(answer_tokens(text))} " for text in texts]
    wanted = [f" {' '.join(tokens)} " for answer in answers if (tokens := answer_tokens(answer))]
    return any(answer in text for answer in wanted for text in padded)
