"""Where in an application's JSON reply its parts stand: a JSONPath for each."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.json_paths import checked_path, values_at

from .body import Arrived
from .reply import ApplicationFailed, ApplicationReply, quoted

FROM_REPLY = "reply:"


@dataclass(frozen=True)
class ReplyPaths:
    """The paths of a reply's parts; None for what is not asked for.

    Raises DataError for one that is no path.
    """

    reply: str
    passages: str | None
    stop_reason: str | None
    usage: str | None
    within: Mapping[str, str]
    """Where a passage that is an object has its parts."""

    def __post_init__(self) -> None:
        for name, path in {**vars(self), **self.within, "within": None}.items():
            if path is not None or name == "reply":
                checked_path(name, path)

    def read(self, arrived: Sequence[Arrived]) -> ApplicationReply:
        """Return what a JSON document says, or the events of a stream, whose texts are
        joined; each came with the seconds after which it was there.

        Raises ApplicationFailed if the reply is not in it, and if it says that there
        was an error.
        """
        values = []
        first = None
        for document, seconds in arrived:
            texts = values_at("reply", self.reply, document)
            if isinstance(document, Mapping) and _is_error(document, any(texts)):
                told = document.get("error") or document
                error = json.dumps(told, ensure_ascii=False)
                raise ApplicationFailed(
                    f"the application tells an error{quoted(error)}"
                )
            if any(texts):
                first = first or seconds
            values += texts
        if not all(value is None or isinstance(value, str) for value in values):
            raise ApplicationFailed(f"reply: what '{self.reply}' finds is no text")
        if not values:
            raise ApplicationFailed(
                f"reply: the path '{self.reply}' finds nothing in the application's"
                " reply"
            )
        documents = [document for document, _ in arrived]
        stop = self._last("stop_reason", documents)
        if str(stop).strip().lower() == "error":
            raise ApplicationFailed(
                "the application says that its reply ended with an error (at"
                f" {self.stop_reason})"
            )
        return ApplicationReply(
            text="".join(value or "" for value in values),
            passages=self._passages(documents),
            stop_reason=stop,
            usage=self._last("usage", documents),
            first_token=first if len(documents) > 1 else None,
        )

    def _passages(self, documents: Sequence[object]) -> list[Any] | None:
        if self.passages is None:
            return None
        whole, _, _ = self.passages.partition("[*]")
        values = values_at("passages", self.passages, *documents)
        if not values and [] not in values_at("passages", whole, *documents):
            # nothing found by a wrong path must not look like nothing retrieved
            raise ApplicationFailed(
                f"passages: the path '{self.passages}' finds nothing in the"
                " application's reply"
            )
        passages = []
        for value in values:
            passages += value if isinstance(value, list) else [value]
        stated = [passage for passage in passages if passage is not None]
        for name, path in self.within.items():
            for passage in stated:
                for part in values_at(name, path, passage):
                    passage[name] = part
        return stated

    def _last(self, name: str, documents: Sequence[object]) -> Any:
        path = getattr(self, name)
        if not path:
            return None
        values = values_at(name, path, *documents)
        stated = [value for value in values if value is not None]
        return stated[-1] if stated else None


def _is_error(document: Mapping[str, Any], has_text: bool) -> bool:
    """Return whether a document says so; beside a reply `error` may be a state."""
    states_error = bool(document.get("error")) and not has_text
    return states_error or document.get("type") == "error"


def passages_path(given: str | None) -> str | None:
    """Return the path in `reply:PATH`; None for None.

    Raises DataError for anything else.
    """
    if given is None:
        return None
    if not isinstance(given, str) or not given.startswith(FROM_REPLY):
        raise DataError(
            f"passages: expected {FROM_REPLY}PATH, such as"
            f" {FROM_REPLY}$.sources[*].text; got '{given}'"
        )
    return given.removeprefix(FROM_REPLY)
