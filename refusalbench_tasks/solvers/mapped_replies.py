"""Rows of replies in other layouts: columns that JSONPaths name, and traces that
observability tools export.
"""

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from refusalbench_tasks.bounded_reading import data_yaml, json_value
from refusalbench_tasks.datasets.rows import Row, checked_row, reply_rows
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.json_paths import checked_path, values_at

Given = str | Sequence[str] | None
"""The entries of a mapping; None for none."""
Paths = Mapping[str, Sequence[str]]
"""Where each field may stand: the first path that finds something counts."""
WHOLE = ("columns", "logprobs", "messages", "passages", "usage")
"""Fields that may be lists or objects."""
SPANS = "$.resourceSpans[*].scopeSpans[*].spans[*]"
"""The spans in a line of OTLP's JSON."""
ORDER = ("start", "parent")
"""What orders the spans of a trace."""
TURN = {
    "role": ("$.role", "$.message.role"),
    "text": (
        "$.content",
        "$.message.content",
        "$['content', 'parts'][*]['text', 'content']",
        "$.message.contents[*].message_content.text",
    ),
}
"""Where a message may say whose it is, and its text."""
logger = logging.getLogger(__name__)


def mapped_rows(name: str | Path, given: Given) -> list[Row]:
    """Return the rows of a file of replies with the fields of a mapping.

    `given` are `FIELD=JSONPATH` entries, and the name of a ready mapping, whose rows
    are traces. Of a conversation (`messages`) the last turn is scored, and `earlier`
    has the others. JSON in a text is read, and `a.b` is `b` in `a`. Raises DataError
    for an unknown mapping, and for a field that no row has.
    """
    rows = reply_rows(name)
    if not given:
        return rows
    ready, paths = _paths([given] if isinstance(given, str) else given)
    rows = [replace(row, values=opened(row.values)) for row in rows]
    missing = set(paths)
    unless_found: dict[str, Any] = {}
    if ready:
        rows = _traces(rows, ready)
        missing.add("reply")
        unless_found["reply"] = None
    mapped = []
    for row in rows:
        fields = _fields(row.values, {**ready, **paths})
        missing -= fields.keys()
        if not ready or "reply" in fields or "question" in fields:
            values = {**unless_found, **row.values, **fields}
            mapped.append(checked_row(row.source, row.place, values))
    if missing:
        raise DataError(
            f"{name}: map: no row has '{min(missing)}' there; lead a path to its text,"
            f" such as {min(missing)}=$.output.text"
        )
    if left_out := len(rows) - len(mapped):
        logger.warning(f"{name}: {left_out} traces have neither question nor reply")
    return mapped


def opened(value: Any) -> Any:
    """Return a value with JSON in its texts read, OTLP's pairs of key and value as an
    object, and dotted names as objects in one another.

    A text such as [3] stays: it may be a reply.
    """
    if isinstance(value, str) and value.startswith(("{", "[{", '"')):
        try:
            value = json_value(value, "")
        except DataError:
            return value
    if isinstance(value, list) and value:
        entries = [opened(entry) for entry in value]
        try:
            pairs = [(entry["key"], *entry["value"].values()) for entry in entries]
            value = dict(pairs)
        except (AttributeError, KeyError, TypeError, ValueError):
            return entries
    if not isinstance(value, Mapping):
        return value
    nested: dict[str, Any] = {}
    for name, content in value.items():
        *above, last = str(name).split(".")
        target = nested
        for part in above:
            inner = target.setdefault(part, {})
            # below a text there is no room
            target = inner if isinstance(inner, dict) else {}
        target[last] = opened(content)
    return nested


def _paths(given: Sequence[str]) -> tuple[Paths, Paths]:
    """Return the paths of the ready mapping, if any, and the paths given."""
    mappings = data_yaml("solvers", "trace_mappings.yaml")
    ready = {}
    paths = defaultdict(list)
    for entry in given:
        field, is_path, path = entry.partition("=")
        if is_path:
            checked_path(f"map: {field}", path)
            paths[field].append(path)
        elif field in mappings:
            ready = mappings[field]
        else:
            raise DataError(
                f"map: expected FIELD=JSONPATH or one of {', '.join(mappings)}, got"
                f" '{entry}'"
            )
    return ready, paths


def _traces(rows: Sequence[Row], paths: Paths) -> list[Row]:
    """Return a row for each trace: its `spans` by their start, and the first as its
    `root`.
    """
    traces = defaultdict(list)
    for row in rows:
        for span in values_at("map", SPANS, row.values) or [row.values]:
            traces[_found("trace", paths, span) or row.place].append(span)
    trace_rows = []
    for name, spans in traces.items():
        # of two that start at once, the one without a parent is first
        spans.sort(
            key=lambda span: [str(_found(key, paths, span) or "") for key in ORDER]
        )
        values = {"root": spans[0], "spans": spans}
        trace_rows.append(Row(rows[0].source, f"trace {name}", values))
    return trace_rows


def _fields(document: object, paths: Paths) -> dict[str, Any]:
    fields = {name: _found(name, paths, document) for name in paths}
    messages = fields.get("messages")
    if isinstance(messages, dict):
        messages = list(messages.values())
    turns = []
    for message in messages if isinstance(messages, list) else []:
        role = _found("role", TURN, message)
        text = _found("text", TURN, message)
        if role in ("user", "assistant") and text:
            turns.append((role, str(text)))
    for field, role in (("reply", "assistant"), ("question", "user")):
        if turns and turns[-1][0] == role:
            text = turns.pop()[1]
            fields[field] = fields.get(field) or text
    fields["earlier"] = "\n".join(f"{role}: {text}" for role, text in turns) or None
    stated = {name: value for name, value in fields.items() if value is not None}
    columns = stated.pop("columns", None)
    return {**columns, **stated} if isinstance(columns, dict) else stated


def _found(name: str, paths: Paths, document: object) -> Any:
    """Return the last value at the first path of a field that finds any, all of them
    for passages that are no lists; None if there is none.
    """
    for path in paths[name]:
        values = []
        for value in values_at("map", path, document):
            is_usable = name in WHOLE or not isinstance(value, list | dict)
            if is_usable and value is not None:
                values.append(value)
        if values:
            is_each = name == "passages" and not isinstance(values[0], list)
            return values if is_each else values[-1]
    return None
