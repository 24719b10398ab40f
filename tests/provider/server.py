"""A local server that speaks the OpenAI chat and the Anthropic messages protocols, with
their batches.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from tests.listening import Listening
from tests.models import right_verdict
from tests.provider.batches import Batches, as_reply
from tests.provider.call import Call, Wire, read_call
from tests.provider.reply import Fault, Reply, Script
from tests.provider.wire import (
    anthropic_body,
    anthropic_events,
    openai_body,
    openai_events,
)


class Server(Listening):
    """The server, running in a thread of its own while the context is open; on the
    loopback address only.

    `calls` holds every request in order of arrival, those of batches too, whose batches
    are in `batches`; `peak` is the largest number of requests in flight at once. What a
    grader's check asks is answered rightly, and is in neither `calls` nor the script.
    The latency is that of a request, or of a batch as a whole.
    """

    def __init__(self, script: Script, latency: float = 0.0, port: int = 0) -> None:
        super().__init__(port)
        self.script, self.latency = script, latency
        self.calls: list[Call] = []
        self.peak = 0
        self._items = Batches(script, latency, self._receive)
        self.batches = self._items.sent
        self._in_flight = 0
        self._seen: Counter[str] = Counter()

    @property
    def openai_url(self) -> str:
        """The base URL for the `openai` client."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def anthropic_url(self) -> str:
        """The base URL for the `anthropic` client."""
        return f"http://127.0.0.1:{self.port}"

    def add_routes(self, routes: web.UrlDispatcher) -> None:
        routes.add_post("/v1/chat/completions", self._openai)
        routes.add_post("/v1/messages", self._anthropic)
        self._items.add_routes(routes)

    async def _openai(self, request: web.Request) -> web.StreamResponse:
        return await self._answer("openai", request)

    async def _anthropic(self, request: web.Request) -> web.StreamResponse:
        return await self._answer("anthropic", request)

    async def _answer(self, wire: Wire, request: web.Request) -> web.StreamResponse:
        self._in_flight += 1
        self.peak = max(self.peak, self._in_flight)
        try:
            body = json.loads(await request.text())
            if known := _known(wire, body):
                return self._respond(*known, request)
            call = self._receive(wire, body)
            await asyncio.sleep(self.latency)
            return self._respond(call, self.script(call), request)
        finally:
            self._in_flight -= 1

    def _receive(self, wire: Wire, body: Mapping[str, Any]) -> Call:
        raw = json.dumps(body)
        call = read_call(wire, body, len(self.calls), self._seen[raw])
        self._seen[raw] += 1
        self.calls.append(call)
        return call

    def _respond(
        self, call: Call, made: Reply | Fault | str, request: web.Request
    ) -> web.StreamResponse:
        reply = as_reply(made)
        if isinstance(reply, Fault):
            return _fail(reply, request)
        of_openai = call.wire == "openai"
        body = (openai_body if of_openai else anthropic_body)(call, reply)
        if not call.body.get("stream"):
            return web.json_response(body)
        events = (openai_events if of_openai else anthropic_events)(body)
        return web.Response(body=events, content_type="text/event-stream")


def _known(wire: Wire, body: Mapping[str, Any]) -> tuple[Call, Reply] | None:
    """Return a call about a known reply, with the right verdict; None for any other."""
    call = read_call(wire, body, 0, 0)
    verdict = right_verdict(call.text)
    if verdict is None:
        return None
    return call, Reply(arguments=verdict) if isinstance(verdict, dict) else Reply(
        verdict
    )


def _fail(fault: Fault, request: web.Request) -> web.StreamResponse:
    if fault is Fault.RATE_LIMIT:
        error = {
            "type": "error",
            "error": {"type": "rate_limit_error", "message": "too many requests"},
        }
        return web.json_response(
            error, status=429, headers={"retry-after": "0.01", "retry-after-ms": "10"}
        )
    if fault is Fault.SERVER_ERROR:
        error = {
            "type": "error",
            "error": {"type": "api_error", "message": "scripted failure"},
        }
        return web.json_response(error, status=500)
    if fault is Fault.DROP:
        if request.transport:
            request.transport.abort()
        return web.Response()
    return web.Response(text='{"id": "cut', content_type="application/json")
