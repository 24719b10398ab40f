"""An application's endpoint: what is sent to it, and where its reply stands."""

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlsplit

from inspect_ai.util import store
from pydantic import Field

from refusalbench_tasks.arguments import Arguments, Count, Text
from refusalbench_tasks.bounded_reading import file_at, json_value, read_text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.solvers.retrieved import SEARCH_ADDRESS

from .client import Client, headers_from
from .reply import ApplicationFailed, ApplicationReply
from .reply_paths import ReplyPaths, passages_path

Seconds = Annotated[float, Field(gt=0, strict=True)]
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_SLOTS = ("query", "passages", "search")
_SECRET = re.compile(
    r"(?:^|[_-])(?:api|access|auth)?(?:key|token|secret|password|signature|sig)$",
    re.IGNORECASE,
)
"""Names of parameters of an address that hold secrets."""


class EndpointSettings(Arguments):
    """The arguments of the solver `endpoint`."""

    # what reads an argument of any kind says what it may be
    url: Any = Field(description="the address of the application")
    """The address of the application."""
    request: Any = Field(
        description="the JSON to send, with the slot {{query}} in a text of it"
    )
    """The JSON to send, or a file with it; in its texts `{{query}}` and, if wanted,
    `{{passages}}`, and `{{search}}` in runs of `search` with `mcp`.
    """
    reply: Any = Field(description="where the text stands in the reply, as in $.answer")
    """Where in the JSON reply its text stands (JSONPath)."""
    passages: Any = None
    """`reply:PATH`, where the passages stand that the application itself retrieved; the
    judge then sees these, and retrieval is measured.
    """
    passage: dict[str, str] = Field(default_factory=dict)
    """Where within a passage that is an object its `text`, `source` or `valid_until`
    stands, if by another name.
    """
    headers: Any = None
    """`NAME:VARIABLE` entries: headers whose values stand in environment variables."""
    stop_reason: Any = None
    """Where the reason stands for which the reply ended."""
    usage: Any = None
    """Where the numbers of tokens stand."""
    timeout: Seconds = 120
    """Seconds of one attempt."""
    attempts: Count = 5
    """How often a call is tried that gets 429, 5xx, no connection or no reply in time.
    """
    backoff: Seconds = 1
    """Seconds before the second attempt, doubled for each further one."""
    max_connections: Count = 10
    """How many calls run at once."""
    name: Text | None = None
    """What the application is called in tables and reports."""


class Endpoint:
    """How an application is asked, and where its reply stands.

    Raises DataError for an address, a path, a header or a request that cannot be used.
    """

    def __init__(self, settings: EndpointSettings) -> None:
        self.paths = ReplyPaths(
            reply=settings.reply,
            stop_reason=settings.stop_reason,
            usage=settings.usage,
            passages=passages_path(settings.passages),
            within=settings.passage,
        )
        self.client = Client(
            checked_address(settings.url),
            headers_from(settings.headers, os.environ),
            timeout=settings.timeout,
            attempts=settings.attempts,
            backoff=settings.backoff,
            max_connections=settings.max_connections,
        )
        self.request = request_template(settings.request)
        self.name = self.client.name

    async def ask(self, query: str, passages: Sequence[str]) -> ApplicationReply:
        """Return the application's reply.

        Raises ApplicationFailed if there is none that can be read.
        """
        body = await self.client.post(filled_request(self.request, query, passages))
        # what JSON's escapes hid is seen once it is read
        hide = self.client.headers.hide
        try:
            reply = self.paths.read(body.documents())
        except ApplicationFailed as error:
            raise ApplicationFailed(hide(str(error))) from None
        return replace(
            reply,
            text=hide(reply.text),
            passages=json.loads(hide(json.dumps(reply.passages))),
            seconds=body.seconds,
        )


def checked_address(url: object) -> str:
    """Return the address of an application.

    Raises DataError for what is none, and for one that holds a secret.
    """
    try:
        parts = urlsplit(str(url))
        usable = (
            parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        )
    except ValueError:
        usable = False
    if not usable:
        raise DataError("url: expected an address such as http://localhost:8000/ask")
    if parts.username or parts.password:
        raise DataError(
            "url: a password does not belong in an address, which logs keep; use"
            " headers="
        )
    for name, _ in parse_qsl(parts.query):
        if _SECRET.search(name):
            raise DataError(
                f"url: '{name}' looks like a secret, and logs keep addresses; use"
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
        about = f"request: '{given}'"
        value = json_value(read_text(file_at(given, "request"), about), about)
    if not isinstance(value, dict | list):
        raise DataError(
            'request: expected a JSON object with a slot, such as {"question":'
            ' "{{query}}"}'
        )
    slots = set[str]()
    _with_texts(value, lambda text: slots.update(_SLOT.findall(text)))
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


def filled_request(template: Any, query: str, passages: Sequence[str]) -> Any:
    """Return the request of one row.

    Only texts are changed, each in one pass, so outside text can neither reach another
    slot nor break the JSON. A text that is `{{passages}}` and nothing else becomes the
    list of them; within a text they stand with a blank line between. `{{search}}` is
    the address at which the sample's corpus is searched. Raises DataError where it
    can't be.
    """
    texts = {
        "query": query,
        "passages": "\n\n".join(passages),
        "search": store().get(SEARCH_ADDRESS, ""),
    }

    def fill(text: str) -> str | list[str]:
        if text == "{{passages}}":
            return list(passages)
        if "{{search}}" in text and not texts["search"]:
            raise DataError(
                "request: {{search}} has an address in runs of `search` with -T"
                " mcp=true alone"
            )
        return _SLOT.sub(lambda slot: texts[slot[1]], text)

    return _with_texts(template, fill)


def _with_texts(value: Any, change: Callable[[str], object]) -> Any:
    """Return JSON with each text in it, keys aside, as a function has it."""
    if isinstance(value, dict):
        return {key: _with_texts(entry, change) for key, entry in value.items()}
    if isinstance(value, list):
        return [_with_texts(entry, change) for entry in value]
    return change(value) if isinstance(value, str) else value
