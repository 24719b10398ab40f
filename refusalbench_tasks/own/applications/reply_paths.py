"""Where in an application's JSON reply its parts stand: JSONPath (RFC 9535) for each."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.applications.application_reply import ApplicationReply
from refusalbench_tasks.own.applications.failed import ApplicationFailed, library, said

FROM_REPLY = "reply:"


@dataclass(frozen=True)
class ReplyPaths:
    """The paths of a reply's parts; None for what is not asked for."""

    reply: str
    passages: str | None = None
    stop_reason: str | None = None
    usage: str | None = None
    confidence: str | None = None

    def check(self) -> None:
        """Raise DataError if a path is none."""
        for name, path in vars(self).items():
            if path is not None:
                _compiled(name, path)

    def read(self, body: object) -> ApplicationReply:
        """Return what one JSON document says. Raises ApplicationFailed if the reply is not where it should be."""
        return self.read_parts([body], "")

    def read_parts(self, events: Iterable[object], joined: str = "") -> ApplicationReply:
        """Return what a sequence of JSON documents says, whose texts are put together.

        The other parts are those of the last document that has them. Raises ApplicationFailed if the reply is in none
        of them, and if one says that there was an error: what came of a reply before is none.
        """
        every = list(events)
        found = [self._texts(event) for event in every]
        for event, own in zip(every, found, strict=True):
            if isinstance(event, Mapping) and event.get("error") and not any(own):
                raise ApplicationFailed(f"the application tells an error{said(json.dumps(event['error']))}")
        texts = [text for own in found for text in own]
        if not texts:
            where = "no event of the stream" if len(every) != 1 else "the application's reply"
            raise ApplicationFailed(f"reply: the path '{self.reply}' finds nothing in {where}")
        stop = self._last("stop_reason", every)
        if str(stop).strip().lower() == "error":
            raise ApplicationFailed(f"the application says that its reply ended with an error (at {self.stop_reason})")
        return ApplicationReply(
            text=joined.join(texts),
            passages=self._passages(every),
            confidence=self._last("confidence", every),
            stop_reason=stop,
            usage=self._last("usage", every),
        )

    def _texts(self, event: object) -> list[str]:
        found = _find("reply", self.reply, event)
        if not all(value is None or isinstance(value, str) for value in found):
            raise ApplicationFailed(f"reply: what '{self.reply}' finds is no text")
        return [value or "" for value in found]

    def _passages(self, events: list[object]) -> list[str] | None:
        if self.passages is None:
            return None
        for event in reversed(events):
            values = _find("passages", self.passages, event)
            if values or self._is_empty_list(event):
                return _flat(self.passages, values)
        # nothing found by a wrong path must not look like nothing retrieved
        raise ApplicationFailed(f"passages: the path '{self.passages}' finds nothing in the application's reply")

    def _is_empty_list(self, event: object) -> bool:
        whole, wildcard, _ = (self.passages or "").partition("[*]")
        return bool(wildcard) and [] in _find("passages", whole, event)

    def _last(self, name: str, events: list[object]) -> Any:
        path = getattr(self, name)
        found = [value for event in events for value in (_find(name, path, event) if path else []) if value is not None]
        return found[-1] if found else None


def passages_path(given: str | None) -> str | None:
    """Return the path in `reply:PATH`; None for None. Raises DataError for anything else."""
    if given is None:
        return None
    if not isinstance(given, str) or not given.startswith(FROM_REPLY):
        raise DataError(f"passages: expected {FROM_REPLY}PATH, such as {FROM_REPLY}$.sources[*].text; got '{given}'")
    return given.removeprefix(FROM_REPLY)


def _compiled(name: str, path: object) -> Any:
    jsonpath = library("jsonpath")
    if not isinstance(path, str) or not path.strip():
        raise DataError(f"{name}: expected a JSONPath, such as $.answer; got {path!r}")
    try:
        return jsonpath.compile(path)
    except jsonpath.JSONPathError as error:
        raise DataError(f"{name}: '{path}' is no JSONPath ({error})") from None


def _find(name: str, path: str, body: object) -> list[Any]:
    if not isinstance(body, Mapping | list):
        return []
    found: list[Any] = _compiled(name, path).findall(body)
    return found


def _flat(path: str, values: list[Any]) -> list[str]:
    flat = [entry for value in values for entry in (value if isinstance(value, list) else [value])]
    if not all(isinstance(entry, str) for entry in flat if entry is not None):
        raise ApplicationFailed(f"passages: what '{path}' finds are no texts; lead the path to them, as in [*].text")
    return [entry for entry in flat if entry is not None]
