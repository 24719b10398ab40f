"""The JSON request of an application, with slots for the question and its passages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from refusalbench_tasks.bounded_reading import file_at, json_value, read_text
from refusalbench_tasks.errors import DataError

_SLOT = re.compile(r"\{\{(\w+)\}\}")
_SLOTS = ("query", "passages")


@dataclass(frozen=True)
class RequestTemplate:
    """A JSON value in whose texts the slots `{{query}}` and `{{passages}}` stand."""

    value: Any

    def filled(self, query: str, passages: Sequence[str]) -> Any:
        """Return the request of one row.

        Only texts are changed, each in one pass, so outside text can neither reach another slot nor break the JSON. A
        text that is `{{passages}}` and nothing else becomes the list of them; within a text they stand with a blank
        line between.
        """
        texts = {"query": query, "passages": "\n\n".join(passages)}

        def fill(value: Any) -> Any:
            if isinstance(value, dict):
                return {key: fill(entry) for key, entry in value.items()}
            if isinstance(value, list):
                return [fill(entry) for entry in value]
            if value == "{{passages}}":
                return list(passages)
            return _SLOT.sub(lambda slot: texts[slot[1]], value) if isinstance(value, str) else value

        return fill(self.value)


def request_template(given: Any) -> RequestTemplate:
    """Return the template of an argument: a JSON object, one as text, or the path of a file with one.

    Raises DataError for what is no JSON, for an unknown slot, and without the slot `{{query}}`.
    """
    value = _parsed(given) if isinstance(given, str) else given
    if not isinstance(value, dict | list):
        raise DataError('request: expected a JSON object with a slot, such as {"question": "{{query}}"}')
    slots = {slot for text in _texts(value) for slot in _SLOT.findall(text)}
    if unknown := slots - set(_SLOTS):
        raise DataError(f"request: unknown slot '{min(unknown)}'; known: {', '.join(_SLOTS)}")
    if "query" not in slots:
        raise DataError("request: no text in it has the slot {{query}}, so no question would be sent")
    return RequestTemplate(value)


def _parsed(text: str) -> object:
    if text.lstrip().startswith(("{", "[")):
        return json_value(text, "request")
    return json_value(read_text(file_at(text, "request"), f"request: '{text}'"), f"request: '{text}'")


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _texts(part)]
