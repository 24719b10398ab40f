"""The JSON objects in a model's output: whole, without doubled keys, with numbers of a
bounded size.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from inspect_ai.model import ModelOutput
from inspect_ai.tool import ToolCall

from refusalbench_tasks.bounded_reading import bounded, json_objects, json_value
from refusalbench_tasks.replies.outside_text import well_formed, well_formed_values

Payload = dict[str, Any]

ARGUMENTS = ("arguments", "parameters")
"""What the arguments are called in a call that is written down: in OpenAI's form, and
in Llama's.
"""
_CODE_UNIT = re.compile(r"(?<!\\)\\++u([0-9a-fA-F]{4})")
_FENCE = "` \n\r\t"


def payloads_of(
    output: ModelOutput,
    tool: str,
    in_prose: bool,
) -> list[Payload]:
    """Return the arguments of the one call of a tool, else the JSON objects in the
    text.

    A server that can't call tools may write the call down, `{"name": …, "arguments":
    {…}}`: then the arguments stand for it. Words may stand before the last object, and
    behind it only with `in_prose`: who goes on after a verdict may take it back. Text
    is made well formed. Never raises: what can't be read is an empty list.
    """
    calls = _calls(output)
    try:
        if not calls:
            text = output.completion
            objects, end = json_objects(text)
            rest = text[end:].strip(_FENCE).removesuffix("</tool_call>").strip(_FENCE)
            if rest and not in_prose:
                return []
            return [well_formed_values(_opened(value, tool)) for value in objects]
        call = calls[0]
        if len(calls) > 1 or call.function != tool or call.parse_error:
            return []
        arguments = call.arguments
        if not isinstance(arguments, dict):
            return []
        return [well_formed_values(bounded(arguments))]
    except (ValueError, RecursionError):
        return []


def _calls(output: ModelOutput) -> list[ToolCall]:
    calls = output.message.tool_calls if output.choices else None
    return calls or []


def is_quoted_in(payload: Mapping[str, Any], text: str) -> bool:
    """Whether a text holds every field of an object: then who writes the object may
    only quote it.

    The order of the fields, white space and JSON's escapes do not matter, nor whether
    the object stands in another one, or in a string.
    """
    searched = _without_escapes(text)
    for key, value in payload.items():
        field = json.dumps({key: value}, separators=(",", ":"))
        if _without_escapes(field[1:-1]) not in searched:
            return False
    return True


def _without_escapes(text: str) -> str:
    characters = _CODE_UNIT.sub(lambda escape: chr(int(escape[1], 16)), text)
    return "".join(well_formed(characters).replace("\\", "").split())


def _opened(value: Payload, tool: str) -> Payload:
    """Return the arguments of a written call, an object or its JSON; any other object
    as it is.
    """
    if value.get("name") != tool:
        return value
    for key in ARGUMENTS:
        arguments = value.get(key)
        if isinstance(arguments, str):
            arguments = json_value(arguments, "reply")
        if isinstance(arguments, dict):
            return arguments
    return value


def raw_text(output: ModelOutput) -> str:
    """Return what a model said, as text: its calls' arguments as JSON, else its words.

    Never raises.
    """
    calls = _calls(output)
    if not calls:
        return well_formed(output.completion)
    try:
        return json.dumps([call.arguments for call in calls])
    except (ValueError, TypeError, RecursionError):
        return "(arguments that no JSON can hold)"
