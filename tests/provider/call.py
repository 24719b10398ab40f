"""What a request asked for, whichever protocol it came by."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

Wire = Literal["openai", "anthropic"]


@dataclass(frozen=True)
class Call:
    """One received request. `attempt` counts earlier requests with the same body."""

    wire: Wire
    model: str
    text: str
    """The text of the last message."""
    tools: tuple[str, ...]
    wants_logprobs: bool
    body: Mapping[str, Any]
    index: int
    attempt: int

    @property
    def digest(self) -> int:
        """A number that depends on the model and the text only."""
        return int.from_bytes(
            sha256(f"{self.model}\x1f{self.text}".encode()).digest()[:8], "big"
        )


def read_call(wire: Wire, body: Mapping[str, Any], index: int, attempt: int) -> Call:
    """Return the call that a request body describes."""
    tools = [
        tool.get("function", tool).get("name", "") for tool in body.get("tools") or []
    ]
    messages = body.get("messages") or []
    text = _text(messages[-1]["content"]) if messages else ""
    return Call(
        wire,
        str(body.get("model")),
        text,
        tuple(tools),
        bool(body.get("logprobs")),
        body,
        index,
        attempt,
    )


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    return (
        "\n".join(
            str(part.get("text", "")) for part in content if isinstance(part, dict)
        )
        if isinstance(content, list)
        else ""
    )
