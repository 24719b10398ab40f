"""Rules on the evidence of a candidate that was written in edits: what it quotes stands there and says what it must."""

from collections.abc import Sequence
from itertools import combinations

from refusalbench_tasks.generators.case import Case, Rule
from refusalbench_tasks.generators.evidence import (
    Claims,
    IdlePremise,
    Judgement,
    Levels,
    Readings,
    Removed,
    quotes_of,
)
from refusalbench_tasks.generators.kit.text.typed_tokens import typed_tokens
from refusalbench_tasks.generators.values import one_value, same_measure
from refusalbench_tasks.replies.alias import answer_tokens
from refusalbench_tasks.replies.sentences import sentences


def edit_not_found(case: Case) -> str | None:
    """What an edit finds must stand exactly once in its passage, and apart from other edits."""
    wrong = ", ".join(map(str, case.candidate.not_found))
    return (
        f"The text to find of edit {wrong} does not stand exactly once in its passage, or overlaps another edit; "
        "copy it word for word, and enough of it."
        if wrong
        else None
    )


def quote_not_found(case: Case) -> str | None:
    """Every quote must stand word for word in a changed passage."""
    quotes = quotes_of(case.candidate.evidence) if case.candidate.evidence else ()
    wrong = [quote for quote in quotes if not _stands(quote, case.candidate.passages)]
    return f"This quote does not stand in the changed passages: '{_short(wrong[0])}'." if wrong else None


def readings_agree(case: Case) -> str | None:
    """The readings of an ambiguity must lead to different answers."""
    evidence = case.candidate.evidence
    if not isinstance(evidence, Readings):
        return None
    alike = any(_one_answer(one.answer, two.answer) for one, two in combinations(evidence.readings, 2))
    return "The readings lead to the same answer." if alike else None


def no_reading_as_before(case: Case) -> str | None:
    """One reading of an ambiguity must lead to the original answer, where it is short and the lever keeps it."""
    evidence = case.candidate.evidence
    if not isinstance(evidence, Readings) or not _was_given(case) or case.keeps_answer != "yes":
        return None
    told = any(_gives(case, one.answer) or _is_part(case, one.answer) for one in evidence.readings)
    return None if told else "None of the readings has the original answer."


def claims_agree(case: Case) -> str | None:
    """The two claims of a contradiction must be two places of the text, with different values."""
    evidence = case.candidate.evidence
    if not isinstance(evidence, Claims):
        return None
    first, second = evidence.claims
    if _plain(first.quote) == _plain(second.quote):
        return "The two claims are one and the same quote."
    return "The two claims have the same value." if _one_answer(first.value, second.value) else None


def answer_not_claimed(case: Case) -> str | None:
    """Exactly one of two claims must have the original answer as its value, where the answer is short."""
    evidence = case.candidate.evidence
    if not isinstance(evidence, Claims) or not _was_given(case):
        return None
    told = [_gives(case, one.value) or _is_part(case, one.value) for one in evidence.claims]
    if not any(told):
        return "Neither of the two claims has the original answer as its value."
    return "Both claims have the original answer as their value." if all(told) else None


def removed_not_there(case: Case) -> str | None:
    """What was removed must stand word for word in the original."""
    evidence = case.candidate.evidence
    spans = evidence.removed if isinstance(evidence, Removed) else ()
    wrong = [span for span in spans if not _stands(span, case.base.passages)]
    return f"This does not stand in the original passages: '{_short(wrong[0])}'." if wrong else None


def removed_still_there(case: Case) -> str | None:
    """What was removed must be gone."""
    evidence = case.candidate.evidence
    spans = evidence.removed if isinstance(evidence, Removed) else ()
    left = [span for span in spans if _stands(span, _where(case))]
    return f"This was said to be removed and still stands: '{_short(left[0])}'." if left else None


def removed_without_answer(case: Case) -> str | None:
    """The answer must have stood in what was removed, where it stood in the original word for word."""
    evidence = case.candidate.evidence
    if not isinstance(evidence, Removed) or not _was_given(case):
        return None
    told = any(_gives(case, span) for span in evidence.removed)
    return None if told else "None of the removed spans holds the answer."


def support_without_answer(case: Case) -> str | None:
    """At FalsePremise LOW the quote must give the answer, where the passages give it word for word."""
    evidence = case.candidate.evidence
    if not isinstance(evidence, IdlePremise) or not _was_given(case):
        return None
    return None if _gives(case, evidence.answered_by) else "The quote does not give the answer."


def levels_agree(case: Case) -> str | None:
    """The level that is asked for must differ from the given one."""
    evidence = case.candidate.evidence
    same = isinstance(evidence, Levels) and _plain(evidence.asked_level) == _plain(evidence.given_level)
    return "The level that is asked for is the one that the text has." if same else None


def operator_not_asked(case: Case) -> str | None:
    """The words that ask for a judgement must stand in the question."""
    evidence = case.candidate.evidence
    gone = isinstance(evidence, Judgement) and not _stands(evidence.operator, (case.candidate.query,))
    return "The words that ask for a judgement do not stand in the changed question." if gone else None


def ground_not_allowed(case: Case) -> str | None:
    """A sentence may be added only where the lever allows it, and only one."""
    ground = case.candidate.ground_added
    if not ground:
        return None
    if case.lever is not None and not case.lever.ground:
        return "This lever may not add a sentence to the passages."
    return "Only one sentence may be added." if len(sentences(ground)) > 1 else None


EVIDENCE_RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        edit_not_found,
        quote_not_found,
        readings_agree,
        no_reading_as_before,
        claims_agree,
        answer_not_claimed,
        removed_not_there,
        removed_still_there,
        removed_without_answer,
        support_without_answer,
        levels_agree,
        operator_not_asked,
        ground_not_allowed,
    )
}


def _where(case: Case) -> list[str]:
    """Return the passages that were changed: a passage beside them may say the same thing of something else."""
    return [case.candidate.passages[k] for k in sorted(case.changed)]


def _stands(quote: str, texts: Sequence[str]) -> bool:
    wanted = " ".join(quote.split())
    return any(wanted in " ".join(text.split()) for text in texts)


def _was_given(case: Case) -> bool:
    """Return whether an answer stands in the original passages, so that a quote can be held to it."""
    return any(_gives(case, text) for text in case.base.passages)


def _gives(case: Case, text: str) -> bool:
    return bool(case.asked.given_in([text]))


def _is_part(case: Case, value: str) -> bool:
    """Return whether a value is a part of an answer: "1820" of "in 1820"."""
    wanted = _plain(value)
    return bool(wanted) and any(f" {wanted} " in f" {_plain(answer)} " for answer in case.base.answers)


def _one_answer(one: str, two: str) -> bool:
    """Return whether two short answers are one: word for word, or one value in two forms ("42 km", "26 miles")."""
    if _plain(one) == _plain(two):
        return True
    values = [[token for token in typed_tokens(text, True) if token.kind != "word"] for text in (one, two)]
    first, second = values
    return len(first) == len(second) == 1 and (one_value(first[0], second[0]) or same_measure(first[0], second[0]))


def _plain(text: str) -> str:
    return " ".join(answer_tokens(text))


def _short(text: str, most: int = 80) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
