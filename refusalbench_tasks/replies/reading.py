"""Whether a reply answers, refuses or asks back, and whether it is right, read without
an LLM.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from refusalbench_tasks.bounded_reading import read_list_file
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import Label

from .abstention import is_plain_refusal, may_still_answer
from .alias import asks, equals_alias, gives_alias
from .code import (
    explained_code,
    parse_reply,
    parse_visible,
    stated_codes,
    visible_text,
)
from .plain_text import plain_text
from .relations import ChanceModel, Chances
from .short_value import (
    is_copied_from,
    is_quantity,
    is_value,
    tells,
)
from .structure import (
    plain_words,
    read_structure,
    without_asides,
    without_quotations,
)
from .typed_answer import is_other_value

Kind = Literal["answer", "refusal", "clarification", "undecided"]
DecidedBy = Literal["code", "gold", "phrase", "form", "model"]
THRESHOLD = 0.7
"""How sure the model must be.

Lower values decide more replies, and more of them wrongly (docs/reading-replies.md).
"""
MOST_PHRASES = 200
"""Phrases of a system's own; they are remembered with every row."""
_SEVERAL = 3
"""Spaces in a reply that is long enough to repeat a passage."""
_FEW = 4
"""Words that give nothing if the question has them; more may be a sentence ("Irina Sol
is the greater artist").
"""
_REFUSALS = frozenset({"refuse", "refusal", "refused", "declined"})
"""Words that refuse if they are the whole reply."""
_QUESTION_END = " ?؟"
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
    span: str = ""
    decided_by: DecidedBy | None = None
    code: Label | None = None
    right: bool | None = None


ReadReply = Callable[..., ReplyReading]
"""Tells answers from refusals as `read_reply` does, whose parameters it has."""


def _chances_by_ngrams(
    text: str,
    question: str,
    passages: Sequence[str],
) -> Chances:
    # numpy and the model are loaded for the first reply that needs them
    from .ngrams import chances

    return chances(text, question, passages)


def read_reply(
    text: str,
    *,
    question: str | None = None,
    gold: Sequence[str] | str | None = None,
    refusals: Sequence[str] | None = None,
    context: Sequence[str] = (),
    threshold: float = THRESHOLD,
    model: ChanceModel = _chances_by_ngrams,
) -> ReplyReading:
    """Return whether a reply answers, refuses, asks back, or cannot be told without a
    grader; and whether it is right.

    `question` and `gold` (one answer or its variants) let it tell right answers. An
    answer is wrong only where it and the gold are a bare number, date, or yes or no,
    and differ. `refusals` are phrases of a system's own: a reply
    that holds one is a refusal, unless it is the gold answer. A reply that only repeats
    words of the `context`, the passages it was to go by, is an answer, and so are
    "yes", "no" and a number or a date behind a cue such as "Answer:". One that only
    points elsewhere is a refusal, one that answers in part and refuses in part is
    undecided, and so is one of a few words that the question has.
    A code with an explanation is that code, if the explanation does not answer. Of all
    other words `model` gives the chances, which must reach `threshold`. Never raises.
    """
    golds = [gold] if isinstance(gold, str) else list(gold or ())
    reader = _Reader(
        question or "",
        golds,
        refusals or (),
        context,
        threshold,
        model,
    )
    return reader.read(visible_text(text))


@dataclass(frozen=True, slots=True)
class _Reader:
    """What a reply is read beside."""

    question: str
    golds: Sequence[str]
    refusals: Sequence[str]
    context: Sequence[str]
    threshold: float
    model: ChanceModel

    def read(self, visible: str) -> ReplyReading:
        """Return the reading of a reply by codes, forms and the bare gold answer, else
        by its words.
        """
        parsed = parse_visible(visible)
        if parsed.label is not None:
            span = parsed.label.value
            return ReplyReading(
                "refusal",
                span,
                "code",
                parsed.label,
            )
        structure = read_structure(visible)
        text = structure.text
        inner = parse_reply(text)
        alone = structure.marked or parsed.form != "several codes"
        if inner.label is not None and alone:
            return ReplyReading(
                "refusal",
                text,
                "code",
                inner.label,
            )
        undecided = ReplyReading(
            "undecided",
            structure.words,
            "form",
        )
        form = structure.form
        if parsed.form == "empty" or form in ("empty", "several"):
            return undecided
        names_code = bool(stated_codes(without_asides(visible)))
        if form == "text" and names_code and not stated_codes(text):
            return undecided
        if self.golds and equals_alias(text, self.golds):
            return ReplyReading(
                "answer",
                text,
                "gold",
                right=True,
            )
        if is_other_value(text, self.golds):
            return ReplyReading(
                "answer",
                text,
                "gold",
                right=False,
            )
        if form == "error" or inner.form == "several codes":
            return undecided
        if self._is_question(text):
            return undecided
        if inner.form == "code in prose":
            return self._read_code(text)
        if form == "declined":
            return ReplyReading(
                "refusal",
                structure.words,
                "form",
            )
        return self._read_words(structure.words, structure.marked)

    def _is_question(self, text: str) -> bool:
        """Return whether a text is the question itself, perhaps behind "Question:"."""
        asked = plain_text(_QUESTION_CUE.sub("", text)).rstrip(_QUESTION_END)
        return asked != "" and asked == plain_text(self.question).rstrip(_QUESTION_END)

    def _read_code(self, text: str) -> ReplyReading:
        """Return the reading of a text with a code in it: the code, unless the text
        also answers.
        """
        code = explained_code(text)
        if code is None or self._answers(code.explanation):
            return ReplyReading("undecided", text, "form")
        return ReplyReading(
            "refusal",
            text,
            "code",
            code.label,
        )

    def _answers(self, explanation: str) -> bool:
        """Return whether what stands beside a code answers, or holds the gold answer
        whatever it says of it.
        """
        if parse_reply(explanation).form == "empty":
            return False
        plain = plain_text(explanation)
        if any(is_copied_from(plain_text(gold), plain) for gold in self.golds):
            return True
        return self._read_words(explanation).kind == "answer"

    def _read_words(self, text: str, marked: bool = False) -> ReplyReading:
        """Return the reading of plain words; `marked` ones stand where an answer is
        marked.
        """
        phrase = self._phrase_in(text)
        if phrase:
            return ReplyReading("refusal", phrase, "phrase")
        opening, _, rest = text.partition(". ")
        declines = is_plain_refusal(text) or plain_text(text) in _REFUSALS
        if declines or (is_plain_refusal(opening) and not may_still_answer(rest)):
            return ReplyReading("refusal", text, "phrase")
        if self.golds and gives_alias(text, self.golds, self.question):
            return ReplyReading(
                "answer",
                text,
                "gold",
                right=True,
            )
        undecided = ReplyReading("undecided", text, "form")
        answer = ReplyReading("answer", text, "form")
        if is_value(text, self.context, self.question):
            # "no?" asserts nothing
            return undecided if asks(text) else answer
        if len(text.split()) <= _FEW and not tells(text, self.question):
            return undecided
        if self._repeats(text):
            return answer
        return self._read_by_model(text, marked)

    def _read_by_model(self, text: str, marked: bool) -> ReplyReading:
        chances = self.model(
            without_quotations(text),
            self.question,
            self.context,
        )
        sure: dict[Kind, float] = {
            "answer": chances.answers,
            "refusal": chances.declines,
            "clarification": chances.asks_back,
        }
        kind = max(sure, key=sure.__getitem__)
        likeliest = sure.pop(kind)
        if likeliest >= self.threshold and max(sure.values()) <= 1 - self.threshold:
            return ReplyReading(kind, text, "model")
        may_decline = chances.declines >= self.threshold or asks(text)
        if marked and is_quantity(text) and not may_decline:
            return ReplyReading("answer", text, "form")
        return ReplyReading("undecided", text)

    def _repeats(self, text: str) -> bool:
        """Return whether a text of several words stands in a passage as it is."""
        plain = " ".join(text.split())
        if plain.count(" ") < _SEVERAL:
            return False
        passages = (" ".join(plain_words(text).split()) for text in self.context)
        return any(plain in passage for passage in passages)

    def _phrase_in(self, text: str) -> str:
        """Return the first of the phrases that a text holds, whatever its case and
        spaces; else an empty text.
        """
        plain = " ".join(text.split()).casefold()
        for phrase in self.refusals:
            plain_phrase = " ".join(phrase.split()).casefold()
            if plain_phrase and plain_phrase in plain:
                return phrase
        return ""


def load_phrases(name: str) -> list[str]:
    """Return the phrases of a file, one a line; a line that begins with `#` is a
    comment.

    Raises DataError.
    """
    text = read_list_file(
        name,
        "refusals",
        "write one phrase a line",
    )
    lines = map(str.strip, text.splitlines())
    phrases = [line for line in lines if line and not line.startswith("#")]
    if not phrases or len(phrases) > MOST_PHRASES:
        raise DataError(
            f"refusals: '{name}' has {len(phrases)} phrases; give 1 to {MOST_PHRASES}"
        )
    return phrases
