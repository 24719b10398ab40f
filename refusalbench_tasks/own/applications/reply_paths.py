"""Where in an application's JSON reply its parts stand: JSONPath
(RFC 9535) for each.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.applications.reply import (
    ApplicationFailed,
    ApplicationReply,
    quoted,
)

FROM_REPLY = "reply:"


@dataclass(frozen=True)
class ReplyPaths:
    """The paths of a reply's parts; None for what is not asked for.

    Raises DataError for one that is no path.
    """

    reply: str
    passages: str | None = None
    stop_reason: str | None = None
    usage: str | None = None

    def __post_init__(self) -> None:
        for name, path in vars(self).items():
            if path is not None or name == "reply":
                _compiled(name, path)

    def read(self, document: object) -> ApplicationReply:
        """Return what a JSON document says.

        Raises ApplicationFailed if the reply is not in it, and if it says that there
        was an error.
        """
        values = _find("reply", self.reply, document)
        if not all(value is None or isinstance(value, str) for value in values):
            raise ApplicationFailed(f"reply: what '{self.reply}' finds is no text")
        if isinstance(document, Mapping) and document.get("error") and not any(values):
            raise ApplicationFailed(
                f"the application tells an error{quoted(json.dumps(document['error']))}"
            )
        if not values:
            raise ApplicationFailed(
                f"reply: the path '{self.reply}' finds nothing in the application's"
                " reply"
            )
        stop = self._last("stop_reason", document)
        if str(stop).strip().lower() == "error":
            raise ApplicationFailed(
                "the application says that its reply ended with an error (at"
                f" {self.stop_reason})"
            )
        return ApplicationReply(
            text="".join(value or "" for value in values),
            passages=self._passages(document),
            stop_reason=stop,
            usage=self._last("usage", document),
        )

    def _passages(self, document: object) -> list[str] | None:
        if self.passages is None:
            return None
        whole, wildcard, _ = self.passages.partition("[*]")
        values = _find("passages", self.passages, document)
        if not values and not (wildcard and [] in _find("passages", whole, document)):
            # nothing found by a wrong path must not look like nothing retrieved
            raise ApplicationFailed(
                f"passages: the path '{self.passages}' finds nothing in the"
                " application's reply"
            )
        texts = []
        for value in values:
            texts += value if isinstance(value, list) else [value]
        texts = [text for text in texts if text is not None]
        if not all(isinstance(text, str) for text in texts):
            raise ApplicationFailed(
                f"passages: what '{self.passages}' finds are no texts; lead the path to"
                " them, as in [*].text"
            )
        return texts

    def _last(self, name: str, document: object) -> Any:
        path = getattr(self, name)
        if not path:
            return None
        values = [value for value in _find(name, path, document) if value is not None]
        return values[-1] if values else None


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


def _compiled(name: str, path: object) -> Any:
    try:
        # of python-jsonpath; the linter knows the names of installed libraries alone
        import jsonpath  # inspect-evals-lint: ignore[IECQ004]
    except ImportError as error:
        raise DataError(
            f"endpoint: needs {error.name}; pip install 'refusalbench-tasks[endpoint]'"
        ) from None
    if not isinstance(path, str) or not path.strip():
        raise DataError(f"{name}: expected a JSONPath, such as $.answer; got {path!r}")
    try:
        return jsonpath.compile(path)
    except jsonpath.JSONPathError as error:
        raise DataError(f"{name}: '{path}' is no JSONPath ({error})") from None


def _find(name: str, path: str, document: object) -> list[Any]:
    if not isinstance(document, Mapping | list):
        return []
    values: list[Any] = _compiled(name, path).findall(document)
    return values
