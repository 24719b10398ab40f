"""What an application replied to one question, and how it becomes a sample's output."""

import logging
from collections.abc import Iterable, Mapping, Sequence
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

_REPLY = ("reply", "answer", "response", "output", "result", "content", "text")
_PASSAGES = ("passages", "contexts", "context", "documents", "source_documents", "source_nodes")
_TEXT = ("page_content", "text", "content")


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


def reply_of_object(value: Any) -> ApplicationReply:
    """Return the reply that a value is, or holds under a usual name, as a key or an attribute.

    A text is the reply. Else it stands in the first of `reply`, `answer`, `response`, `output`, `result`, `content`,
    `text` that there is; what was retrieved in `passages`, `contexts`, `context`, `documents`, `source_documents`,
    `source_nodes`, as texts or as documents with a `page_content` or `text`; and the rest in `confidence`,
    `stop_reason`, `usage`. None as a reply is an empty one, and a message's blocks are joined. Raises ApplicationFailed
    if no reply is found.
    """
    if isinstance(value, str):
        return ApplicationReply(value)
    found, reply = _first(value, _REPLY)
    if not found:
        raise ApplicationFailed(
            f"the function returned a {type(value).__name__} without a reply; return text, or an object with 'reply'"
        )
    # a chain may hold a message, whose text is its content
    inner = ApplicationReply("") if reply is None else reply_of_object(_joined(reply))
    retrieved = _passages(_first(value, _PASSAGES)[1])
    return ApplicationReply(
        text=inner.text,
        passages=inner.passages if retrieved is None else retrieved,
        confidence=_first(value, ("confidence",))[1],
        stop_reason=_first(value, ("stop_reason",))[1],
        usage=_first(value, ("usage", "usage_metadata"))[1] or inner.usage,
    )


def _joined(content: Any) -> Any:
    """Return the text of a message's content that comes in blocks (those of thoughts and tools say none of it)."""
    if not isinstance(content, list | tuple):
        return content
    texts = [_first(one, ("text",))[1] if isinstance(one, Mapping) else one for one in content]
    found = [text for text in texts if isinstance(text, str)]
    return "".join(found) if found else content


def _first(value: Any, names: Iterable[str]) -> tuple[bool, Any]:
    for name in names:
        if isinstance(value, Mapping):
            if name in value:
                return True, value[name]
        elif hasattr(value, name) and not callable(getattr(value, name)):
            return True, getattr(value, name)
    return False, None


def _passages(value: Any) -> list[str] | None:
    if value is None:
        return None
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise ApplicationFailed("passages: the function returned something else than a list of texts or documents")
    texts = [entry if isinstance(entry, str) else _first(entry, _TEXT)[1] for entry in value]
    if not all(isinstance(text, str) for text in texts):
        raise ApplicationFailed("passages: an entry has no text; give texts, or documents with one")
    return texts
