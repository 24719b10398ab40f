"""The batch endpoints of the server: files and batches as OpenAI has them, message batches as Anthropic has them."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.provider.call import Call, Wire
from tests.provider.reply import WORDS, Fault, Reply, Script
from tests.provider.wire import anthropic_body, openai_body

Receive = Callable[[Wire, Mapping[str, Any]], Call]
_CREATED = "2026-01-01T00:00:00Z"
_STATUS = {Fault.RATE_LIMIT: 429, Fault.SERVER_ERROR: 500}
_TYPES = {Fault.RATE_LIMIT: "rate_limit_error", Fault.SERVER_ERROR: "api_error"}


def as_reply(made: Reply | Fault | str) -> Reply | Fault:
    """Return what a script made as a reply, or the fault if it is one of transport."""
    if isinstance(made, Fault):
        return WORDS.get(made, made)
    return Reply(made) if isinstance(made, str) else made


def openai_line(custom_id: str, call: Call, reply: Reply | Fault) -> str:
    """Return a line of an output or error file. An item that was dropped expired before it was run."""
    if reply is Fault.MALFORMED:
        return '{"id": "cut'
    line: dict[str, Any] = {"id": f"batch_req_{call.index}", "custom_id": custom_id, "response": None, "error": None}
    if reply is Fault.DROP:
        line["error"] = {"code": "batch_expired", "message": "the completion window ended before this was run"}
    elif isinstance(reply, Fault):
        body = {"error": {"message": "scripted failure", "type": _TYPES[reply], "code": None, "param": None}}
        line["response"] = {"status_code": _STATUS[reply], "request_id": f"req_{call.index}", "body": body}
    else:
        body = openai_body(call, reply)
        line["response"] = {"status_code": 200, "request_id": f"req_{call.index}", "body": body}
    return json.dumps(line)


def anthropic_line(custom_id: str, call: Call, reply: Reply | Fault) -> str:
    """Return a line of the results. An item that was dropped expired before it was run."""
    if reply is Fault.MALFORMED:
        return '{"custom_id": "cut'
    result: dict[str, Any] = {"type": "expired"}
    if isinstance(reply, Reply):
        result = {"type": "succeeded", "message": anthropic_body(call, reply)}
    elif reply is not Fault.DROP:
        error = {"type": _TYPES[reply], "message": "scripted failure"}
        result = {"type": "errored", "error": {"type": "error", "request_id": f"req_{call.index}", "error": error}}
    return json.dumps({"custom_id": custom_id, "result": result})


@dataclass
class Batch:
    """A batch that was sent: its calls, and the lines of those that were answered and of those that were not."""

    id: str
    ready: float
    """The time of the monotonic clock, in seconds, at which it is done."""
    calls: list[Call] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    expired: int = 0

    @property
    def done(self) -> bool:
        """Whether its results can be had."""
        return time.monotonic() >= self.ready


class Batches:
    """All batches. An item is answered by the script, and a fault is a fault of that item only."""

    def __init__(self, script: Script, latency: float, receive: Receive) -> None:
        self.script, self.latency, self.receive = script, latency, receive
        self.sent: dict[str, Batch] = {}
        self._files: dict[str, str] = {}

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Add the endpoints."""
        router.add_post("/v1/files", self._upload)
        router.add_get("/v1/files/{id}/content", self._content)
        router.add_post("/v1/batches", self._openai_create)
        router.add_get("/v1/batches/{id}", self._openai_status)
        router.add_post("/v1/messages/batches", self._anthropic_create)
        router.add_get("/v1/messages/batches/{id}", self._anthropic_status)
        router.add_get("/v1/messages/batches/{id}/results", self._anthropic_results)

    def _run(self, wire: Wire, bodies: Mapping[str, Mapping[str, Any]]) -> Batch:
        """Answer all items at once; the results are handed out after the latency."""
        line = openai_line if wire == "openai" else anthropic_line
        batch = Batch(f"batch_{len(self.sent)}", time.monotonic() + self.latency)
        for custom_id, body in bodies.items():
            call = self.receive(wire, body)
            reply = as_reply(self.script(call))
            failed = isinstance(reply, Fault) and reply is not Fault.MALFORMED
            (batch.failed if failed else batch.answered).append(line(custom_id, call, reply))
            batch.calls.append(call)
            batch.expired += reply is Fault.DROP
        self.sent[batch.id] = batch
        return batch

    async def _upload(self, request: web.Request) -> web.Response:
        form = await request.post()
        file = form["file"]
        assert isinstance(file, web.FileField)
        content, name = file.file.read().decode(), f"file-{len(self._files)}"
        self._files[name] = content
        return web.json_response(
            {
                "id": name, "object": "file", "bytes": len(content), "created_at": 1, "filename": file.filename,
                "purpose": form["purpose"], "status": "processed",
            }
        )  # fmt: skip

    async def _content(self, request: web.Request) -> web.Response:
        return web.Response(text=self._files[request.match_info["id"]])

    async def _openai_create(self, request: web.Request) -> web.Response:
        asked = await request.json()
        lines = [json.loads(line) for line in self._files[asked["input_file_id"]].splitlines()]
        assert {line["url"] for line in lines} == {asked["endpoint"]} == {"/v1/chat/completions"}
        batch = self._run("openai", {line["custom_id"]: line["body"] for line in lines})
        for kind, rows in (("output", batch.answered), ("error", batch.failed)):
            if rows:
                self._files[f"{batch.id}_{kind}"] = "\n".join(rows)
        return web.json_response(self._openai_body(batch))

    async def _openai_status(self, request: web.Request) -> web.Response:
        return web.json_response(self._openai_body(self.sent[request.match_info["id"]]))

    def _openai_body(self, batch: Batch) -> dict[str, Any]:
        files = {kind: f"{batch.id}_{kind}" for kind in ("output", "error") if f"{batch.id}_{kind}" in self._files}
        status = "expired" if batch.expired else "completed"
        done = {"completed": len(batch.answered), "failed": len(batch.failed)}
        return {
            "id": batch.id, "object": "batch", "endpoint": "/v1/chat/completions", "completion_window": "24h",
            "created_at": 1, "input_file_id": "file", "status": status if batch.done else "in_progress",
            "output_file_id": files.get("output") if batch.done else None,
            "error_file_id": files.get("error") if batch.done else None,
            "request_counts": {"total": len(batch.calls)} | (done if batch.done else {"completed": 0, "failed": 0}),
        }  # fmt: skip

    async def _anthropic_create(self, request: web.Request) -> web.Response:
        asked = await request.json()
        batch = self._run("anthropic", {item["custom_id"]: item["params"] for item in asked["requests"]})
        return web.json_response(_anthropic_body(batch, request))

    async def _anthropic_status(self, request: web.Request) -> web.Response:
        return web.json_response(_anthropic_body(self.sent[request.match_info["id"]], request))

    async def _anthropic_results(self, request: web.Request) -> web.Response:
        batch = self.sent[request.match_info["id"]]
        return web.Response(text="\n".join([*batch.answered, *batch.failed]), content_type="application/x-jsonl")


def _anthropic_body(batch: Batch, request: web.Request) -> dict[str, Any]:
    succeeded, errored = len(batch.answered), len(batch.failed) - batch.expired
    counts = {"succeeded": succeeded, "errored": errored, "expired": batch.expired, "canceled": 0, "processing": 0}
    running = {"succeeded": 0, "errored": 0, "expired": 0, "canceled": 0, "processing": len(batch.calls)}
    results = f"{request.url.origin()}/v1/messages/batches/{batch.id}/results"
    return {
        "id": batch.id, "type": "message_batch", "processing_status": "ended" if batch.done else "in_progress",
        "request_counts": counts if batch.done else running, "created_at": _CREATED, "expires_at": _CREATED,
        "ended_at": _CREATED if batch.done else None, "results_url": results if batch.done else None,
        "archived_at": None, "cancel_initiated_at": None,
    }  # fmt: skip
