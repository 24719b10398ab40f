"""Checks that a candidate must meet before any verifier is paid for; none of them
understands a language.

Meaning is the blind annotator's and the verifiers' work.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.draft import Candidate
from refusalbench_tasks.generators.evidence import (
    Judgement,
    Removed,
    TwoClaims,
    TwoReadings,
    quotes_of,
)
from refusalbench_tasks.generators.kit import checks as text_checks
from refusalbench_tasks.generators.kit.answers import (
    any_stands,
    gives_gold,
    same_words,
    stands_in,
    words_of,
)
from refusalbench_tasks.generators.levers import Lever, Strategy, Target
from refusalbench_tasks.generators.prompt_parts import lever_of
from refusalbench_tasks.generators.slot import ItemSlot
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

LEAST_QUESTION = 0.3
MOST_QUESTION = 4.0
LEAST_PASSAGE = 0.4
MOST_PASSAGE = 1.8
"""Words of a question and of a passage, as shares of the original's: a few sentences
may go or come (ours).
"""
ROOM = 12
"""Words by which a question may grow whatever its length."""


@dataclass(frozen=True)
class PlannedCandidate:
    """A candidate beside its plan."""

    slot: ItemSlot
    candidate: Candidate
    lever: Lever

    @property
    def base(self) -> RefusalItem:
        """Return the question that was perturbed."""
        return self.slot.base

    @property
    def target(self) -> Target | Strategy:
        """Return where the lever acts on this base: with one
        passage, or with several.
        """
        return self.lever.multi if self.slot.multi else self.lever.single

    @cached_property
    def changed(self) -> frozenset[int]:
        """Return the places of the passages of which a word changed, a sentence for a
        false premise aside.
        """
        pairs = enumerate(
            zip(self.base.passages, self.candidate.ungrounded, strict=False)
        )
        return frozenset(k for k, (old, new) in pairs if not same_words(old, new))

    @cached_property
    def asks_otherwise(self) -> bool:
        """Whether a word of the question changed."""
        return not same_words(self.base.query, self.candidate.query)

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        """Return each text that changed, as it was and as it is; an added sentence was
        nothing before.
        """
        texts = [(self.base.query, self.candidate.query)] if self.asks_otherwise else []
        texts += [
            (self.base.passages[k], self.candidate.passages[k])
            for k in sorted(self.changed)
        ]
        return texts + (
            [("", self.candidate.ground_added)] if self.candidate.ground_added else []
        )


def nothing_changed(case: PlannedCandidate) -> str | None:
    """A word of question or passages changed."""
    if case.pairs:
        return None
    return "Nothing was changed: do what the lever says."


def wrong_lever(case: PlannedCandidate) -> str | None:
    """The lever is the planned one."""
    same = _bare(case.lever.name) == _bare(case.candidate.lever)
    return None if same else f"Use the lever '{case.lever.name}'."


def bad_passage_number(case: PlannedCandidate) -> str | None:
    """Passages that are changed exist, and each is changed once."""
    wrong = case.candidate.out_of_range
    return (
        f"There is no passage {wrong[0]} to change, or it is given twice."
        if wrong
        else None
    )


def edit_not_found(case: PlannedCandidate) -> str | None:
    """Each edit finds words that stand once in the original, apart from the other
    edits.
    """
    for number in case.candidate.not_found:
        return (
            f"Edit {number}: `find` must stand exactly once in the original, and"
            " overlap no other edit."
        )
    return None


def question_changed(case: PlannedCandidate) -> str | None:
    """The question stays where the lever acts on passages alone; an ambiguity may lie
    in either (as in the paper).
    """
    stays = case.target in ("context", "one_noise", "all_signal") and not _in_either(
        case
    )
    return (
        "The question must stay exactly as it is."
        if stays and case.asks_otherwise
        else None
    )


def question_unchanged(case: PlannedCandidate) -> str | None:
    """The question changes where the lever acts on it alone."""
    must = case.target == "query" and not _in_either(case)
    return "The question must be changed." if must and not case.asks_otherwise else None


def passages_changed(case: PlannedCandidate) -> str | None:
    """Only those passages change that the target names, but for a sentence that denies
    a premise.
    """
    signal = frozenset(case.base.signal) or frozenset({0})
    noise = frozenset(range(len(case.base.passages))) - signal
    allowed = {
        "query": frozenset[int](),
        "one_noise": noise,
        "all_signal": signal,
        "query_and_signal": signal,
    }
    wrong = (
        case.changed
        - allowed.get(case.target, case.changed)
        - (signal if _in_either(case) else frozenset())
    )
    if case.lever.ground and len(wrong) == 1:
        return (
            None
            if all(_is_longer(case, k) for k in wrong)
            else "Only one sentence may be added to the passage."
        )
    return f"Passage {min(wrong) + 1} must stay exactly as it is." if wrong else None


def passages_unchanged(case: PlannedCandidate) -> str | None:
    """The passages that the target names do change."""
    signal = frozenset(case.base.signal)
    changed = case.changed
    if case.target == "context" and not changed:
        return "The passage must be changed."
    if case.target == "one_noise" and len(changed) != 1:
        return f"Exactly one passage must be changed, and {len(changed)} are."
    if case.target == "all_signal" and signal - changed and case.lever.keeps == "no":
        standing = [
            k
            for k in sorted(signal - changed)
            if stands_in(case.base.answers, case.base.passages[k])
        ]
        return (
            f"Passage {standing[0] + 1} still gives the answer." if standing else None
        )
    return (
        "A passage must be changed."
        if case.target == "all_signal" and not changed
        else None
    )


def answer_lost(case: PlannedCandidate) -> str | None:
    """The answer still stands in the passages where the lever keeps it, if it stood
    there.
    """
    if case.lever.keeps != "yes" or not any_stands(
        case.base.passages, case.base.answers
    ):
        return None
    return (
        None
        if any_stands(case.candidate.passages, case.base.answers)
        else "The original answer must stay."
    )


def answer_kept(case: PlannedCandidate) -> str | None:
    """Where the lever takes the answer away, fewer sentences hold it than before:
    another sense of it may be left.
    """
    if case.lever.keeps != "no":
        return None
    before, after = (
        sum(
            stands_in(case.base.answers, one)
            for text in texts
            for one in text_checks.parts_of(text)
        )
        for texts in (case.base.passages, case.candidate.passages)
    )
    return (
        "The original answer still stands in the text."
        if after and after >= before
        else None
    )


def answer_in_question(case: PlannedCandidate) -> str | None:
    """A question that stays answerable does not hold its answer."""
    if case.slot.intensity is not Intensity.LOW or stands_in(
        case.base.answers, case.base.query
    ):
        return None
    return (
        "The question must not contain its answer."
        if stands_in(case.base.answers, case.candidate.query)
        else None
    )


def quote_not_found(case: PlannedCandidate) -> str | None:
    """What the evidence quotes stands once in one of the texts that
    it is copied from.
    """
    evidence = case.candidate.evidence
    if evidence is None:
        return None
    quotes = quotes_of(evidence)
    texts = case.candidate.passages
    if isinstance(evidence, Removed):
        quotes = list(evidence.removed)
        texts = case.base.passages
    if isinstance(evidence, Judgement):
        quotes = [evidence.operator]
        texts = (case.candidate.query,)
    for quote in quotes:
        if all(text_checks.not_once(quote, text) for text in texts):
            return (
                f"Evidence: '{quote[:80]}' must stand once, letter by letter, in the"
                " text that it is quoted from."
            )
    return None


def removed_left(case: PlannedCandidate) -> str | None:
    """What the evidence says was removed is gone."""
    evidence = case.candidate.evidence
    spans = evidence.removed if isinstance(evidence, Removed) else ()
    left = next(
        (
            one
            for one in spans
            if any(
                not text_checks.not_once(one, text) for text in case.candidate.passages
            )
        ),
        "",
    )
    return f"Evidence: '{left[:80]}' still stands in the text." if left else None


def values_agree(case: PlannedCandidate) -> str | None:
    """Readings lead to different answers; of two claims one has the original answer as
    its value.
    """
    evidence = case.candidate.evidence
    if isinstance(evidence, TwoReadings):
        answers = [words_of(one.answer) for one in evidence.readings]
        return (
            "Evidence: the readings must lead to different answers."
            if len(set(answers)) < len(answers)
            else None
        )
    if not isinstance(evidence, TwoClaims):
        return None
    one, other = (claim.value for claim in evidence.claims)
    gold = [gives_gold(value, case.base.answers) for value in (one, other)]
    if gold == [True, True] or same_words(one, other):
        return "Evidence: the two claims must have different values."
    both = False in gold and None not in gold and True not in gold
    return (
        "Evidence: one of the claims must have the original answer." if both else None
    )


def premise_changes_text(case: PlannedCandidate) -> str | None:
    """A sentence for a false premise comes only where the lever allows it."""
    ground = bool(case.candidate.ground_added) and not case.lever.ground
    return (
        "The lever allows no sentence to be added to the passage." if ground else None
    )


def label_in_text(case: PlannedCandidate) -> str | None:
    """No code, class or word on perturbation stands in the item."""
    return _first(case, text_checks.label_left)


def format_left(case: PlannedCandidate) -> str | None:
    """No fence, JSON, tag or gap mark stands in the item."""
    return _first(case, text_checks.format_left)


def instruction_left(case: PlannedCandidate) -> str | None:
    """No eight words in a row of the lever's instruction stand in the item."""
    instruction = case.lever.instruction
    return _first(case, lambda new, old: text_checks.echoed(new, instruction, old))


def length_out_of_range(case: PlannedCandidate) -> str | None:
    """Question and passages are about as long as they were; what is missing or replaced
    may be much of a passage.
    """
    free = (
        case.slot.perturbation is PerturbationClass.MISSING_INFO
        and case.slot.intensity is not Intensity.LOW
    )
    for old, new in case.pairs:
        if not old:
            continue
        if old is case.base.query:
            most = MOST_QUESTION + ROOM / max(1, len(old.split()))
            problem = text_checks.length_off(new, old, LEAST_QUESTION, most)
        else:
            added = (
                case.slot.multi
                or case.slot.perturbation is PerturbationClass.GRANULARITY
            )
            most = MOST_PASSAGE + added + 40 / max(1, len(old.split()))
            problem = text_checks.length_off(
                new, old, 0.0 if free else LEAST_PASSAGE, most
            )
        if problem:
            return problem
    return None


def text_cut(case: PlannedCandidate) -> str | None:
    """No text ends in its middle."""
    return _first(case, text_checks.text_cut)


def text_doubled(case: PlannedCandidate) -> str | None:
    """No sentence stands in a text twice, and the question stands in no passage."""
    asked = words_of(case.candidate.query)
    for old, new in case.pairs:
        if (
            new is not case.candidate.query
            and len(asked) > 4
            and _within(asked, new)
            and not _within(asked, old)
        ):
            return "The question must not stand in the passage."
    return _first(case, text_checks.text_doubled)


def language_changed(case: PlannedCandidate) -> str | None:
    """Language and script are those of the original."""
    whole = " ".join((case.base.query, *case.base.passages))
    return _first(case, lambda new, _: text_checks.script_changed(new, whole))


CHECKS = (
    nothing_changed,
    wrong_lever,
    bad_passage_number,
    edit_not_found,
    question_changed,
    question_unchanged,
    passages_changed,
    passages_unchanged,
    answer_lost,
    answer_kept,
    answer_in_question,
    quote_not_found,
    removed_left,
    values_agree,
    premise_changes_text,
    label_in_text,
    format_left,
    instruction_left,
    length_out_of_range,
    text_cut,
    text_doubled,
    language_changed,
)
"""Every check, in the order in which a writer is told of them."""


def check(
    slot: ItemSlot, candidate: Candidate, levers: Sequence[Lever]
) -> dict[str, str]:
    """Return the checks that a candidate breaks, each with a sentence for the writer;
    empty if it may be verified.
    """
    return text_checks.broken(
        CHECKS, PlannedCandidate(slot, candidate, lever_of(slot, levers))
    )


def _first(
    case: PlannedCandidate, find_problem: Callable[[str, str], str | None]
) -> str | None:
    """Return the first problem of a new text beside the old one."""
    problems = (find_problem(new, old) for old, new in case.pairs)
    return next(filter(None, problems), None)


def _in_either(case: PlannedCandidate) -> bool:
    return case.slot.perturbation is PerturbationClass.AMBIGUITY


def _is_longer(case: PlannedCandidate, k: int) -> bool:
    """Whether a passage is as it was, with one part more at its end."""
    old = text_checks.parts_of(case.base.passages[k])
    new = text_checks.parts_of(case.candidate.passages[k])
    return len(new) == len(old) + 1 and all(map(same_words, old, new))


def _within(words: tuple[str, ...], text: str) -> bool:
    return f" {' '.join(words)} " in f" {' '.join(words_of(text))} "


def _bare(name: str) -> tuple[str, ...]:
    """Return the words of a lever's name without what stands in brackets."""
    return words_of(re.sub(r"\([^)]*\)", "", name))
