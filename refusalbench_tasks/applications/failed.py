"""A call of an application that gave no reply: an error of its sample, never a verdict."""

from importlib import import_module
from typing import Any

from refusalbench_tasks.errors import DataError


class ApplicationFailed(DataError):
    """An application could not be called, or what it sent could not be read."""


def library(name: str) -> Any:
    """Return a module of the extra `endpoint`. Raises DataError without it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise DataError(f"endpoint: needs {error.name}; pip install 'refusalbench-tasks[endpoint]'") from None
