"""What the server answers: a reply, or a fault."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from tests.provider.call import Call

Alternatives = tuple[tuple[str, float], ...]


class Fault(StrEnum):
    """Ways to fail."""

    RATE_LIMIT = "429 with retry-after"
    SERVER_ERROR = "500"
    DROP = "connection closed without a response"
    MALFORMED = "a body that is not JSON"
    EMPTY = "empty content"
    FILTERED = "content-filter stop"
    TRUNCATED = "cut off by the token limit"


@dataclass(frozen=True)
class Reply:
    """A reply. `arguments` makes it a call of the request's first tool.

    `logprobs` holds the top alternatives of each token, the emitted one first, sent
    only where the protocol has log-probabilities and the request asked for them.
    """

    text: str = ""
    arguments: Mapping[str, Any] | None = None
    stop: Literal["stop", "length", "filter"] = "stop"
    logprobs: tuple[Alternatives, ...] = ()


Script = Callable[[Call], Reply | Fault | str]

WORDS = {
    Fault.EMPTY: Reply(""),
    Fault.FILTERED: Reply("", stop="filter"),
    Fault.TRUNCATED: Reply("The answ", stop="length"),
}


def faulty(
    script: Script,
    share: float,
    kinds: tuple[Fault, ...] = tuple(Fault),
    persistent: bool = False,
) -> Script:
    """Return the script with a share of the requests failing, chosen by their text, not
    by their order.

    Only the first attempt of a request fails, or every one if `persistent`.
    """

    def choose(call: Call) -> Reply | Fault | str:
        if call.digest % 10_000 < share * 10_000 and (persistent or call.attempt == 0):
            return kinds[call.digest // 10_000 % len(kinds)]
        return script(call)

    return choose
