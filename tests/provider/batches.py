"""The batch endpoints of the server, as Anthropic has them."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.provider.call import Call, Wire
from tests.provider.reply import WORDS, Fault, Reply, Script
from tests.provider.wire import anthropic_body

Receive = Callable[[Wire, Mapping[str, Any]], Call]
_CREATED = "2026-01-01T00:00:00Z"


def as_reply(made: Reply | Fault | str) -> Reply | Fault:
    """Return what a script made as a reply, or the fault if it is one of transport."""
    if isinstance(made, Fault):
        return WORDS.get(made, made)
    return Reply(made) if isinstance(made, str) else made


@dataclass
class Batch:
    """A batch that was sent: its calls, the lines of its results, and how many items
    ended how.
    """

    id: str
    ready: float
    """The time of the monotonic clock, in seconds, at which it is done."""
    calls: list[Call] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("succeeded", "errored", "expired"), 0)
    )

    def add(self, custom_id: str, call: Call, reply: Reply | Fault) -> None:
        """Add an item. One that was dropped expired before it was run."""
        error = {
            "type": "error",
            "request_id": f"req_{call.index}",
            "error": {"type": "api_error", "message": "failed"},
        }
        result: dict[str, Any] = {"type": "errored", "error": error}
        if isinstance(reply, Reply):
            result = {"type": "succeeded", "message": anthropic_body(call, reply)}
        elif reply is Fault.DROP:
            result = {"type": "expired"}
        self.counts[result["type"]] += 1
        self.calls.append(call)
        self.lines.append(json.dumps({"custom_id": custom_id, "result": result}))


class Batches:
    """All batches.

    An item is answered by the script, and a fault is a fault of that item only.
    """

    def __init__(self, script: Script, latency: float, receive: Receive) -> None:
        self.script, self.latency, self.receive = script, latency, receive
        self.sent: dict[str, Batch] = {}

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Add the endpoints."""
        router.add_post("/v1/messages/batches", self._create)
        router.add_get("/v1/messages/batches/{id}", self._status)
        router.add_get("/v1/messages/batches/{id}/results", self._results)

    async def _create(self, request: web.Request) -> web.Response:
        """Answer all items at once; the results are handed out after the latency."""
        batch = Batch(f"batch_{len(self.sent)}", time.monotonic() + self.latency)
        for item in (await request.json())["requests"]:
            call = self.receive("anthropic", item["params"])
            batch.add(item["custom_id"], call, as_reply(self.script(call)))
        self.sent[batch.id] = batch
        return web.json_response(_body(batch, request))

    async def _status(self, request: web.Request) -> web.Response:
        return web.json_response(_body(self.sent[request.match_info["id"]], request))

    async def _results(self, request: web.Request) -> web.Response:
        lines = self.sent[request.match_info["id"]].lines
        return web.Response(text="\n".join(lines), content_type="application/x-jsonl")


def _body(batch: Batch, request: web.Request) -> dict[str, Any]:
    done = time.monotonic() >= batch.ready
    counts = batch.counts | {"canceled": 0, "processing": 0}
    running = dict.fromkeys(counts, 0) | {"processing": len(batch.calls)}
    results = f"{request.url.origin()}/v1/messages/batches/{batch.id}/results"
    return {
        "id": batch.id,
        "type": "message_batch",
        "processing_status": "ended" if done else "in_progress",
        "request_counts": counts if done else running,
        "created_at": _CREATED,
        "expires_at": _CREATED,
        "ended_at": _CREATED if done else None,
        "results_url": results if done else None,
        "archived_at": None,
        "cancel_initiated_at": None,
    }
