"""The body of an application's reply: one JSON document, or the events of a stream."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .reply import ApplicationFailed

Arrived = tuple[object, float]
"""A JSON document, and the seconds after which it was there."""
END = "[DONE]"
"""What closes a stream of OpenAI's form; it is no document."""


@dataclass(frozen=True)
class Body:
    """The lines of a reply, each with the seconds after which it was there."""

    lines: Sequence[tuple[str, float]]

    @property
    def text(self) -> str:
        """Return the whole."""
        return "\n".join(line for line, _ in self.lines)

    @property
    def seconds(self) -> float:
        """Return when the last line was there."""
        return self.lines[-1][1]

    def documents(self) -> list[Arrived]:
        """Return the one document that it is, or those of server-sent events or of a
        document a line.

        An event of the type `error` is read as `{"error": …}`. Raises ApplicationFailed
        for anything else.
        """
        try:
            return [(json.loads(self.text), self.seconds)]
        except (ValueError, RecursionError):
            pass
        try:
            return list(self._events())
        except (ValueError, RecursionError):
            raise ApplicationFailed("the application's reply is not JSON") from None

    def _events(self) -> Iterator[Arrived]:
        data = ""
        is_error = False
        # the last event may lack the empty line that ends one
        for line, seconds in [*self.lines, ("", self.seconds)]:
            field, _, value = line.partition(":")
            if field == "data":
                data += f"{value}\n"
            elif field == "event":
                is_error = value.strip() == "error"
            elif line.startswith("{"):
                yield json.loads(line), seconds
            elif not line.strip():
                text = data.strip()
                if text and text != END:
                    yield {"error": text} if is_error else json.loads(text), seconds
                data = ""
                is_error = False
            elif field not in ("", "id", "retry"):
                raise ValueError
