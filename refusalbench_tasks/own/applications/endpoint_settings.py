"""An application's endpoint as its arguments describe it."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from refusalbench_tasks.errors import DataError, one_of
from refusalbench_tasks.own.applications.application_reply import ApplicationReply
from refusalbench_tasks.own.applications.call import Caller, Slot
from refusalbench_tasks.own.applications.call_limits import CallLimits, checked_address
from refusalbench_tasks.own.applications.failed import ApplicationFailed, Passing
from refusalbench_tasks.own.applications.headers import headers_from
from refusalbench_tasks.own.applications.reply_paths import ReplyPaths, passages_path
from refusalbench_tasks.own.applications.request_template import RequestTemplate, request_template
from refusalbench_tasks.own.applications.server_events import documents_of, is_done

Preset = Literal["openai"]
_OPENAI_REQUEST = {"model": "application", "messages": [{"role": "user", "content": "{{query}}"}]}
_OPENAI_PATHS = {"reply": "$.choices[0].message.content", "stop_reason": "$.choices[0].finish_reason",
                 "usage": "$.usage"}  # fmt: skip
_OPENAI_DELTA = "$.choices[0].delta.content"


@dataclass(frozen=True)
class Endpoint:
    """How an application is asked, and where its reply stands."""

    caller: Caller
    request: RequestTemplate
    paths: ReplyPaths

    async def ask(self, query: str, passages: Sequence[str]) -> ApplicationReply:
        """Return the application's reply. Raises ApplicationFailed if there is none that can be read."""
        said = await self.caller.post(self.request.filled(query, passages), self._read)
        hide = self.caller.headers.hide_in
        shown = None if said.passages is None else [hide(passage) for passage in said.passages]
        return replace(said, text=hide(said.text), passages=shown)

    def _read(self, body: bytes) -> ApplicationReply:
        return read_body(body, self.paths, self.caller.streams)


def read_body(body: bytes, paths: ReplyPaths, streams: bool) -> ApplicationReply:
    """Return what the body of a reply says. Raises ApplicationFailed for one that is no JSON, or no stream of it.

    Raises Passing for a stream that was cut. One that should tell why its reply ended, and neither does nor ends with
    `[DONE]`, was cut between two events.
    """
    if streams:
        said = paths.read_parts(documents_of(body))
        if paths.stop_reason and said.stop_reason is None and not is_done(body):
            raise Passing(f"the stream ended without [DONE] and without a reason at {paths.stop_reason}")
        return said
    try:
        return paths.read(json.loads(body))
    except (ValueError, RecursionError) as error:
        if isinstance(error, ApplicationFailed):
            raise
        raise ApplicationFailed("the application's reply is not JSON; if it streams events, set stream=true") from None


def endpoint_of(
    url: object,
    request: Any,
    paths: dict[str, str | None],
    passages: str | None,
    preset: str | None,
    stream: bool | str,
    headers: str | Sequence[str] | None,
    limits: CallLimits,
    slots: tuple[Slot, ...] = (),
) -> Endpoint:
    """Return the endpoint of the arguments of the solver `endpoint`. Raises DataError for a bad one."""
    if preset is not None:
        one_of("preset", preset, Preset)
    limits.check()
    known = dict(_OPENAI_PATHS) if preset else {}
    if preset and stream is True:
        known["reply"] = _OPENAI_DELTA
    known |= {name: path for name, path in paths.items() if path is not None}
    if isinstance(stream, str):
        known["reply"] = stream
    if "reply" not in known:
        raise DataError("reply: say where the reply stands, such as reply=$.answer, or preset=openai")
    if request is None and not preset:
        raise DataError('request: give the JSON that is sent, such as {"question": "{{query}}"}, or preset=openai')
    template = request_template(_OPENAI_REQUEST if request is None else request)
    if preset and stream and isinstance(template.value, dict):
        template = RequestTemplate({"stream": True, **template.value})
    found = ReplyPaths(**known, passages=passages_path(passages))
    found.check()
    caller = Caller(checked_address(url), headers_from(headers, os.environ), limits, bool(stream), slots)
    return Endpoint(caller, template, found)
