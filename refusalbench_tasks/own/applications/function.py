"""A Python function as the application under test."""

import inspect
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from inspect import Parameter
from pathlib import Path
from time import monotonic
from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.outside_text import problem_of

from .reply import ApplicationFailed, ApplicationReply


@dataclass(frozen=True)
class Function:
    """A function that answers questions, and how it is called."""

    path: str
    """Where it is: `package.module:name`."""
    call: Callable[..., Any]
    takes_passages: bool

    @property
    def name(self) -> str:
        """Return what the application is called in a log."""
        return f"callable/{self.path}"

    async def ask(self, query: str, passages: Sequence[str]) -> ApplicationReply:
        """Return what the function replies; one that is not async runs in a thread.

        Raises ApplicationFailed.
        """
        from anyio import to_thread

        given = (query, list(passages)) if self.takes_passages else (query,)
        start = monotonic()
        try:
            # one that is async only makes there what is awaited here
            value = await to_thread.run_sync(self.call, *given, abandon_on_cancel=True)
            if isinstance(value, Awaitable):
                value = await value
        except Exception as error:
            raise ApplicationFailed(f"{self.path}: {problem_of(error)}") from error
        return replace(reply_of_value(value), seconds=monotonic() - start)


def function_named(name: object) -> Function:
    """Return the function of `package.module:name`, looked for in the current folder as
    well.

    One whose signature has a parameter `passages`, or a second one without a default,
    gets the row's passages. Raises DataError if there is none.
    """
    module, _, attribute = str(name).partition(":")
    if not module or not attribute:
        raise DataError(
            "function: expected package.module:name, such as my_rag.app:answer"
        )
    # Inspect's command does not look there, and one's own application mostly lies there
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    try:
        loaded = import_module(module)
        for part in attribute.split("."):
            loaded = getattr(loaded, part)
    except (ImportError, AttributeError) as error:
        raise DataError(f"function: '{name}' can't be loaded ({error})") from None
    if not callable(loaded):
        raise DataError(
            f"function: '{name}' is a {type(loaded).__name__} that can't be called"
        )
    positional = [
        parameter
        for parameter in inspect.signature(loaded).parameters.values()
        if parameter.kind
        in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    ]
    takes_passages = any(
        second.name == "passages" or second.default is Parameter.empty
        for second in positional[1:2]
    )
    return Function(
        str(name),
        loaded,
        takes_passages,
    )


def reply_of_value(value: Any) -> ApplicationReply:
    """Return the reply that a text is, or that a mapping holds as `reply`, with what
    else it tells.

    That may be `passages` (a list of texts, or of objects with them), `stop_reason` and
    `usage`. None as a reply
    is an empty one. Raises ApplicationFailed if no reply is found.
    """
    if isinstance(value, str):
        return ApplicationReply(value)
    text = value.get("reply", ...) if isinstance(value, Mapping) else ...
    if not isinstance(text, str | None):
        raise ApplicationFailed(
            f"the function returned a {type(value).__name__} without a reply; return"
            " text, or a dict with 'reply'"
        )
    return ApplicationReply(
        text or "",
        value.get("passages"),
        value.get("stop_reason"),
        value.get("usage"),
    )
