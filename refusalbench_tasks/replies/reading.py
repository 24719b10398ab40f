"""Whether a reply answers or refuses, and whether it is right, read without a model of language."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from refusalbench_tasks.bounded_reading import read_list_file
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.abstention import is_plain_refusal, may_answer
from refusalbench_tasks.replies.alias import equals_alias, gives_alias
from refusalbench_tasks.replies.code import parse_reply
from refusalbench_tasks.replies.structure import plain_words, read_structure, without_quotations
from refusalbench_tasks.taxonomy import Label

Kind = Literal["answer", "refusal", "undecided"]
DecidedBy = Literal["code", "gold", "phrase", "form", "model"]
THRESHOLD = 0.8
"""How sure the model must be. Lower values decide more replies, and more of them wrongly (docs/reading-replies.md)."""
MOST_PHRASES = 200
"""Phrases of a system's own; they are remembered with every row."""
_SEVERAL = 3
"""Spaces in a reply that is long enough to repeat a passage."""


@dataclass(frozen=True)
class ReplyReading:
    """What a reply does: `kind`, the `code` that it gives, and whether it is `right` (None: unknown).

    `decided_by` and `span` say what the kind rests on: the code, the gold answer, a phrase of `refusals`, the form
    (JSON, an error of a server, nothing but marks), or the model, whose span is the text that it read.
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
    """Return whether a reply answers, refuses, or cannot be told without a grader; and whether it is right.

    `question` and `gold` (one answer or its variants) let it tell right answers; that an answer is wrong it never
    says. `refusals` are phrases of a system's own: a reply that holds one is a refusal, unless it is the gold answer.
    A reply that repeats words of the `context`, the passages it was to go by, and says nothing else is an answer. One
    that asks back or only points elsewhere is a refusal, one that answers in part and refuses in part is undecided.
    Never raises.
    """
    golds = [gold] if isinstance(gold, str) else list(gold or ())
    parsed = parse_reply(text)
    if parsed.label is not None:
        return ReplyReading("refusal", parsed.label, decided_by="code", span=parsed.label.value)
    said = read_structure(text)
    inner = parse_reply(said.text)
    if inner.label is not None and parsed.form != "several codes":
        return ReplyReading("refusal", inner.label, decided_by="code", span=said.text)
    coded = {parsed.form, inner.form} & {"several codes", "code in prose"}
    if coded or parsed.form == "empty" or said.form in ("empty", "error", "several"):
        return ReplyReading("undecided", decided_by="form", span=said.text)
    if golds and equals_alias(said.text, golds):
        return ReplyReading("answer", right=True, decided_by="gold", span=said.text)
    phrase = _phrase(said.text, refusals or ())
    if phrase:
        return ReplyReading("refusal", decided_by="phrase", span=phrase)
    opening, _, rest = said.text.partition(". ")
    if is_plain_refusal(said.text) or (is_plain_refusal(opening) and not may_answer(rest)):
        return ReplyReading("refusal", decided_by="phrase", span=said.text)
    if said.form == "declined":
        return ReplyReading("refusal", decided_by="form", span=said.text)
    if golds and gives_alias(said.text, golds, question or ""):
        return ReplyReading("answer", right=True, decided_by="gold", span=said.text)
    if _repeats(said.text, context):
        return ReplyReading("answer", decided_by="form", span=said.text)
    from refusalbench_tasks.replies.ngrams import chances  # numpy: not for every `inspect` command

    answers, declines = chances(without_quotations(said.text))
    if declines >= threshold and answers <= 1 - threshold:
        return ReplyReading("refusal", decided_by="model", span=said.text)
    if answers >= threshold and declines <= 1 - threshold:
        return ReplyReading("answer", decided_by="model", span=said.text)
    return ReplyReading("undecided", span=said.text)


def load_phrases(name: str) -> list[str]:
    """Return the phrases of a file, one a line; a line that begins with `#` is a comment. Raises DataError."""
    lines = map(str.strip, read_list_file(name, "refusals", "write one phrase a line").splitlines())
    phrases = [line for line in lines if line and not line.startswith("#")]
    if not phrases or len(phrases) > MOST_PHRASES:
        raise DataError(f"refusals: '{name}' has {len(phrases)} phrases; give 1 to {MOST_PHRASES}")
    return phrases


def _repeats(text: str, context: Sequence[str]) -> bool:
    """Return whether a text of several words stands in a passage as it is."""
    plain = " ".join(text.split())
    return plain.count(" ") >= _SEVERAL and any(plain in " ".join(plain_words(passage).split()) for passage in context)


def _phrase(text: str, refusals: Sequence[str]) -> str:
    """Return the first of the phrases that a text holds, whatever its case and spaces."""
    plain = re.sub(r"\s+", " ", text).casefold()
    return next((one for one in refusals if one.strip() and re.sub(r"\s+", " ", one.strip()).casefold() in plain), "")
