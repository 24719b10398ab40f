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

from pydantic import TypeAdapter, ValidationError

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.applications.reply import (
    ApplicationFailed,
    ApplicationReply,
)
from refusalbench_tasks.replies.outside_text import problem_of

_TEXTS = TypeAdapter(list[str] | None)


@dataclass(frozen=True)
class Function:
    """A function that answers questions, and how it is called."""

    name: str
    call: Callable[..., Any]
    takes_passages: bool = False

    async def ask(self, query: str, passages: Sequence[str]) -> ApplicationReply:
        """Return what the function replies; one that is not async runs in a thread.

        Raises ApplicationFailed.
        """
        start = monotonic()
        try:
            value = await self._value(
                query, *([list(passages)] if self.takes_passages else [])
            )
        except Exception as error:
            raise ApplicationFailed(f"{self.name}: {problem_of(error)}") from error
        return replace(reply_of_value(value), seconds=monotonic() - start)

    async def _value(self, *given: Any) -> Any:
        from anyio import to_thread

        if inspect.iscoroutinefunction(self.call):
            return await self.call(*given)
        value = await to_thread.run_sync(
            lambda: self.call(*given), abandon_on_cancel=True
        )
        return await value if isinstance(value, Awaitable) else value


def function_named(name: object) -> Function:
    """Return the function of `package.module:name`, looked for in the current folder as
    well.

    One whose signature has a parameter `passages`, or a second one without a default,
    gets the row's passages. Raises DataError if there is none.
    """
    module, _, attribute = (
        name.partition(":") if isinstance(name, str) else ("", "", "")
    )
    if not module or not attribute:
        raise DataError(
            "function: expected package.module:name, such as my_rag.app:answer"
        )
    here = str(Path.cwd())
    if here not in sys.path:
        # Inspect's command does not look there, and one's own application mostly lies
        # there
        sys.path.append(here)
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
    parameters = list(inspect.signature(loaded).parameters.values())
    positional = [
        parameter
        for parameter in parameters
        if parameter.kind
        in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    ]
    passages = len(positional) > 1 and (
        positional[1].name == "passages" or positional[1].default is Parameter.empty
    )
    routine = loaded if inspect.isroutine(loaded) else loaded.__call__
    return Function(str(name), routine, passages)


def reply_of_value(value: Any) -> ApplicationReply:
    """Return the reply that a text is, or that a mapping holds as `reply`, with what
    else it tells.

    That may be `passages` (a list of texts), `stop_reason` and `usage`. None as a reply
    is an empty one. Raises ApplicationFailed if no reply is found.
    """
    if isinstance(value, str):
        return ApplicationReply(value)
    given = value if isinstance(value, Mapping) and "reply" in value else {}
    if not given or not isinstance(given["reply"], str | None):
        problem = (
            f"the function returned a {type(value).__name__} without a reply; return"
            " text, or a dict with 'reply'"
        )
        raise ApplicationFailed(problem)
    try:
        passages = _TEXTS.validate_python(given.get("passages"))
    except ValidationError:
        raise ApplicationFailed(
            "passages: the function returned something else than a list of texts"
        ) from None
    return ApplicationReply(
        given["reply"] or "", passages, given.get("stop_reason"), given.get("usage")
    )
