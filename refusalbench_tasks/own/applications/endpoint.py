"""An application's endpoint: what is sent to it, and where its reply stands."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlsplit

from pydantic import Field

from refusalbench_tasks.arguments import Count, Text, require
from refusalbench_tasks.bounded_reading import file_at, json_value, read_text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.applications.client import Client
from refusalbench_tasks.own.applications.headers import headers_from
from refusalbench_tasks.own.applications.reply import (
    ApplicationFailed,
    ApplicationReply,
)
from refusalbench_tasks.own.applications.reply_paths import ReplyPaths, passages_path

Seconds = Annotated[float, Field(gt=0, strict=True)]
_PARTS = ("reply", "stop_reason", "usage")
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_SLOTS = ("query", "passages")
_SECRET = re.compile(
    r"(?:^|[_-])(?:api|access|auth)?(?:key|token|secret|password|signature|sig)$",
    re.IGNORECASE,
)
"""Names of parameters of an address that hold secrets."""


@dataclass(frozen=True)
class Endpoint:
    """How an application is asked, and where its reply stands."""

    client: Client
    request: Any
    """JSON in whose texts the slots `{{query}}` and `{{passages}}` stand."""
    paths: ReplyPaths

    async def ask(self, query: str, passages: Sequence[str]) -> ApplicationReply:
        """Return the application's reply.

        Raises ApplicationFailed if there is none that can be read.
        """
        body, seconds = await self.client.post(filled(self.request, query, passages))
        reply = self._read(body)
        # what JSON's escapes hid is seen once it is read
        hide = self.client.headers.hide
        shown = (
            None
            if reply.passages is None
            else [hide(passage) for passage in reply.passages]
        )
        return replace(reply, text=hide(reply.text), passages=shown, seconds=seconds)

    def _read(self, body: str) -> ApplicationReply:
        try:
            document = json.loads(body)
        except (ValueError, RecursionError):
            raise ApplicationFailed("the application's reply is not JSON") from None
        return self.paths.read(document)


def endpoint_of(given: Mapping[str, Any]) -> Endpoint:
    """Return the endpoint of the arguments of the solver `endpoint`.

    Raises DataError for a bad one.
    """
    require(Count, max_connections=given["max_connections"], attempts=given["attempts"])
    require(Seconds, timeout=given["timeout"], backoff=given["backoff"])
    require(Text, name=given["name"])
    paths = ReplyPaths(
        **{name: given[name] for name in _PARTS},
        passages=passages_path(given["passages"]),
    )
    headers = headers_from(given["headers"], os.environ)
    address = checked_address(given["url"])
    limits = {
        name: given[name]
        for name in ("timeout", "attempts", "backoff", "max_connections")
    }
    return Endpoint(
        Client(address, headers, **limits), request_template(given["request"]), paths
    )


def checked_address(url: object) -> str:
    """Return the address of an application.

    Raises DataError for what is none, and for one that holds a secret.
    """
    try:
        parts = urlsplit(url if isinstance(url, str) else "")
        is_http = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.port != 0
        )
    except ValueError:
        is_http = False
    if not is_http:
        raise DataError("url: expected an address such as http://localhost:8000/ask")
    if parts.username or parts.password:
        raise DataError(
            "url: a password does not belong in an address, which logs keep; use"
            " headers="
        )
    secret = next(
        (name for name, _ in parse_qsl(parts.query) if _SECRET.search(name)), None
    )
    if secret:
        raise DataError(
            f"url: '{secret}' looks like a secret, and logs keep addresses; use"
            " headers="
        )
    return str(url)


def request_template(given: Any) -> Any:
    """Return the template of an argument: a JSON object, one as text, or the path of a
    file with one.

    Raises DataError for what is no JSON, for an unknown slot, and without the slot
    `{{query}}`.
    """
    value = given
    if isinstance(given, str) and given.lstrip().startswith(("{", "[")):
        value = json_value(given, "request")
    elif isinstance(given, str):
        value = json_value(
            read_text(file_at(given, "request"), f"request: '{given}'"),
            f"request: '{given}'",
        )
    if not isinstance(value, dict | list):
        raise DataError(
            'request: expected a JSON object with a slot, such as {"question":'
            ' "{{query}}"}'
        )
    slots = {slot for text in _texts(value) for slot in _SLOT.findall(text)}
    if unknown := slots - set(_SLOTS):
        raise DataError(
            f"request: unknown slot '{min(unknown)}'; known: {', '.join(_SLOTS)}"
        )
    if "query" not in slots:
        raise DataError(
            "request: no text in it has the slot {{query}}, so no question would be"
            " sent"
        )
    return value


def filled(template: Any, query: str, passages: Sequence[str]) -> Any:
    """Return the request of one row.

    Only texts are changed, each in one pass, so outside text can neither reach another
    slot nor break the JSON. A text that is `{{passages}}` and nothing else becomes the
    list of them; within a text they stand with a blank line between.
    """
    texts = {"query": query, "passages": "\n\n".join(passages)}

    def fill(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: fill(entry) for key, entry in value.items()}
        if isinstance(value, list):
            return [fill(entry) for entry in value]
        if value == "{{passages}}":
            return list(passages)
        return (
            _SLOT.sub(lambda slot: texts[slot[1]], value)
            if isinstance(value, str)
            else value
        )

    return fill(template)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        return []
    return [text for part in value for text in _texts(part)]
