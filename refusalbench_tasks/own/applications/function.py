"""A Python function, or a chain, as the application under test."""

import inspect
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.applications.failed import ApplicationFailed
from refusalbench_tasks.own.applications.reply import ApplicationReply, reply_of_object
from refusalbench_tasks.replies.outside_text import problem_of

_CHAIN = ("ainvoke", "aquery")
"""Methods of a chain that take a question: LangChain's and LlamaIndex's."""


@dataclass(frozen=True)
class Function:
    """A function that answers questions, and how it is called."""

    name: str
    call: Callable[..., Any]
    key: str | None = None
    """The key of the question, for a chain that takes a mapping."""
    takes_passages: bool = False

    async def ask(self, query: str, passages: Sequence[str], timeout: float | None = None) -> ApplicationReply:
        """Return what the function replies. Raises ApplicationFailed for its exceptions and for no reply in time.

        A function that is not async runs in a thread. One that takes too long is left to itself there: nothing can stop
        a thread.
        """
        from anyio import fail_after

        asked: Any = {self.key: query} if self.key else query
        more = (list(passages),) if self.takes_passages else ()
        try:
            with fail_after(timeout):
                value = await self._value(asked, *more)
        except TimeoutError as error:
            raise ApplicationFailed(f"{self.name}: no reply in time{f' ({timeout:g} s)' if timeout else ''}") from error
        except Exception as error:
            raise ApplicationFailed(f"{self.name}: {problem_of(error)}") from error
        return reply_of_object(value)

    async def _value(self, *given: Any) -> Any:
        from anyio import to_thread

        if inspect.iscoroutinefunction(self.call):
            return await self.call(*given)
        value = await to_thread.run_sync(lambda: self.call(*given), abandon_on_cancel=True)
        return await value if isinstance(value, Awaitable) else value


def function_named(name: object, key: str | None = None) -> Function:
    """Return the function or chain of `package.module:name`, looked for in the current folder as well.

    A chain is an object with `ainvoke` (LangChain) or `aquery` (LlamaIndex). A function whose signature has a parameter
    `passages`, or a second one without a default, gets the row's passages. Raises DataError if there is none.
    """
    module, _, attribute = name.partition(":") if isinstance(name, str) else ("", "", "")
    if not module or not attribute:
        raise DataError("function: expected package.module:name, such as my_rag.app:answer")
    found = _loaded(module, attribute)
    method = next((getattr(found, one) for one in _CHAIN if callable(getattr(found, one, None))), None)
    if method is not None and not isinstance(found, type):
        return Function(f"{name}", method, key)
    if not callable(found):
        raise DataError(f"function: '{name}' is a {type(found).__name__} that can't be called")
    called = found if inspect.isroutine(found) else found.__call__
    return Function(f"{name}", called, key, _takes_passages(found))


def _loaded(module: str, attribute: str) -> Any:
    here = str(Path.cwd())
    if here not in sys.path:
        # Inspect's command does not look there, and one's own application mostly lies there
        sys.path.append(here)
    try:
        found = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise DataError(f"function: '{module}:{attribute}' can't be loaded ({error})") from None
    return found


def _takes_passages(function: Callable[..., Any]) -> bool:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return False
    places = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return len(places) > 1 and (places[1].name == "passages" or places[1].default is places[1].empty)
