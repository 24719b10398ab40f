"""Outside text made valid, once, where it enters: what a model says may be no text that UTF-8 can write."""

from typing import Any

from inspect_ai.model import ModelOutput

_LONGEST_PROBLEM = 200


def well_formed(text: str) -> str:
    """Return the text with each lone surrogate replaced by U+FFFD, and split pairs joined.

    A lone surrogate can be neither hashed, nor stored, nor sent to a judge. Valid text is returned as it is.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def well_formed_values(value: Any) -> Any:
    """Return a JSON value in which every text is well formed, keys included."""
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, list):
        return [well_formed_values(entry) for entry in value]
    if isinstance(value, dict):
        return {well_formed_values(key): well_formed_values(entry) for key, entry in value.items()}
    return value


def problem_of(error: Exception) -> str:
    """Return an error as one short line: its type and the first line of what it says."""
    said = (well_formed(str(error)).strip().splitlines() or [""])[0][:_LONGEST_PROBLEM]
    return f"{type(error).__name__}: {said}"


def reply_of(output: ModelOutput) -> str:
    """Return what a model replied, well formed; the empty text if it gave no choice."""
    return well_formed(output.completion) if output.choices else ""
