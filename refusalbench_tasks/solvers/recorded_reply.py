"""A reply that exists already, as a file or a log has it, and how its parts are read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from refusalbench_tasks.replies.confidence import Level, level_named
from refusalbench_tasks.replies.letters import stated_probability

Stop = Literal["stop", "max_tokens", "model_length", "tool_calls", "content_filter", "unknown"]
_WORDS: Mapping[Stop, tuple[str, ...]] = {
    "stop": ("end_turn", "stop_sequence", "eos"),
    "max_tokens": ("length",),
    "model_length": ("model_context_window_exceeded",),
    "tool_calls": ("tool_use", "function_call"),
    "content_filter": ("refusal", "safety"),
    "unknown": (),
}
STOPS: Mapping[str, Stop] = {word: stop for stop, words in _WORDS.items() for word in (stop, *words)}
"""Why a reply ended, in the words of Inspect and of the common providers."""
USAGE: Mapping[str, tuple[str, ...]] = {
    "input_tokens": ("input_tokens", "prompt_tokens"),
    "output_tokens": ("output_tokens", "completion_tokens"),
    "total_tokens": ("total_tokens",),
}
"""Counts of tokens, and the names that they have at the common providers."""
_ROUNDED = 1e-3
"""How far above 0 a log-probability may be by rounding."""
Alternatives = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Reply:
    """One reply: whose it is (an id, or the text of a question), and what it says; `text` None is no reply."""

    place: str
    """Where it stands, for error messages."""
    text: str | None
    id: str = ""
    question: str = ""
    epoch: int = 1
    stop: Stop = "unknown"
    confidence: float | Level | None = None
    """A probability or a level, as the application states it."""
    alternatives: Alternatives = ()
    """Log-probabilities of the letters of a question about the reply's truth."""
    passages: tuple[str, ...] | None = None
    """What the application retrieved for it; None where that is not known."""
    usage: Mapping[str, int] = field(default_factory=dict)
    model: str = ""
    measured: Mapping[str, Any] | None = None
    """The confidence that the run of a log measured, with all that was noted about it."""

    @property
    def name(self) -> str:
        """Return what names the row that it replies to."""
        return self.id or self.question


def stop_named(name: object) -> Stop:
    """Return why a reply ended. Raises ValueError for a reason that is none."""
    if str(name).strip().lower() not in STOPS:
        raise ValueError(f"unknown reason '{name}'; known: {', '.join(STOPS)}")
    return STOPS[str(name).strip().lower()]


def confidence_in(value: object) -> float | Level:
    """Return a probability (a number from 0 to 1, or text with one or with a percentage) or one of the five levels.

    Raises ValueError for anything else.
    """
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    if isinstance(value, str):
        said = level_named(value) or stated_probability(value)
        if said is not None:
            return said
    raise ValueError(f"expected a number from 0 to 1 or one of {', '.join(Level)}, found '{value}'")


def alternatives_in(value: object) -> Alternatives:
    """Return a token's alternatives with their natural log-probabilities.

    They come as an object of numbers, or as a list of pairs or of objects with `token` and `logprob`. The tokens of a
    whole reply (an object with `content`, or a list whose objects have `top_logprobs`) are none. Raises ValueError for
    anything else.
    """
    if isinstance(value, Mapping):
        if "content" in value and not isinstance(value["content"], int | float):
            return ()
        return tuple((str(token), _logprob(number)) for token, number in value.items() if number is not None)
    if not isinstance(value, list | tuple):
        raise ValueError("expected the alternatives of a token with their log-probabilities, as an object")
    if any(isinstance(one, Mapping) and one.get("top_logprobs") for one in value):
        return ()
    return tuple(_pair(one) for one in value)


def usage_in(value: object) -> dict[str, int]:
    """Return the counts of tokens among what a provider says of its use. Raises ValueError for what is no object."""
    if not isinstance(value, Mapping):
        raise ValueError("expected an object with input_tokens and output_tokens")
    found: dict[str, int] = {}
    for name, names in USAGE.items():
        number = next((value[one] for one in names if value.get(one) is not None), None)
        if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 0):
            raise ValueError(f"{name}: expected a whole number of at least 0, found '{number}'")
        if number is not None:
            found[name] = number
    return found


def _pair(one: object) -> tuple[str, float]:
    if isinstance(one, Mapping) and {"token", "logprob"} <= set(one):
        return str(one["token"]), _logprob(one["logprob"])
    if isinstance(one, list | tuple) and len(one) == 2:
        return str(one[0]), _logprob(one[1])
    raise ValueError("expected pairs of a token and its log-probability")


def _logprob(number: object) -> float:
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise ValueError(f"expected a log-probability, found '{number}'")
    if number > _ROUNDED:
        raise ValueError(f"expected a log-probability, which is at most 0, found '{number}'; is it a probability?")
    return float(number)
