"""What an application replied to one question, and how it becomes a sample's output."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput, ModelUsage, StopReason
from inspect_ai.solver import TaskState

from refusalbench_tasks.applications.failed import ApplicationFailed
from refusalbench_tasks.applications.retrieved import record_retrieved
from refusalbench_tasks.datasets.item import SETTINGS
from refusalbench_tasks.replies.confidence import MIDPOINTS, Level
from refusalbench_tasks.replies.outside_text import well_formed

_STOPS: Mapping[str, StopReason] = {
    "stop": "stop", "end_turn": "stop", "stop_sequence": "stop", "complete": "stop", "completed": "stop",
    "length": "max_tokens", "max_tokens": "max_tokens", "model_length": "model_length",
    "content_filter": "content_filter", "refusal": "content_filter", "safety": "content_filter",
}  # fmt: skip


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
    return state.input_text


def passages_of(state: TaskState) -> tuple[str, ...]:
    """Return the passages of a sample's row, or the texts of its sources."""
    own = state.metadata.get("passages")
    sources = state.metadata.get("sources") or ()
    return tuple(own) if own is not None else tuple(source["text"] or source["title"] for source in sources)


def take_reply(state: TaskState, reply: ApplicationReply, name: str) -> TaskState:
    """Return the sample with the reply as its output, as a model's would stand there, and its passages recorded.

    A confidence goes on a last line where the run asks for one, as scorers expect it.
    """
    settings = state.metadata.get(SETTINGS) or {}
    level = level_of(reply.confidence) if settings.get("confidence") else None
    said = well_formed(reply.text)
    text = f"{said}\nCONFIDENCE: {level}" if level else said
    stop = _STOPS.get(str(reply.stop_reason or "stop").lower(), "unknown")
    state.messages = [ChatMessageUser(content=question_of(state))]
    state.output = ModelOutput.from_content(name, text, stop_reason=stop)
    state.output.usage = usage_of(reply.usage)
    state.messages.append(ChatMessageAssistant(content=text, source="generate", model=name))
    if reply.passages is not None:
        record_retrieved(state, reply.passages)
    return state


def level_of(confidence: str | float | None) -> Level | None:
    """Return the level of a name, or the one whose midpoint is nearest to a number from 0 to 1; None for None.

    Raises ApplicationFailed for anything else.
    """
    if confidence is None:
        return None
    if isinstance(confidence, str) and confidence.strip().upper() in set(Level):
        return Level(confidence.strip().upper())
    if isinstance(confidence, int | float) and not isinstance(confidence, bool) and 0 <= confidence <= 1:
        return min(MIDPOINTS, key=lambda level: abs(MIDPOINTS[level] - confidence))
    raise ApplicationFailed(f"confidence: expected a number from 0 to 1 or one of {', '.join(Level)}")


def usage_of(usage: Mapping[str, Any] | None) -> ModelUsage | None:
    """Return the tokens as Inspect counts them; None if nothing usable is said."""
    if not isinstance(usage, Mapping):
        return None
    counts = [
        next((usage[name] for name in names if isinstance(usage.get(name), int)), None)
        for names in (("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens"))
    ]
    if counts == [None, None]:
        return None
    tokens_in, tokens_out = (count or 0 for count in counts)
    return ModelUsage(input_tokens=tokens_in, output_tokens=tokens_out, total_tokens=tokens_in + tokens_out)
