"""Checks that a candidate must meet before any verifier is paid for; none of them
understands a language.

Meaning is the blind annotator's and the verifiers' work.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

from .draft import Candidate
from .evidence import (
    Judgement,
    Removed,
    TwoClaims,
    TwoReadings,
    quotes_of,
)
from .kit import checks as text_checks
from .kit.answers import (
    alias_stands_in,
    any_stands,
    gives_gold,
    same_words,
    words_of,
)
from .kit.checks import Problem
from .levers import Lever, Levers, Strategy, Target
from .prompt_parts import planned_lever
from .slot import ItemSlot

LEAST_QUESTION = 0.3
MOST_QUESTION = 4.0
LEAST_PASSAGE = 0.4
MOST_PASSAGE = 1.8
"""Words of a question and of a passage, as shares of the original's: a few sentences
may go or come (ours).
"""
ROOM = 12
PASSAGE_ROOM = 40
"""Words by which a question and a passage may grow whatever their length."""


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
        texts = zip(
            self.base.passages,
            self.candidate.ungrounded,
            strict=False,
        )
        changed = [k for k, (old, new) in enumerate(texts) if not same_words(old, new)]
        return frozenset(changed)

    @cached_property
    def signal(self) -> frozenset[int]:
        """Return the places of the passages that bear on the question."""
        return frozenset(self.base.signal)

    @cached_property
    def asks_otherwise(self) -> bool:
        """Whether a word of the question changed."""
        return not same_words(self.base.query, self.candidate.query)

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        """Return each text that changed, as it was and as it is; an added sentence was
        nothing before.
        """
        pairs = []
        candidate = self.candidate
        if self.asks_otherwise:
            pairs.append((self.base.query, candidate.query))
        for k in sorted(self.changed):
            pairs.append((self.base.passages[k], candidate.passages[k]))
        if candidate.ground_added:
            pairs.append(("", candidate.ground_added))
        return pairs


def nothing_changed(case: PlannedCandidate) -> Problem:
    """A word of question or passages changed."""
    if case.pairs:
        return None
    return "Nothing was changed: do what the lever says."


def wrong_lever(case: PlannedCandidate) -> Problem:
    """The lever is the planned one."""
    same = _bare(case.lever.name) == _bare(case.candidate.lever)
    return None if same else f"Use the lever '{case.lever.name}'."


def bad_passage_number(case: PlannedCandidate) -> Problem:
    """Passages that are changed exist, and each is changed once."""
    for number in case.candidate.out_of_range:
        return f"There is no passage {number} to change, or it is given twice."
    return None


def edit_not_found(case: PlannedCandidate) -> Problem:
    """Each edit finds words that stand once in the original, apart from the other
    edits.
    """
    for number in case.candidate.not_found:
        return (
            f"Edit {number}: `find` must stand exactly once in the original, and"
            " overlap no other edit."
        )
    return None


def question_changed(case: PlannedCandidate) -> Problem:
    """The question stays where the lever acts on passages alone; an ambiguity may lie
    in either (as in the paper).
    """
    on_passages = case.target in ("context", "one_noise", "all_signal")
    if on_passages and case.asks_otherwise and not _in_either(case):
        return "The question must stay exactly as it is."
    return None


def question_unchanged(case: PlannedCandidate) -> Problem:
    """The question changes where the lever acts on it alone."""
    if case.target == "query" and not case.asks_otherwise and not _in_either(case):
        return "The question must be changed."
    return None


def passages_changed(case: PlannedCandidate) -> Problem:
    """Only those passages change that the target names, but for a sentence that denies
    a premise.
    """
    signal = case.signal or frozenset({0})
    allowed = {
        "query": frozenset[int](),
        "one_noise": frozenset(range(len(case.base.passages))) - signal,
        "all_signal": signal,
        "query_and_signal": signal,
    }
    wrong = case.changed - allowed.get(case.target, case.changed)
    if _in_either(case):
        wrong -= signal
    if case.lever.ground and len(wrong) == 1:
        (k,) = wrong
        old = text_checks.sentence_parts(case.base.passages[k])
        new = text_checks.sentence_parts(case.candidate.passages[k])
        if len(new) == len(old) + 1 and all(map(same_words, old, new)):
            return None
        return "Only one sentence may be added to the passage."
    return f"Passage {min(wrong) + 1} must stay exactly as it is." if wrong else None


def passages_unchanged(case: PlannedCandidate) -> Problem:
    """The passages that the target names do change."""
    changed = case.changed
    if case.target == "context" and not changed:
        return "The passage must be changed."
    if case.target == "one_noise" and len(changed) != 1:
        return f"Exactly one passage must be changed, and {len(changed)} are."
    if case.target != "all_signal":
        return None
    unchanged = sorted(case.signal - changed)
    if unchanged and case.lever.keeps == "no":
        for k in unchanged:
            if alias_stands_in(case.base.answers, case.base.passages[k]):
                return f"Passage {k + 1} still gives the answer."
        return None
    return None if changed else "A passage must be changed."


def answer_lost(case: PlannedCandidate) -> Problem:
    """The answer still stands in the passages where the lever keeps it, if it stood
    there.
    """
    answers = case.base.answers
    if case.lever.keeps != "yes" or not any_stands(case.base.passages, answers):
        return None
    if any_stands(case.candidate.passages, answers):
        return None
    return "The original answer must stay."


def answer_kept(case: PlannedCandidate) -> Problem:
    """Where the lever takes the answer away, fewer sentences hold it than before:
    another sense of it may be left.
    """
    if case.lever.keeps != "no":
        return None
    before = _sentences_with_answer(case.base, case.base.passages)
    after = _sentences_with_answer(case.base, case.candidate.passages)
    if after and after >= before:
        return "The original answer still stands in the text."
    return None


def _sentences_with_answer(base: RefusalItem, passages: Sequence[str]) -> int:
    holding = 0
    for passage in passages:
        for sentence in text_checks.sentence_parts(passage):
            holding += alias_stands_in(base.answers, sentence)
    return holding


def answer_in_question(case: PlannedCandidate) -> Problem:
    """A question that stays answerable does not hold its answer."""
    answers = case.base.answers
    if case.slot.intensity is not Intensity.LOW:
        return None
    if alias_stands_in(answers, case.base.query):
        return None
    if alias_stands_in(answers, case.candidate.query):
        return "The question must not contain its answer."
    return None


def quote_not_found(case: PlannedCandidate) -> Problem:
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
        if not text_checks.stands_once(quote, texts):
            return (
                f"Evidence: '{quote[:80]}' must stand once, letter by letter, in the"
                " text that it is quoted from."
            )
    return None


def removed_left(case: PlannedCandidate) -> Problem:
    """What the evidence says was removed is gone."""
    evidence = case.candidate.evidence
    for span in evidence.removed if isinstance(evidence, Removed) else ():
        if text_checks.stands_once(span, case.candidate.passages):
            return f"Evidence: '{span[:80]}' still stands in the text."
    return None


def values_agree(case: PlannedCandidate) -> Problem:
    """Readings lead to different answers; of two claims one has the original answer as
    its value.
    """
    evidence = case.candidate.evidence
    if isinstance(evidence, TwoReadings):
        answers = {words_of(reading.answer) for reading in evidence.readings}
        if len(answers) < len(evidence.readings):
            return "Evidence: the readings must lead to different answers."
    if not isinstance(evidence, TwoClaims):
        return None
    first, second = (claim.value for claim in evidence.claims)
    gold = [gives_gold(value, case.base.answers) for value in (first, second)]
    if gold == [True, True] or same_words(first, second):
        return "Evidence: the two claims must have different values."
    if gold == [False, False]:
        return "Evidence: one of the claims must have the original answer."
    return None


def premise_changes_text(case: PlannedCandidate) -> Problem:
    """A sentence for a false premise comes only where the lever allows it."""
    if case.candidate.ground_added and not case.lever.ground:
        return "The lever allows no sentence to be added to the passage."
    return None


def label_in_text(case: PlannedCandidate) -> Problem:
    """No code, class or word on perturbation stands in the item."""
    return _first(case, text_checks.label_problem)


def format_left(case: PlannedCandidate) -> Problem:
    """No fence, JSON, tag or gap mark stands in the item."""
    return _first(case, text_checks.format_problem)


def instruction_left(case: PlannedCandidate) -> Problem:
    """No eight words in a row of the lever's instruction stand in the item."""
    instruction = case.lever.instruction
    return _first(case, lambda new, old: text_checks.echoed(new, instruction, old))


def length_out_of_range(case: PlannedCandidate) -> Problem:
    """Question and passages are about as long as they were; what is missing or replaced
    may be much of a passage.
    """
    slot = case.slot
    missing = slot.perturbation is PerturbationClass.MISSING_INFO
    may_go = missing and slot.intensity is not Intensity.LOW
    coarse = slot.perturbation is PerturbationClass.GRANULARITY
    for old, new in case.pairs:
        if not old:
            continue
        words = max(1, len(old.split()))
        least = 0.0 if may_go else LEAST_PASSAGE
        most = MOST_PASSAGE + (slot.multi or coarse) + PASSAGE_ROOM / words
        if old is case.base.query:
            least = LEAST_QUESTION
            most = MOST_QUESTION + ROOM / words
        problem = text_checks.length_off(
            new,
            old,
            least,
            most,
        )
        if problem:
            return problem
    return None


def text_cut(case: PlannedCandidate) -> Problem:
    """No text ends in its middle."""
    return _first(case, text_checks.cut_problem)


def text_doubled(case: PlannedCandidate) -> Problem:
    """No sentence stands in a text twice, and the question stands in no passage."""
    asked = words_of(case.candidate.query)
    for old, new in case.pairs:
        if new is case.candidate.query or len(asked) <= 4:
            continue
        if _within(asked, new) and not _within(asked, old):
            return "The question must not stand in the passage."
    return _first(case, text_checks.doubled_problem)


def language_changed(case: PlannedCandidate) -> Problem:
    """Language and script are those of the original."""
    whole = " ".join((case.base.query, *case.base.passages))
    return _first(case, lambda new, _: text_checks.script_changed(new, whole))


CHECKS = {
    check.__name__: check
    for check in (
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
}
"""Every check, by name, in the order in which a writer is told of them."""


def candidate_problems(
    slot: ItemSlot,
    candidate: Candidate,
    levers: Levers,
) -> dict[str, str]:
    """Return the checks that a candidate breaks, each with a sentence for the writer;
    empty if it may be verified.
    """
    case = PlannedCandidate(
        slot,
        candidate,
        planned_lever(slot, levers),
    )
    return text_checks.broken(CHECKS, case)


def _first(
    case: PlannedCandidate, find_problem: Callable[[str, str], Problem]
) -> Problem:
    """Return the first problem of a new text beside the old one."""
    problems = (find_problem(new, old) for old, new in case.pairs)
    return next(filter(None, problems), None)


def _in_either(case: PlannedCandidate) -> bool:
    return case.slot.perturbation is PerturbationClass.AMBIGUITY


def _within(words: tuple[str, ...], text: str) -> bool:
    return f" {' '.join(words)} " in f" {' '.join(words_of(text))} "


def _bare(name: str) -> tuple[str, ...]:
    """Return the words of a lever's name without what stands in brackets."""
    return words_of(re.sub(r"\([^)]*\)", "", name))
