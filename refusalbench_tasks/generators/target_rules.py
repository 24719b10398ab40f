"""Rules on what a candidate may change and what it must."""

from collections.abc import Iterable

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.kit.text.content_words import content_words, is_content, sign
from refusalbench_tasks.generators.kit.text.typed_tokens import typed_tokens
from refusalbench_tasks.generators.rewording import JUDGING, nothing_new
from refusalbench_tasks.replies.sentences import sentences
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_FIXED_QUESTION = ("context", "one_noise", "all_signal")
_MENDED = 2
"""New words of matter that mending a text may take."""
_DENYING = frozenset(["nobody", "none", "nothing", "nor", "cannot", "without"])
_ABILITY, _ABLE = frozenset(["can", "could", "may", "might"]), "may"
"""Verbs that a writer may exchange and change nothing."""


def nothing_changed(case: Case) -> str | None:
    """Something must differ from the original."""
    return None if case.query_changed or case.changed else "Neither the question nor a passage was changed."


def no_content_change(case: Case) -> str | None:
    """A change must touch what a text says: more than punctuation, capitals, articles, number forms or filler words."""
    touched = case.query_changed or case.changed
    if touched and ((not case.query_says_more and not case.rewritten) or _same_matter(case)):
        return "Only punctuation, forms of words or filler were changed; the change must touch what the text says."
    return None


def wrong_lever(case: Case) -> str | None:
    """Where the writer chooses, the lever must be one of the cell's; a planned one need not be named again."""
    return None if case.lever or case.slot.lever is not None else "The lever is not one of the list."


def bad_passage_number(case: Case) -> str | None:
    """Every edit must name an existing passage, once, and no passage may come or go."""
    if len(case.candidate.passages) != len(case.base.passages):
        return f"There must be {len(case.base.passages)} passages, as before."
    wrong = ", ".join(map(str, case.candidate.out_of_range))
    return f"These passage numbers do not exist or occur twice: {wrong}." if wrong else None


def question_changed(case: Case) -> str | None:
    """The question must stay as it is where the lever acts on passages only.

    An ambiguity may lie in either (the paper's target of this class), so its levers hold neither fast.
    """
    fixed = case.target in _FIXED_QUESTION and not _is_ambiguity(case)
    return "The question must stay exactly as it was." if fixed and case.query_changed else None


def question_unchanged(case: Case) -> str | None:
    """The question must change where the lever acts on it alone."""
    needed = case.target == "query"
    return "The question must be changed." if needed and not case.query_changed else None


def passages_only_reworded(case: Case) -> str | None:
    """A contradiction needs something in the passages that was not said before."""
    if case.slot.perturbation is not PerturbationClass.CONTRADICTION or not case.rewritten:
        return None
    pairs = ((case.base.passages[k], case.candidate.passages[k]) for k in case.rewritten)
    reworded = all(nothing_new(old, new) for old, new in pairs)
    return "The passage says the same as before in other words; something must clash." if reworded else None


def detail_added(case: Case) -> str | None:
    """At LOW of MissingInfo a detail goes; what is mended around it adds next to nothing."""
    low = case.slot.perturbation is PerturbationClass.MISSING_INFO and case.slot.intensity is Intensity.LOW
    if not low:
        return None
    known = content_words("\n".join(case.base.passages))
    new = {word for k in case.rewritten for word in content_words(case.candidate.passages[k]) - known}
    more = {word for word in new if ":" not in word}  # a date without its month is another value, and nothing new
    return "A detail is to go; nothing may be added." if len(more) > _MENDED else None


def passages_changed(case: Case) -> str | None:
    """Passages that the lever does not act on must stay as they are, but for a ground sentence where it allows one."""
    wrong = case.changed - allowed(case)
    if case.lever and case.lever.ground and len(wrong) == 1 and _one_sentence_more(case, *wrong):
        return None
    if not case.slot.multi:
        return "The passage must stay exactly as it was." if wrong else None
    return f"These passages must stay exactly as they were: {_numbers(wrong)}." if wrong else None


def passages_unchanged(case: Case) -> str | None:
    """Every passage that the lever has to act on must change: the passage, one of the noise, or of the signal.

    Of several that bear on the question those must change that hold the answer (all of them if none does); at LOW one
    is enough, as an inessential detail may stand in one only.
    """
    if case.target == "context":
        return None if case.changed else "The passage must be changed."
    if case.target == "one_noise" and len(case.changed) != 1:
        return "Exactly one passage that does not bear on the question must be changed."
    if case.target != "all_signal" or (_is_ambiguity(case) and case.query_says_more):
        return None
    if case.slot.intensity is Intensity.LOW:
        return None if case.rewritten else "At least one passage that bears on the question must be changed."
    signal = set(case.base.signal)
    holding = {k for k in signal if case.asked.given_in([case.base.passages[k]])}
    missing = _numbers((holding or signal) - case.rewritten)
    return f"These passages must be changed too: {missing}." if missing else None


def allowed(case: Case) -> set[int]:
    """Return the positions of the passages that may change."""
    every, signal = set(range(len(case.base.passages))), set(case.base.signal)
    if case.target is None:
        return every
    if _is_ambiguity(case):
        return signal if case.slot.multi else every
    if case.target == "query":
        return set()
    if case.target == "one_noise":
        return every - signal
    return signal if case.target in ("all_signal", "query_and_signal") else every


def _same_matter(case: Case) -> bool:
    """Whether at MEDIUM or HIGH question and passages have their words of matter, denial and judgement as before."""
    if case.slot.intensity is Intensity.LOW:
        return False
    before, after = ([matter_of(text) for text in (one.query, *one.passages)] for one in (case.base, case.candidate))
    return before == after


def matter_of(text: str) -> list[str]:
    """Return the words of a text that carry its matter, its denials and its judgements, in their order."""
    tokens = typed_tokens(text)
    kept = [one for one in tokens if is_content(one) or one.form in JUDGING | _DENYING or "n't" in one.form]
    return [_ABLE if one.form in _ABILITY else sign(one) for one in kept]


def _is_ambiguity(case: Case) -> bool:
    return case.slot.perturbation is PerturbationClass.AMBIGUITY


def _one_sentence_more(case: Case, k: int) -> bool:
    old, new = sentences(case.base.passages[k]), sentences(case.candidate.passages[k])
    return len(new) == len(old) + 1 and any(new[:at] + new[at + 1 :] == old for at in range(len(new)))


def new_part(old: str, new: str) -> str:
    """Return the sentences that are new, each with the one before it, which a pronoun may point to."""
    known, said = set(sentences(old)), sentences(new)
    at = {place for k, one in enumerate(said) if one not in known for place in (k - 1, k) if place >= 0}
    return " ".join(said[k] for k in sorted(at))


def _numbers(positions: Iterable[int]) -> str:
    return ", ".join(str(k + 1) for k in sorted(positions))
