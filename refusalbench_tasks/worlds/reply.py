"""What a reply to a row did: by its form and the values that it gives, and otherwise as
`read_reply` reads it.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Protocol, cast

from refusalbench_tasks.replies.abstention import is_plain_refusal
from refusalbench_tasks.replies.alias import asks, frames, gives_alias
from refusalbench_tasks.replies.code import (
    parse_reply,
    parse_visible,
    stated_codes,
    visible_text,
)
from refusalbench_tasks.replies.plain_text import plain_text
from refusalbench_tasks.replies.reading import read_reply
from refusalbench_tasks.replies.structure import Structure, read_structure
from refusalbench_tasks.replies.typed_answer import typed_verdict
from refusalbench_tasks.taxonomy import Label

from .reply_values import (
    gives_quantity,
    is_silent,
    values_in,
    without_values,
)

Verdict = Literal[
    "right answer",
    "wrong answer",
    "right code",
    "other code",
    "right clarification",
    "other clarification",
    "plain refusal",
    "wrong",
    "undecided",
]
"""What a reply did.

A question back is the right one where the row is ambiguous. `wrong` is neither one
answer nor one refusal: empty, several codes, two answers, a value beside a refusal.
"""
LONGEST = 60
WIDEST = 600
"""Words and characters of what is read; of a longer text nothing is decided."""
_THOUGHT = re.compile(
    r"[<\[]think(?:ing)?[>\]].*?(?:[<\[]/think(?:ing)?[>\]]|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_THOUGHT_END = re.compile(r"[<\[]/think(?:ing)?[>\]]", re.IGNORECASE)
_MARKED = re.compile(r"\\boxed|<(?:final_)?answer>|refuse[_-]", re.IGNORECASE)
_MAY_BE_CODE = re.compile("[_-]|refuse", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[.,;:!?\n]")


class LogSample(Protocol):
    """A sample of a log, or of a task's data set."""

    @property
    def metadata(self) -> dict[str, Any] | None:
        """Return the columns of its row."""


Row = Mapping[str, Any] | LogSample
"""One of `worlds.quad_rows` in either layout, or its sample or the metadata of one."""


@dataclass
class _Asked:
    """What a reply is read beside."""

    question: str
    due: Label
    answer_type: str
    answers: Sequence[str]
    passages: Sequence[str]

    def answer(self, is_right: bool) -> Verdict:
        """Return the verdict on an answer: any is wrong where the row has none."""
        right = is_right and self.due is Label.ANSWER
        return "right answer" if right else "wrong answer"

    def code(self, label: Label) -> Verdict:
        """Return the verdict on a refusal with a code."""
        return "right code" if label is self.due else "other code"

    def is_gold(self, value: str) -> bool:
        """Return whether a value is the gold answer, also where the row has none."""
        return typed_verdict(value, self.answer_type, self.answers) is True


def due_label(row: Row) -> Label:
    """Return what a row asks for: an answer, or a refusal with one code."""
    columns = _columns(row)
    return Label(columns.get("expected_rag_behavior") or columns["expected"])


def reply_verdict(
    row: Row,
    reply: str,
) -> Verdict:
    """Return what a reply did; any answer to an unanswerable row is a wrong one.

    What it thinks aloud in `<think>` is not read. Of a reply with a final answer
    (`<answer>`, a box, JSON, a last line "Answer: ...") that alone is read, but for a
    code that stands beside it. Takes time linear in the reply. Never raises.
    """
    columns = _columns(row)
    asked = _Asked(
        str(columns.get("perturbed_query") or columns["query"]),
        due_label(columns),
        columns.get("answer_type") or "",
        columns.get("original_answers") or columns.get("answers") or (),
        _passages(columns),
    )
    # without its thoughts; a prompt may have begun them
    text = _THOUGHT_END.split(_THOUGHT.sub(" ", reply))[-1].strip()
    visible, structure = _structure(text[-WIDEST:])
    if len(text) > WIDEST:
        # of a long text the end counts if it is marked, and the only answer or code
        is_final = structure.marked and not _MARKED.search(text[:-WIDEST])
        return _by_form(asked, visible, structure) if is_final else "undecided"
    return _by_form(asked, visible, structure)


def _columns(row: Row) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], getattr(row, "metadata", row))


def _passages(columns: Mapping[str, Any]) -> Sequence[str]:
    if "grounding" in columns:
        return [passage["text"] for passage in columns["grounding"]]
    text = columns.get("perturbed_context")
    return columns.get("passages", ()) if text is None else (text,)


@lru_cache(maxsize=1_024)
def _structure(text: str) -> tuple[str, Structure]:
    # a policy says the same few things to many rows
    visible = visible_text(text)
    if parse_visible(visible).form == "empty":
        return visible, Structure("empty", visible)
    return visible, read_structure(visible)


def _by_form(
    asked: _Asked,
    visible: str,
    structure: Structure,
) -> Verdict:
    """Return the verdict on a visible reply by its codes, else by its words."""
    if structure.form == "empty":
        # struck out, or a cue with nothing behind it
        return "undecided" if values_in(visible, asked.answer_type) else "wrong"
    may_be_code = _MAY_BE_CODE.search(visible) is not None
    codes = {code.label for code in stated_codes(visible)} if may_be_code else set()
    n = len(codes)
    if structure.form == "several":
        two = n > 1 or values_in(visible, asked.answer_type)
        return "wrong" if two else "undecided"
    if may_be_code and (structure.marked or n < 2):
        label = parse_reply(structure.text).label
        if label is not None:
            return asked.code(label)
    text = structure.words
    values = values_in(text, asked.answer_type)
    if n > 1 or (codes and values):
        return "wrong"
    if len(text.split()) > LONGEST:
        return "undecided"
    verdict = None
    if structure.form == "text" and not codes:
        verdict = _by_values(asked, text, values)
    return verdict or _by_reader(asked, visible, _hedges(text))


def _by_values(
    asked: _Asked,
    text: str,
    values: Sequence[str],
) -> Verdict | None:
    """Return the verdict on a text without a code that its values decide; None for one
    that has to be read.
    """
    if is_plain_refusal(text):
        return "plain refusal"
    if not values and asked.is_gold(text):
        return asked.answer(True)
    if len(values) == 1 and gives_alias(text, values, asked.question):
        return asked.answer(asked.is_gold(values[0]))
    rest = without_values(text, asked.answer_type)
    if not values:
        gives_other = gives_quantity(text) and not _hedges(text)
        return "wrong answer" if gives_other else None
    asks_back = asks(text)
    if len(values) > 1 and is_silent(rest) and not asks_back:
        return "wrong"
    if asks_back or _hedges(rest):
        beginning = text[: text.lower().find(values[0])]
        clauses = _CLAUSE_END.split(beginning)
        # "I don't know, but it is £40" is no refusal, and "£40; the deposit is not
        # listed" may be an answer
        return "wrong" if any(map(is_plain_refusal, clauses)) else "undecided"
    if asked.due is Label.ANSWER and any(map(asked.is_gold, values)):
        return "undecided"
    return "wrong answer"


def _hedges(text: str) -> bool:
    """Return whether a text has words of negation, doubt or choice."""
    return not frames().doubt.isdisjoint(plain_text(text).split())


def _by_reader(
    asked: _Asked,
    visible: str,
    hedges: bool,
) -> Verdict:
    """Return the verdict on words as the reader of every task reads them; an answer
    that hedges may deny that there is one.
    """
    read = read_reply(
        visible,
        question=asked.question,
        gold=asked.answers,
        context=asked.passages,
    )
    if read.code is not None:
        return asked.code(read.code)
    if read.kind == "refusal":
        return "plain refusal"
    if read.kind == "clarification":
        is_due = asked.due is Label.AMBIGUOUS
        return "right clarification" if is_due else "other clarification"
    is_open = read.right is None and (hedges or asked.due is Label.ANSWER)
    if read.kind == "undecided" or is_open:
        return "undecided"
    return asked.answer(read.right is True)


def shares(
    rows: Sequence[Row],
    replies: Sequence[str],
) -> dict[Verdict, float]:
    """Return by verdict the share of replies that had it; empty for none."""
    pairs = zip(rows, replies, strict=True)
    counts = Counter(reply_verdict(row, reply) for row, reply in pairs)
    return {name: count / len(replies) for name, count in counts.items()}
