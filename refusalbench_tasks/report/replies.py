"""All replies with their texts, as the JSON that the page's browser
of replies reads.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from refusalbench_tasks.results.table import Run, frame
from refusalbench_tasks.taxonomy import Label

from .groups import Group, SystemView
from .reply_kinds import hedging_kinds, reply_kinds

FACTS = {
    "class": "class",
    "document": "source_document",
    "intensity": "intensity",
    "domain": "domain",
    "topic": "topic",
    "arm": "arm",
}
"""The columns of the facts of a row, by what they are called."""
COLUMNS = (
    "sample_id",
    "epoch",
    "question_text",
    "passages",
    "retrieved",
    "references",
    "expected",
    "predicted",
    "decided_by",
    "reason",
    "error",
    "reply",
    "explanation",
    *FACTS.values(),
    "knobs",
)
"""The columns of the table of replies that the page shows."""
FILTERS = ("outcome", *FACTS)
"""What replies are filtered by, beside columns of one's own; one that no two replies
differ in is not offered.
"""
_MOST_VALUES = 60
"""A column of one's own with more values is no filter."""
LARGEST = 14_000_000
"""The bytes of the JSON. Texts are cut until it is no larger."""
STEPS = (8000, 2000, 600, 200)
"""Letters after which texts are cut; with the last number passages are left out."""
_LONGEST_ERROR = 300


@dataclass(frozen=True)
class Browsable:
    """The JSON of all replies, escaped for a data block of a page, the filters that
    apply, and what was cut.
    """

    json: str
    filters: Sequence[str]
    note: str


def browsable(groups: Sequence[Group]) -> Browsable | None:
    """Return the replies of all groups; None where there are more than a page can hold.

    Texts are cut in steps until the JSON has no more than `LARGEST` bytes.
    """
    note = "Every reply of these runs; search reads ids, questions and replies."
    for longest in STEPS:
        text = _escaped({"tasks": [_task(group, longest) for group in groups]})
        if len(text) <= LARGEST:
            if longest < STEPS[0]:
                note += f" To keep this page small, texts are cut at {longest} letters"
                note += ", and passages left out." if longest == STEPS[-1] else "."
            return Browsable(text, (*FILTERS, *_own_columns(groups)), note)
    return None


def _own_columns(groups: Sequence[Group]) -> list[str]:
    values = defaultdict[str, set[object]](set)
    for system in chain.from_iterable(group.systems for group in groups):
        for knobs in system.run.replies.get("knobs", ()):
            for name, value in knobs.items():
                values[name].add(value)
    return sorted(name for name in values if len(values[name]) <= _MOST_VALUES)


def _escaped(value: object) -> str:
    """Return JSON that is no end of a script and no line end of JavaScript, whatever
    the texts are.
    """
    text = json.dumps(
        value,
        ensure_ascii=False,
        separators=(",", ":"),
        allow_nan=False,
    )
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text.encode("utf-8", "replace").decode()


def _task(group: Group, longest: int) -> dict[str, Any]:
    # each passage once, with its place
    passages: dict[str, int] = {}

    def places(texts: Sequence[str] | None) -> list[int]:
        if not texts or longest == STEPS[-1]:
            return []
        cut = [_cut(str(text), longest) for text in texts]
        return [passages.setdefault(text, len(passages)) for text in cut]

    rows: dict[tuple[str, int], dict[str, Any]] = {}
    numbers: dict[tuple[str, int], int] = {}
    coded = any(_coded(system) for system in group.systems)
    replies = []
    systems = group.by_age[::-1] if group.own else group.systems
    for system in systems:
        listed = []
        for record in _records(system.run):
            key = (record["sample_id"], record["epoch"])
            if key not in rows:
                numbers[key] = len(rows)
                rows[key] = _row(record, coded)
                rows[key]["passages"] = places(record.get("passages"))
            reply = {"row": numbers[key], **_reply(record, system, longest)}
            if record.get("retrieved") is not None and longest > STEPS[-1]:
                texts = [passage["text"] for passage in record["retrieved"]]
                reply["retrieved"] = places(texts)
            listed.append(reply)
        replies.append(listed)
    names = [
        {"label": system.label, "colour": system.look.colour} for system in systems
    ]
    return {
        "title": group.title,
        "systems": names,
        "texts": list(passages),
        "rows": list(rows.values()),
        "replies": replies,
    }


def _records(run: Run) -> list[dict[Any, Any]]:
    """Return the replies of a run with their kinds; None is what is not known."""
    kinds = reply_kinds if run.refusal else hedging_kinds
    table = frame([run])
    # most columns are numbers that the page has no place for
    shown = table.columns.intersection(COLUMNS)
    replies = table[shown].assign(kind=kinds(table)).astype(object)
    records: list[dict[Any, Any]] = replies.where(replies.notna(), None).to_dict(
        "records"
    )
    return records


def _row(record: Mapping[str, Any], coded: bool) -> dict[str, Any]:
    name = str(record["sample_id"])
    if record["epoch"] > 1:
        name += f" (epoch {record['epoch']})"
    return {
        "id": name,
        "question": record.get("question_text") or "",
        "answers": "; ".join(record.get("references") or ()),
        "expected": _label(record.get("expected"), coded),
        "facts": _facts(record),
    }


def _facts(record: Mapping[str, Any]) -> dict[str, str]:
    facts = {}
    for name, value in (record.get("knobs") or {}).items():
        facts[name] = str(value)
    for name, column in FACTS.items():
        facts[name] = record.get(column) or ""
    return facts


def _reply(
    record: Mapping[str, Any], system: SystemView, longest: int
) -> dict[str, Any]:
    error = record.get("error") or ""
    return {
        "outcome": record["kind"],
        "given": _label(record.get("predicted"), _coded(system)),
        "by": record.get("decided_by") or "",
        "reason": (record.get("reason") or "").replace("_", " "),
        "reply": _cut(record.get("reply") or "", longest) or error[:_LONGEST_ERROR],
        "why": _cut(record.get("explanation") or "", longest),
    }


def _coded(system: SystemView) -> bool:
    return system.run.refusal and system.codes


def _label(label: str | None, coded: bool) -> str:
    """Return a code as it stands, or where no codes were asked for what it means for
    the reply.
    """
    if coded or not label:
        return label or ""
    return "an answer" if label == Label.ANSWER.value else "a refusal"


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest]} …"
