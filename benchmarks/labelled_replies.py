"""Labelled replies that the model of `read_reply` learns from, or is tested on."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPLIES = Path(__file__).parent / "replies"
TEST = Path(__file__).parent.parent / "tests" / "replies" / "test_replies.jsonl"
UNDECIDED = ("mixed", "nothing", "undecided")
"""Labels of replies that are to stay undecided: in part an answer, or none of all."""


@dataclass(frozen=True)
class LabelledReply:
    """A reply, what it is (`KINDS` of the training, or "undecided") and what stood
    beside it.
    """

    reply: str
    kind: str
    lang: str
    question: str = ""
    passages: Sequence[str] = ()
    golds: Sequence[str] = ()
    style: str = ""
    """How hard a written reply is to read: plain or hard."""
    model: str = ""
    """The model that replied; a written reply has none."""
    label: str = ""
    """The readers' or the writer's own word for the kind: also "mixed", "nothing"."""


def written() -> list[LabelledReply]:
    """Return the written replies to learn from, first those without a question."""
    bare = [row for row in _rows(REPLIES / "written.jsonl") if row["kind"] != "filler"]
    once = {row["reply"]: row for row in bare}
    return [_labelled(row) for row in once.values()] + [
        _labelled(row) for row in _rows(REPLIES / "with_questions.jsonl")
    ]


def test_replies() -> list[LabelledReply]:
    """Return the test replies, whose writers wrote nothing else here."""
    return [_labelled(row) for row in _rows(TEST)]


def real(file: str = "real.jsonl") -> list[LabelledReply]:
    """Return the replies of real models in a file on which its readers agree:
    `real.jsonl` to learn from, `recorded.jsonl` and `trained.jsonl` to test on.
    """
    rows = []
    for row in _rows(REPLIES / file):
        kinds = set(row["readers"])
        if len(kinds) == 1:
            rows.append(_labelled(row | {"kind": kinds.pop()}))
    return rows


def _labelled(row: dict[str, Any]) -> LabelledReply:
    golds = row.get("gold") or []
    passages = row.get("passages") or [row.get("passage", "")]
    return LabelledReply(
        reply=row["reply"],
        kind="undecided" if row["kind"] in UNDECIDED else row["kind"],
        lang=row["lang"],
        question=row.get("question", ""),
        passages=[passage for passage in passages if passage],
        golds=[golds] if isinstance(golds, str) else golds,
        style=row.get("style", ""),
        model=row.get("model", ""),
        label=row["kind"],
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
