"""A reply that exists already, as the row of a file has it, and how
its parts are read.
"""

from collections.abc import Mapping
from typing import Annotated, Any, get_args

from inspect_ai.model import ModelUsage, StopReason
from pydantic import AfterValidator, BeforeValidator, Field

from refusalbench_tasks.datasets.fields import (
    RowModel,
    Text,
    Word,
    json_in,
    named,
)
from refusalbench_tasks.replies.ab_probability import stated_probability
from refusalbench_tasks.replies.confidence import Level, level_named
from refusalbench_tasks.solvers.retrieved import passages_in

STOPS: Mapping[str, StopReason] = {
    reason: reason for reason in get_args(StopReason)
} | {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "max_tokens",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
    "safety": "content_filter",
}
"""Why a reply ended, in the words of Inspect and of the common providers."""
_ROUNDED = 1e-3
"""How far above 0 a log-probability may be by rounding."""


def as_question(text: str) -> str:
    """Return a question as questions are compared: whatever its line
    breaks and spaces.
    """
    return " ".join(text.split())


def confidence_in(value: object) -> float | Level:
    """Return a probability (a number from 0 to 1, or text with one or with a
    percentage) or one of the five levels.

    Raises ValueError for anything else.
    """
    stated: float | Level | None = None
    if isinstance(value, str):
        stated = level_named(value) or stated_probability(value)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        stated = float(value) if 0 <= value <= 1 else None
    if stated is None:
        raise ValueError(
            f"expected a number from 0 to 1 or one of {', '.join(Level)}, found"
            f" '{value}'"
        )
    return stated


def usage_in(value: object) -> ModelUsage | None:
    """Return the tokens that a provider counted, None without any.

    Raises ValueError for what are no counts.
    """
    if not isinstance(value, Mapping):
        raise ValueError("expected an object with input_tokens and output_tokens")
    read = value.get("input_tokens") or value.get("prompt_tokens") or 0
    written = value.get("output_tokens") or value.get("completion_tokens") or 0
    if not all(isinstance(number, int) and number >= 0 for number in (read, written)):
        raise ValueError(
            f"expected whole numbers of at least 0, found {read!r} and {written!r}"
        )
    if not read + written:
        return None
    return ModelUsage(
        input_tokens=read,
        output_tokens=written,
        total_tokens=read + written,
    )


def _stop(name: object) -> StopReason:
    reason = STOPS.get(str(name).strip().lower())
    if reason is None:
        raise ValueError(f"unknown reason '{name}'; known: {', '.join(STOPS)}")
    return reason


def _id(value: object) -> str:
    # tables write a column of whole numbers with gaps as 2.0
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool | list | dict) or not str(value).strip():
        raise ValueError(f"expected text, found '{value}'")
    return str(value)


def _letters(value: object) -> object:
    stated = json_in(value)
    if not isinstance(stated, Mapping):
        return stated
    # tables have a blank where a row lacks a letter of another
    return {key: number for key, number in stated.items() if number is not None}


class RecordedReply(RowModel):
    """One reply: whose it is (an id, or the text of a question), and what it says;
    `text` None is no reply.
    """

    id: Annotated[str, BeforeValidator(_id)] = named(
        "id",
        "sample_id",
        default="",
    )
    question: Annotated[Text, AfterValidator(as_question)] = named(
        "question",
        "query",
        default="",
    )
    text: str | None = named(
        "reply",
        "response",
        default=None,
    )
    stop: Annotated[StopReason, BeforeValidator(_stop)] = named(
        "stop_reason",
        "finish_reason",
        default="unknown",
    )
    confidence: Annotated[float | Level | None, BeforeValidator(confidence_in)] = None
    """A probability or a level, as the application states it."""
    logprobs: Annotated[
        dict[str, Annotated[float, Field(le=_ROUNDED)]], BeforeValidator(_letters)
    ] = Field({})
    """Natural log-probabilities of the letters of a question about the reply's truth.
    """
    passages: Annotated[list[dict[str, str]], BeforeValidator(passages_in)] | None = (
        None
    )
    """What the application retrieved for it; None where that is not known."""
    usage: Annotated[
        ModelUsage | None, BeforeValidator(lambda value: usage_in(json_in(value)))
    ] = None
    epoch: int = Field(
        1,
        ge=1,
        le=1000,
    )
    model: Word = ""
    earlier: str = ""
    """The turns of a conversation before it."""
    place: str = ""
    """Where it stands, for error messages."""
    limited: bool = False
    """Whether a limit had stopped the sample; a log alone says so."""
    measured: Mapping[str, Any] = Field({})
    """What the store of a logged sample says of the confidence that its run measured.
    """

    @property
    def name(self) -> str:
        """Return what names the row that it replies to."""
        return self.id or self.question
