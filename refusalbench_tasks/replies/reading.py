"""Whether a reply answers or refuses, and whether it is right, read without a model of
language.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from refusalbench_tasks.bounded_reading import read_list_file
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.abstention import is_plain_refusal, may_answer
from refusalbench_tasks.replies.alias import equals_alias, gives_alias
from refusalbench_tasks.replies.code import parse_reply, stated_codes
from refusalbench_tasks.replies.explained_code import explained_code
from refusalbench_tasks.replies.plain_text import plain_text
from refusalbench_tasks.replies.short_value import (
    asks,
    is_quantity,
    is_value,
    stands_in,
    tells,
)
from refusalbench_tasks.replies.structure import (
    Structure,
    plain_words,
    read_structure,
    without_asides,
    without_quotations,
)
from refusalbench_tasks.taxonomy import Label

Kind = Literal["answer", "refusal", "undecided"]
DecidedBy = Literal["code", "gold", "phrase", "form", "model"]
THRESHOLD = 0.8
"""How sure the model must be.

Lower values decide more replies, and more of them wrongly (docs/reading-replies.md).
"""
MOST_PHRASES = 200
"""Phrases of a system's own; they are remembered with every row."""
_SEVERAL = 3
"""Spaces in a reply that is long enough to repeat a passage."""
_REFUSALS = frozenset({"refuse", "refusal", "refused", "declined"})
"""Words that refuse if they are the whole reply."""
_QUESTION_CUE = re.compile(r"\A\W*question\s*[:：]", re.IGNORECASE)


@dataclass(frozen=True)
class ReplyReading:
    """What a reply does: `kind`, the `code` that it gives, and whether it is `right`
    (None: unknown).

    `decided_by` and `span` say what the kind rests on: the code, the gold answer, a
    phrase of `refusals`, the form (JSON, an error of a server, nothing but marks), or
    the model, whose span is the text that it read.
    """

    kind: Kind
    code: Label | None = None
    right: bool | None = None
    decided_by: DecidedBy | None = None
    span: str = ""

    @cached_property
    def language(self) -> str | None:
        """Return the likeliest of 22 languages of the span; None without one."""
        from refusalbench_tasks.replies.ngrams import language

        return language(self.span) if self.span else None


def read_reply(
    text: str,
    *,
    question: str | None = None,
    gold: Sequence[str] | str | None = None,
    refusals: Sequence[str] | None = None,
    context: Sequence[str] = (),
    threshold: float = THRESHOLD,
) -> ReplyReading:
    """Return whether a reply answers, refuses, or cannot be told without a grader; and
    whether it is right.

    `question` and `gold` (one answer or its variants) let it tell right answers; that
    an answer is wrong it never says. `refusals` are phrases of a system's own: a reply
    that holds one is a refusal, unless it is the gold answer. A reply that only repeats
    words of the `context`, the passages it was to go by, is an answer, and so are
    "yes", "no" and a number or a date behind a cue such as "Answer:". One that asks
    back or only points elsewhere is a refusal, one that answers in part and refuses in
    part is undecided, and so is one of function words and words of the question alone.
    A code with an explanation is that code, if the explanation does not answer. Never
    raises.
    """
    golds = [gold] if isinstance(gold, str) else list(gold or ())
    asked = _Asked(question or "", tuple(golds), tuple(refusals or ()), tuple(context))
    return _read_form(text, asked, threshold)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a reply is read beside."""

    question: str
    golds: tuple[str, ...]
    refusals: tuple[str, ...]
    context: tuple[str, ...]


def _read_form(reply: str, asked: _Asked, threshold: float) -> ReplyReading:
    """Return the reading of a reply by codes, forms and the bare gold answer, else by
    its words.
    """
    parsed = parse_reply(reply)
    if parsed.label is not None:
        return ReplyReading(
            "refusal", parsed.label, decided_by="code", span=parsed.label.value
        )
    structure = read_structure(reply)
    inner = parse_reply(structure.text)
    if inner.label is not None and (structure.marked or parsed.form != "several codes"):
        return ReplyReading(
            "refusal", inner.label, decided_by="code", span=structure.text
        )
    undecided = ReplyReading("undecided", decided_by="form", span=structure.words)
    if parsed.form == "empty" or structure.form in ("empty", "several"):
        return undecided
    if structure.form == "text" and _names_code_elsewhere(reply, structure.text):
        return undecided
    if asked.golds and equals_alias(structure.text, asked.golds):
        return ReplyReading(
            "answer", right=True, decided_by="gold", span=structure.text
        )
    if structure.form == "error" or inner.form == "several codes":
        return undecided
    if _is_question(structure.text, asked.question):
        return undecided
    if inner.form == "code in prose":
        return _read_code(structure, asked, threshold)
    if structure.form == "declined":
        return ReplyReading("refusal", decided_by="form", span=structure.words)
    return _read_words(structure.words, asked, threshold, structure.marked)


def _names_code_elsewhere(reply: str, text: str) -> bool:
    """Return whether a code stands beside the text that is read as a reply's answer,
    but not in it.
    """
    return not stated_codes(text) and bool(stated_codes(without_asides(reply)))


def _read_code(structure: Structure, asked: _Asked, threshold: float) -> ReplyReading:
    """Return the reading of a text with a code in it: the code, unless the text also
    answers.
    """
    code = explained_code(structure.text)
    if code is not None:
        explanation = code.explanation
        if not _answers(explanation, asked, threshold):
            return ReplyReading(
                "refusal", code.label, decided_by="code", span=structure.text
            )
    return ReplyReading("undecided", decided_by="form", span=structure.text)


def _answers(explanation: str, asked: _Asked, threshold: float) -> bool:
    """Return whether what stands beside a code answers, or holds the gold answer
    whatever it says of it.
    """
    if parse_reply(explanation).form == "empty":
        return False
    plain = plain_text(explanation)
    if any(stands_in(plain_text(gold), plain) for gold in asked.golds):
        return True
    return _read_words(explanation, asked, threshold).kind == "answer"


def _read_words(
    text: str, asked: _Asked, threshold: float, marked: bool = False
) -> ReplyReading:
    """Return the reading of plain words; `marked` ones stand where
    an answer is marked.
    """
    phrase = _phrase(text, asked.refusals)
    if phrase:
        return ReplyReading("refusal", decided_by="phrase", span=phrase)
    opening, _, rest = text.partition(". ")
    declines = is_plain_refusal(text) or plain_text(text) in _REFUSALS
    if declines or (is_plain_refusal(opening) and not may_answer(rest)):
        return ReplyReading("refusal", decided_by="phrase", span=text)
    if asked.golds and gives_alias(text, asked.golds, asked.question):
        return ReplyReading("answer", right=True, decided_by="gold", span=text)
    if is_value(text, asked.context, asked.question):
        # "no?" asserts nothing
        kind: Kind = "undecided" if asks(text) else "answer"
        return ReplyReading(kind, decided_by="form", span=text)
    if not tells(text, asked.question):
        return ReplyReading("undecided", decided_by="form", span=text)
    if _repeats(text, asked.context):
        return ReplyReading("answer", decided_by="form", span=text)
    return _read_by_model(text, threshold, marked)


def _read_by_model(text: str, threshold: float, marked: bool) -> ReplyReading:
    # numpy: not for every `inspect` command
    from refusalbench_tasks.replies.ngrams import chances

    answers, declines = chances(without_quotations(text))
    if declines >= threshold and answers <= 1 - threshold:
        return ReplyReading("refusal", decided_by="model", span=text)
    if answers >= threshold and declines <= 1 - threshold:
        return ReplyReading("answer", decided_by="model", span=text)
    if marked and declines < threshold and is_quantity(text) and not asks(text):
        return ReplyReading("answer", decided_by="form", span=text)
    return ReplyReading("undecided", span=text)


def load_phrases(name: str) -> list[str]:
    """Return the phrases of a file, one a line; a line that begins with `#` is a
    comment.

    Raises DataError.
    """
    lines = map(
        str.strip,
        read_list_file(name, "refusals", "write one phrase a line").splitlines(),
    )
    phrases = [line for line in lines if line and not line.startswith("#")]
    if not phrases or len(phrases) > MOST_PHRASES:
        raise DataError(
            f"refusals: '{name}' has {len(phrases)} phrases; give 1 to {MOST_PHRASES}"
        )
    return phrases


def _is_question(text: str, question: str) -> bool:
    """Return whether a text is the question itself, perhaps behind "Question:"."""
    return bool(question) and plain_text(_QUESTION_CUE.sub("", text)) == plain_text(
        question
    )


def _repeats(text: str, context: Sequence[str]) -> bool:
    """Return whether a text of several words stands in a passage as it is."""
    plain = " ".join(text.split())
    return plain.count(" ") >= _SEVERAL and any(
        plain in " ".join(plain_words(passage).split()) for passage in context
    )


def _phrase(text: str, refusals: Sequence[str]) -> str:
    """Return the first of the phrases that a text holds, whatever
    its case and spaces.
    """
    plain = re.sub(r"\s+", " ", text).casefold()
    for phrase in refusals:
        plain_phrase = re.sub(r"\s+", " ", phrase.strip()).casefold()
        if plain_phrase and plain_phrase in plain:
            return phrase
    return ""
