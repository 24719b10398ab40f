"""Libraries that only an extra brings."""

from importlib import import_module
from typing import Any

from refusalbench_tasks.errors import DataError


class MissingLibrary(DataError):
    """A library that an extra brings is not there: no fault of what is read."""


def library(name: str, extra: str = "documents") -> Any:
    """Return a module that an extra brings.

    Raises MissingLibrary, with the way to install it, if it can't be had.

    A library may be there and lack one of its own: then the reason that it gives stands
    in the message.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise missing(error.name or name, extra) from None
    except ImportError as error:
        reason = " ".join(str(error).split())
        raise MissingLibrary(
            f"{extra}: {name} can't be imported ({reason}); {_install(extra)}"
        ) from None


def missing(name: str, extra: str = "documents") -> MissingLibrary:
    """Return the error for a library that is not installed."""
    return MissingLibrary(f"{extra}: needs {name}; {_install(extra)}")


def _install(extra: str) -> str:
    return f"pip install 'refusalbench-tasks[{extra}]'"
