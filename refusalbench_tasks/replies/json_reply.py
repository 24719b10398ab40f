"""A reply in JSON: which of its fields answers, and whether they say
that nothing does.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

JsonForm = Literal["text", "empty", "error", "declined", "several"]
"""`empty`: nothing in it can be read; `declined`: it says that there is no answer."""

_ANSWER_FIELDS = """
final_answer
answer
response
reply
output
result
text
content
message
value
code
"""
_ANSWERS = _ANSWER_FIELDS.split()
_REASONS = ("reason", "explanation", "rationale", "note", "comment", "details")
_ANSWERED = ("answerable", "found", "has_answer", "can_answer", "is_answerable")
"""Fields that say "no answer" where they are false."""
_DECLINED = ("refused", "refusal", "abstain", "abstained", "unanswerable")
"""Fields that say "no answer" where they are true."""
_TRUE = frozenset(("true", "yes", "1"))
_FALSE = frozenset(("false", "no", "0"))
_DEEPEST = 4
"""Objects in objects that are looked into."""


@dataclass(frozen=True, slots=True)
class JsonReply:
    """What a reply in JSON says: its answer, and the reason that stands in a field
    beside it.
    """

    form: JsonForm
    text: str = ""
    reason: str = ""
    marked: bool = False
    """Whether the text stands in a field for an answer."""


_NOTHING = JsonReply("declined")
_UNREAD = JsonReply("empty")


def read_json(text: str) -> JsonReply | None:
    """Return what a JSON object or list says; None for a text that is neither.

    The fields of an answer are looked for in objects within objects, four deep. A null,
    a blank text and an empty list say that there is no answer. False is "no" and 0 is a
    number. What has no field that can be read is `empty`, also a "no" in an unknown
    field; a key that stands twice makes it `several`. Never raises.
    """
    if text[:1] not in ("{", "[") or text[-1:] not in ("}", "]"):
        return None
    try:
        value = json.loads(text, object_pairs_hook=_lower_keys)
    except _DoubledKey:
        return JsonReply("several", text)
    except (ValueError, RecursionError):
        return None
    read = _read_value(value, _DEEPEST)
    # a list of what is no text and no number is no reply in JSON
    return None if isinstance(value, list) and read is _UNREAD else read


class _DoubledKey(ValueError):
    """An object that has a key twice, in whatever case."""


def _lower_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of an object by their keys in lower case."""
    fields = {key.lower(): value for key, value in pairs}
    if len(fields) < len(pairs):
        raise _DoubledKey
    return fields


def _read_value(value: Any, depth: int) -> JsonReply:
    if value is None or value == []:
        return _NOTHING
    if isinstance(value, dict):
        return _read_object(value, depth - 1) if depth else _UNREAD
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], dict):
            return _read_value(value[0], depth)
        if not all(isinstance(entry, str | int | float) for entry in value):
            return _UNREAD
        return JsonReply("text", ", ".join(map(_as_text, value)))
    text = _as_text(value)
    return JsonReply("text", text) if text.strip() else _NOTHING


def _as_text(value: str | int | float) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _read_object(fields: Mapping[str, Any], depth: int) -> JsonReply:
    answers = [_read_value(fields[key], depth) for key in _ANSWERS if key in fields]
    forms = {answer.form for answer in answers}
    texts = list(dict.fromkeys(read.text for read in answers if read.form == "text"))
    reasons = [fields[key] for key in _REASONS if isinstance(fields.get(key), str)]
    reasons += (answer.reason for answer in answers if answer.reason)
    reason = " ".join(reasons)
    answered = (_flag(fields.get(name)) for name in _ANSWERED)
    declined = (_flag(fields.get(name)) for name in _DECLINED)
    if not _FALSE.isdisjoint(answered) or not _TRUE.isdisjoint(declined):
        contradicts = bool(texts) and not reason
        text = " ".join([*texts, reason]).strip()
        return JsonReply("several" if contradicts else "declined", text)
    if fields.get("error") and not texts:
        return JsonReply("error", str(fields["error"]))
    if len(texts) > 1 or "several" in forms:
        return JsonReply("several", " ".join(texts))
    if texts:
        return JsonReply(
            "text",
            texts[0],
            reason,
            marked=True,
        )
    if answers:
        return JsonReply("declined", reason) if forms == {"declined"} else _UNREAD
    others = [value for value in fields.values() if isinstance(value, str)]
    if not others or any(_flag(value) in _TRUE | _FALSE for value in others):
        # "no" in a field of unknown sense may deny anything
        return _UNREAD
    return JsonReply("text", " ".join(others))


def _flag(value: Any) -> str:
    """Return what a flag says, a boolean, a number or a word, as a word."""
    return str(value).strip().strip(".!").lower()
