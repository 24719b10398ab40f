"""A call of an application that gave no reply: an error of its sample, never a verdict."""

from importlib import import_module
from typing import Any

from refusalbench_tasks.errors import DataError

_SHOWN = 200
"""How many characters of what an application said a message shows."""


class ApplicationFailed(DataError):
    """An application could not be called, or what it sent could not be read."""


class Passing(Exception):
    """A failure that may pass: too many requests, an error of the server, a lost connection, no reply in time."""


def quoted(text: str) -> str:
    """Return the beginning of what an application said, as the end of a message; empty if it said nothing."""
    shown = " ".join(text[: 4 * _SHOWN].split())[:_SHOWN]
    return f": {shown}" if shown else ""


def library(name: str) -> Any:
    """Return a module of the extra `endpoint`. Raises DataError without it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise DataError(f"endpoint: needs {error.name}; pip install 'refusalbench-tasks[endpoint]'") from None
