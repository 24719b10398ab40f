"""The JSON object in a model's output: one, whole, without doubled keys, with numbers of a bounded size."""

import json
import re
from typing import Any

from inspect_ai.model import ModelOutput

from refusalbench_tasks.bounded_reading import bounded, json_value
from refusalbench_tasks.replies.outside_text import well_formed, well_formed_values

_FENCED = re.compile(r"```(?:json)?\s*(?P<body>.*?)\s*```", re.DOTALL)
_FENCE = re.compile(r"^```(?:json)?[ \t]*\n(?P<body>.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE | re.IGNORECASE)


def payload_of(output: ModelOutput, tool: str, in_prose: bool = False) -> dict[str, Any] | None:
    """Return the arguments of the one call of a tool, or the one JSON object that is the whole text; None otherwise.

    With `in_prose`, also the one fenced object of a text that says more. Text is made well formed. Never raises.
    """
    calls = output.message.tool_calls or [] if output.choices else []
    value: object = None
    try:
        if calls:
            usable = len(calls) == 1 and calls[0].function == tool and not calls[0].parse_error
            value = calls[0].arguments if usable else None
        else:
            value = _written(output.completion.strip(), in_prose)
        return well_formed_values(bounded(value)) if isinstance(value, dict) else None
    except (ValueError, RecursionError):
        return None


def raw_text(output: ModelOutput) -> str:
    """Return what a model said, as text: its calls' arguments as JSON, else its words. Never raises."""
    calls = output.message.tool_calls or [] if output.choices else []
    if not calls:
        return well_formed(output.completion)
    try:
        return json.dumps([call.arguments for call in calls])
    except (ValueError, TypeError, RecursionError):
        return "(arguments that no JSON can hold)"


def _written(text: str, in_prose: bool) -> object:
    fenced = _FENCED.fullmatch(text)
    if in_prose and not fenced:
        blocks = list(_FENCE.finditer(text))
        fenced = blocks[0] if len(blocks) == 1 else None
    return json_value(fenced["body"] if fenced else text, "reply")
