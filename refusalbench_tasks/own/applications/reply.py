"""What an application replied to one question, how it becomes a sample's output, and
calls that gave no reply.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.solver import TaskState

from refusalbench_tasks.datasets.item import SETTINGS, question_in
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.outside_text import beginning, well_formed
from refusalbench_tasks.solvers.recorded_reply import STOPS, usage_in
from refusalbench_tasks.solvers.retrieved import record_retrieved

_SHOWN = 200
"""How many characters of what an application said a message shows."""


class ApplicationFailed(DataError):
    """An application could not be called, or what it sent could not be read."""


class Passing(Exception):
    """A failure that may pass: too many requests, an error of the server, a lost
    connection, no reply in time.
    """


def quoted(text: str) -> str:
    """Return the beginning of what an application said, as the end of a message; empty
    if it said nothing.
    """
    shown = beginning(text, _SHOWN)
    return f": {shown}" if shown else ""


@dataclass(frozen=True)
class ApplicationReply:
    """A reply; None is what the application does not tell."""

    text: str
    passages: Sequence[object] | None = None
    """What it retrieved itself: texts, or objects with them."""
    stop_reason: str | None = None
    usage: Mapping[str, Any] | None = None
    """Tokens: `input_tokens` and `output_tokens`, or `prompt_tokens` and
    `completion_tokens`.
    """
    seconds: float | None = field(default=None, compare=False)
    """How long it took, without failed attempts."""
    first_token: float | None = field(default=None, compare=False)
    """Seconds until the first text of a stream was there."""


def row_passages(state: TaskState) -> tuple[str, ...]:
    """Return the passages of a sample's row, or the texts of its sources."""
    passages = state.metadata.get("passages")
    if passages is not None:
        return tuple(passages)
    return tuple(
        source["text"] or source["title"]
        for source in state.metadata.get("sources") or ()
    )


class Application(Protocol):
    """What is asked in place of a model."""

    @property
    def name(self) -> str:
        """What it is called in a log."""

    async def ask(self, query: str, passages: Sequence[str]) -> ApplicationReply:
        """Return its reply. Raises ApplicationFailed if there is none."""


async def ask_in_place(application: Application, state: TaskState) -> TaskState:
    """Return a sample with an application's reply to its question as the output, as a
    model's would stand there, and its passages recorded.

    Where a run asks for a confidence, it stands on the last line of the text, as a
    model's does.
    """
    if (state.metadata.get(SETTINGS) or {}).get("codes") is True:
        _warn_of_codes()
    question = question_in(state.metadata, state.input_text)
    reply = await application.ask(question, row_passages(state))
    text = well_formed(reply.text)
    # an application may have reasons of its own; only those that are known say anything
    stop = STOPS.get(str(reply.stop_reason or "stop").strip().lower(), "unknown")
    name = application.name
    state.messages = [ChatMessageUser(content=question)]
    state.output = ModelOutput.from_content(name, text, stop_reason=stop)
    state.output.usage, state.output.time = usage_of(reply.usage), reply.seconds
    if reply.first_token is not None:
        state.output.metadata = {"time_to_first_token": reply.first_token}
    state.messages.append(
        ChatMessageAssistant(content=text, source="generate", model=name)
    )
    if reply.passages is not None:
        record_retrieved(state, reply.passages)
    return state


@cache
def _warn_of_codes() -> None:
    """Warn once that a run expects codes, of which an application knows nothing."""
    logging.getLogger(__name__).warning(
        "An application knows nothing of refusal codes, and this run expects them: a"
        " refusal in plain words gets no credit for its category. Add -T codes=false to"
        " ask only whether a reply answers or refuses."
    )


def usage_of(usage: object) -> ModelUsage | None:
    """Return the tokens as Inspect counts them; None if nothing usable is said: they
    are in no score.
    """
    with suppress(ValueError):
        return usage_in(usage)
    return None
