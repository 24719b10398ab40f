"""An application's endpoint: what is sent to it, and where its reply stands."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from refusalbench_tasks.arguments import Count, Text, require
from refusalbench_tasks.bounded_reading import file_at, json_value, read_text
from refusalbench_tasks.errors import DataError, one_of
from refusalbench_tasks.own.applications.address import checked_address
from refusalbench_tasks.own.applications.client import Client
from refusalbench_tasks.own.applications.events import documents_of, is_done
from refusalbench_tasks.own.applications.failed import ApplicationFailed, Passing
from refusalbench_tasks.own.applications.headers import headers_from
from refusalbench_tasks.own.applications.reply import ApplicationReply
from refusalbench_tasks.own.applications.reply_paths import ReplyPaths, passages_path

Preset = Literal["openai"]
_OPENAI_REQUEST = {"model": "application", "messages": [{"role": "user", "content": "{{query}}"}]}
_OPENAI_PATHS = {"reply": "$.choices[0].message.content", "stop_reason": "$.choices[0].finish_reason",
                 "usage": "$.usage"}  # fmt: skip
_OPENAI_DELTA = "$.choices[0].delta.content"
_OF_CLIENT = ("timeout", "attempts", "backoff", "max_bytes", "max_connections", "rate")
_PARTS = ("reply", "stop_reason", "usage", "confidence")
_SLOT = re.compile(r"\{\{(\w+)\}\}")
_SLOTS = ("query", "passages")


@dataclass(frozen=True)
class Endpoint:
    """How an application is asked, and where its reply stands."""

    client: Client
    request: Any
    """JSON in whose texts the slots `{{query}}` and `{{passages}}` stand."""
    paths: ReplyPaths

    async def ask(self, query: str, passages: Sequence[str]) -> ApplicationReply:
        """Return the application's reply. Raises ApplicationFailed if there is none that can be read."""
        reply = await self.client.post(filled(self.request, query, passages), self._read)
        hide = self.client.headers.hide_in
        shown = None if reply.passages is None else [hide(passage) for passage in reply.passages]
        return replace(reply, text=hide(reply.text), passages=shown)

    def _read(self, body: bytes) -> ApplicationReply:
        """Return what the body of a reply says.

        Raises ApplicationFailed for one that is no JSON, or no stream of it, and Passing for a stream that was cut.
        One that should tell why its reply ended, and neither does nor ends with `[DONE]`, was cut between two events.
        """
        if self.client.streams:
            reply = self.paths.read(documents_of(body))
            if self.paths.stop_reason and reply.stop_reason is None and not is_done(body):
                raise Passing(f"the stream ended without [DONE] and without a reason at {self.paths.stop_reason}")
            return reply
        try:
            document = json.loads(body)
        except (ValueError, RecursionError):
            problem = "the application's reply is not JSON; if it streams events, set stream=true"
            raise ApplicationFailed(problem) from None
        return self.paths.read([document])


def endpoint_of(given: Mapping[str, Any]) -> Endpoint:
    """Return the endpoint of the arguments of the solver `endpoint`. Raises DataError for a bad one."""
    require(Count, max_connections=given["max_connections"])
    require(Text, name=given["name"])
    preset, stream = given["preset"], given["stream"]
    if preset is not None:
        one_of("preset", preset, Preset)
    known: dict[str, str] = dict(_OPENAI_PATHS) if preset else {}
    if preset and stream is True:
        known["reply"] = _OPENAI_DELTA
    known |= {name: given[name] for name in _PARTS if given[name] is not None}
    if isinstance(stream, str):
        known["reply"] = stream
    if "reply" not in known:
        raise DataError("reply: say where the reply stands, such as reply=$.answer, or preset=openai")
    if given["request"] is None and not preset:
        raise DataError('request: give the JSON that is sent, such as {"question": "{{query}}"}, or preset=openai')
    request = request_template(_OPENAI_REQUEST if given["request"] is None else given["request"])
    if preset and stream and isinstance(request, dict):
        request = {"stream": True, **request}
    paths = ReplyPaths(**known, passages=passages_path(given["passages"]))
    headers, address = headers_from(given["headers"], os.environ), checked_address(given["url"])
    client = Client(address, headers, streams=bool(stream), **{name: given[name] for name in _OF_CLIENT})
    return Endpoint(client, request, paths)


def request_template(given: Any) -> Any:
    """Return the template of an argument: a JSON object, one as text, or the path of a file with one.

    Raises DataError for what is no JSON, for an unknown slot, and without the slot `{{query}}`.
    """
    value = given
    if isinstance(given, str) and given.lstrip().startswith(("{", "[")):
        value = json_value(given, "request")
    elif isinstance(given, str):
        value = json_value(read_text(file_at(given, "request"), f"request: '{given}'"), f"request: '{given}'")
    if not isinstance(value, dict | list):
        raise DataError('request: expected a JSON object with a slot, such as {"question": "{{query}}"}')
    slots = {slot for text in _texts(value) for slot in _SLOT.findall(text)}
    if unknown := slots - set(_SLOTS):
        raise DataError(f"request: unknown slot '{min(unknown)}'; known: {', '.join(_SLOTS)}")
    if "query" not in slots:
        raise DataError("request: no text in it has the slot {{query}}, so no question would be sent")
    return value


def filled(template: Any, query: str, passages: Sequence[str]) -> Any:
    """Return the request of one row.

    Only texts are changed, each in one pass, so outside text can neither reach another slot nor break the JSON. A text
    that is `{{passages}}` and nothing else becomes the list of them; within a text they stand with a blank line
    between.
    """
    texts = {"query": query, "passages": "\n\n".join(passages)}

    def fill(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: fill(entry) for key, entry in value.items()}
        if isinstance(value, list):
            return [fill(entry) for entry in value]
        if value == "{{passages}}":
            return list(passages)
        return _SLOT.sub(lambda slot: texts[slot[1]], value) if isinstance(value, str) else value

    return fill(template)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _texts(part)]
