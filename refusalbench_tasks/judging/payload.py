"""The JSON object in a model's output: one, whole, without doubled keys, with numbers of a bounded size."""

import json
import re
from typing import Any

from inspect_ai.model import ModelOutput

from refusalbench_tasks.replies.outside_text import well_formed, well_formed_values

_FENCED = re.compile(r"```(?:json)?\s*(?P<body>.*?)\s*```", re.DOTALL)
_FENCE = re.compile(r"^```(?:json)?[ \t]*\n(?P<body>.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE | re.IGNORECASE)
_LONGEST_NUMBER = 40
_DEEPEST = 100


def payload_of(output: ModelOutput, tool: str, in_prose: bool = False) -> dict[str, Any] | None:
    """Return the arguments of the one call of a tool, or the one JSON object that is the whole text; None otherwise.

    With `in_prose`, also the one fenced object of a text that says more. Text is made well formed. Never raises.
    """
    calls = output.message.tool_calls or [] if output.choices else []
    try:
        if calls:
            usable = len(calls) == 1 and calls[0].function == tool and not calls[0].parse_error
            value = calls[0].arguments if usable else None
        else:
            value = _written(output.completion.strip(), in_prose)
        return well_formed_values(value) if isinstance(value, dict) and not _too_deep(value) else None
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


def _written(text: str, in_prose: bool) -> Any:
    fenced = _FENCED.fullmatch(text)
    if in_prose and not fenced:
        blocks = list(_FENCE.finditer(text))
        fenced = blocks[0] if len(blocks) == 1 else None
    return json.loads(
        fenced["body"] if fenced else text,
        object_pairs_hook=_once_each,
        parse_int=lambda digits: int(_bounded(digits)),
        parse_float=lambda digits: float(_bounded(digits)),
        parse_constant=_bounded,
    )


def _bounded(digits: str) -> str:
    # NaN and Infinity come here too; longer than any number that is asked for
    if len(digits) > _LONGEST_NUMBER or digits.lstrip("-")[:1].isalpha():
        raise ValueError("no number that is asked for")
    return digits


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _too_deep(value: Any) -> bool:
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > _DEEPEST:
            return True
        level = [
            inner
            for outer in level
            if isinstance(outer, list | dict)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    return False
