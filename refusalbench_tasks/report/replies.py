"""All replies with their texts, as the JSON that the page's browser
of replies reads.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.report.reply_kinds import hedging_kinds, reply_kinds
from refusalbench_tasks.results.table import Run, frame
from refusalbench_tasks.taxonomy import Label

FILTERS = (
    "outcome",
    "class",
    "document",
    "intensity",
    "domain",
    "topic",
    "arm",
    "kind of row",
)
"""What replies are filtered by; one that no two replies differ in is not offered."""
LARGEST = 14_000_000
"""The bytes of the JSON. Texts are cut until it is no larger."""
_FACTS = {
    "class": "class",
    "document": "source_document",
    "intensity": "intensity",
    "domain": "domain",
    "topic": "topic",
    "arm": "arm",
}


class Limits(NamedTuple):
    """The longest texts, in letters: of passages, replies, and what the grader says of
    them.
    """

    passage: int
    reply: int
    why: int


STEPS = (
    Limits(6000, 8000, 2000),
    Limits(1500, 2000, 600),
    Limits(600, 600, 200),
    Limits(0, 200, 0),
)


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
    for limits in STEPS:
        text = _escaped({"tasks": [_task(group, limits) for group in groups]})
        if len(text) <= LARGEST:
            return Browsable(text, FILTERS, _note(limits))
    return None


def _note(limits: Limits) -> str:
    told = "Every reply of these runs; search reads ids, questions and replies."
    if limits == STEPS[0]:
        return told
    passages = (
        f"passages at {limits.passage:,}" if limits.passage else "passages are left out"
    )
    return (
        f"{told} To keep this page small, replies are cut at {limits.reply:,} letters,"
        f" {passages}."
    )


def _escaped(value: object) -> str:
    """Return JSON that is no end of a script and no line end of JavaScript, whatever
    the texts are.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text.encode("utf-8", "replace").decode()


class _Texts:
    """Texts, each once, cut, and the place of each."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self.places: dict[str, int] = {}

    def of(self, texts: object) -> list[int]:
        if not self._longest or not isinstance(texts, list):
            return []
        return [
            self.places.setdefault(_cut(str(text), self._longest), len(self.places))
            for text in texts
        ]


def _task(group: Group, limits: Limits) -> dict[str, Any]:
    texts = _Texts(limits.passage)
    rows = dict[tuple[str, int], dict[str, Any]]()
    places: dict[tuple[str, int], int] = {}
    coded = group.systems[0].run.refusal and any(one.codes for one in group.systems)
    replies = []
    for system in group.systems:
        own = []
        for record in _records(system.run):
            key = (record["sample_id"], record["epoch"])
            if key not in places:
                places[key] = len(places)
                rows[key] = _row(record, texts, coded, system.run.refusal)
            own.append(_reply(record, places[key], system, texts, limits))
        replies.append(own)
    systems = [{"label": one.label, "colour": one.look.colour} for one in group.systems]
    return {
        "title": group.title,
        "systems": systems,
        "texts": list(texts.places),
        "rows": list(rows.values()),
        "replies": replies,
    }


def _records(run: Run) -> list[dict[str, Any]]:
    known = frame([run]).assign(kind=reply_kinds if run.refusal else hedging_kinds)
    return [
        {str(name): value for name, value in row.items()}
        for row in known.to_dict("records")
    ]


def _row(
    record: Mapping[str, Any], texts: _Texts, coded: bool, refusal: bool
) -> dict[str, Any]:
    facts = {name: _text(record.get(column)) for name, column in _FACTS.items()}
    facts["kind of row"] = "control" if record.get("control") is True else ""
    return {
        "id": (
            f"{record['sample_id']}"
            + (f" (epoch {record['epoch']})" if record["epoch"] > 1 else "")
        ),
        "question": _text(record.get("question_text")),
        "answers": (
            "; ".join(record["references"])
            if isinstance(record.get("references"), list)
            else ""
        ),
        "expected": _label(_text(record.get("expected")), coded) if refusal else "",
        "facts": facts,
        "passages": texts.of(record.get("passages")),
    }


def _reply(
    record: Mapping[str, Any],
    place: int,
    system: SystemView,
    texts: _Texts,
    limits: Limits,
) -> dict[str, Any]:
    reply = {
        "row": place,
        "outcome": record["kind"],
        "given": (
            _label(_text(record.get("predicted")), system.codes)
            if system.run.refusal
            else ""
        ),
        "by": _text(record.get("decided_by")),
        "reason": _text(record.get("reason")).replace("_", " "),
        "reply": (
            _cut(_text(record.get("reply")), limits.reply)
            or _text(record.get("error"))[:300]
        ),
        "why": _cut(_text(record.get("explanation")), limits.why) if limits.why else "",
    }
    retrieved = record.get("retrieved")
    return reply | (
        {"retrieved": texts.of(retrieved)}
        if isinstance(retrieved, list) and limits.passage
        else {}
    )


def _label(label: str, coded: bool) -> str:
    """Return a code as it stands, or where no codes were asked for what it means for
    the reply.
    """
    if coded or not label:
        return label
    return "an answer" if label == Label.ANSWER.value else "a refusal"


def _text(value: object) -> str:
    return (
        ""
        if value is None or (isinstance(value, float) and math.isnan(value))
        else str(value)
    )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} …"
