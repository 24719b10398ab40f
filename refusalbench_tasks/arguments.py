"""Checks of the arguments that a task gets from the command line, where `-T name=value` is YAML."""

import inspect
import logging
from collections.abc import Callable, Iterable
from typing import Any

import refusalbench_tasks
from refusalbench_tasks.errors import DataError

logger = logging.getLogger(__name__)

RENAMED = {"lever_names": "levers"}
"""What an argument was called before, and its name now."""


def whole_number(argument: str, value: Any, least: int | None = None) -> None:
    """Raise DataError unless the value is a whole number, at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or (least is not None and value < least):
        bound = "" if least is None else f" of at least {least}"
        raise DataError(f"{argument}: expected a whole number{bound}, got {value!r}")


def share(argument: str, value: Any) -> None:
    """Raise DataError unless the value is a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise DataError(f"{argument}: expected a number from 0 to 1, got {value!r}")


def switches(**values: Any) -> None:
    """Raise DataError unless every value is true or false."""
    for argument, value in values.items():
        if not isinstance(value, bool):
            raise DataError(f"{argument}: expected true or false, got {value!r}")


def texts(**values: Any) -> None:
    """Raise DataError unless every value is text that is not blank, or None."""
    for argument, value in values.items():
        if value is not None and (not isinstance(value, str) or not value.strip()):
            raise DataError(f"{argument}: expected text, got {value!r}; quote a number: -T '{argument}=\"{value}\"'")


def known_only(task: Callable[..., Any], unknown: Iterable[str]) -> None:
    """Raise DataError for an argument that the task has not, before anything is loaded; warn if another task has it.

    A name that another task of this package takes may be meant for that one: Inspect gives the arguments of a run of
    several tasks to each.
    """
    names = _names(task)
    for name in unknown:
        if not any(name in _names(getattr(refusalbench_tasks, other)) for other in refusalbench_tasks.__all__):
            instead = f"it is '{RENAMED[name]}' now; " if name in RENAMED else ""
            raise DataError(f"{task.__name__}: unknown argument '{name}'; {instead}known: {', '.join(names)}")
        logger.warning("%s: the argument '%s' belongs to another task and is not used", task.__name__, name)


def _names(task: Callable[..., Any]) -> list[str]:
    parameters = inspect.signature(task).parameters.values()
    return [parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]
