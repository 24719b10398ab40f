"""What an application replied to one question, and how it becomes a sample's output."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput, ModelUsage
from inspect_ai.solver import TaskState

from refusalbench_tasks.datasets.item import SETTINGS, question_in
from refusalbench_tasks.own.applications.failed import ApplicationFailed
from refusalbench_tasks.replies.confidence import Level, level_at, split_confidence
from refusalbench_tasks.replies.outside_text import well_formed
from refusalbench_tasks.solvers.recorded_reply import STOPS, confidence_in, usage_in
from refusalbench_tasks.solvers.retrieved import record_retrieved


@dataclass(frozen=True)
class ApplicationReply:
    """A reply; None is what the application does not tell."""

    text: str
    passages: Sequence[str] | None = None
    """What it retrieved itself."""
    confidence: str | float | None = None
    """A level's name, or a number from 0 to 1."""
    stop_reason: str | None = None
    usage: Mapping[str, Any] | None = None
    """Tokens: `input_tokens` and `output_tokens`, or `prompt_tokens` and `completion_tokens`."""


def question_of(state: TaskState) -> str:
    """Return the question of a sample."""
    return question_in(state.metadata, state.input_text)


def passages_of(state: TaskState) -> tuple[str, ...]:
    """Return the passages of a sample's row, or the texts of its sources."""
    own = state.metadata.get("passages")
    sources = state.metadata.get("sources") or ()
    return tuple(own) if own is not None else tuple(source["text"] or source["title"] for source in sources)


def warn_of_codes(state: TaskState) -> None:
    """Warn once if a run expects refusal codes, of which an application knows nothing."""
    if (state.metadata.get(SETTINGS) or {}).get("codes") is True:
        _warn_once()


@cache
def _warn_once() -> None:
    logging.getLogger(__name__).warning(
        "An application knows nothing of refusal codes, and this run expects them: a refusal in plain words gets no "
        "credit for its category. Add -T codes=false to ask only whether a reply answers or refuses."
    )


def take_reply(state: TaskState, reply: ApplicationReply, name: str) -> TaskState:
    """Return the sample with the reply as its output, as a model's would stand there, and its passages recorded.

    A confidence goes on a last line where the run asks for one, as scorers expect it; a level that the text itself
    states stands.
    """
    settings = state.metadata.get(SETTINGS) or {}
    text = well_formed(reply.text)
    asked = settings.get("confidence") and text.strip() and not split_confidence(text).level
    level = level_of(reply.confidence) if asked else None
    text = f"{text}\nCONFIDENCE: {level}" if level else text
    # an application may have reasons of its own; only those that are known say anything
    stop = STOPS.get(str(reply.stop_reason or "stop").strip().lower(), "unknown")
    state.messages = [ChatMessageUser(content=question_of(state))]
    state.output = ModelOutput.from_content(name, text, stop_reason=stop)
    state.output.usage = usage_of(reply.usage)
    state.messages.append(ChatMessageAssistant(content=text, source="generate", model=name))
    if reply.passages is not None:
        record_retrieved(state, reply.passages)
    return state


def level_of(confidence: object) -> Level | None:
    """Return the level of a name, or the one in whose range a number from 0 to 1 lies; None for None.

    Raises ApplicationFailed for anything else.
    """
    if confidence is None:
        return None
    try:
        stated = confidence_in(confidence)
    except ValueError as error:
        raise ApplicationFailed(f"confidence: {error}") from None
    return stated if isinstance(stated, Level) else level_at(stated)


def usage_of(usage: object) -> ModelUsage | None:
    """Return the tokens as Inspect counts them; None if nothing usable is said: they are in no score."""
    try:
        return usage_in(usage)
    except ValueError:
        return None
