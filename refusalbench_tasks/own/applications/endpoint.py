"""The solver that asks a running application over HTTP, in place of a model."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any
from urllib.parse import urlsplit

from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.arguments import Count, Text, require


@solver
def endpoint(
    url: str,
    request: Any = None,
    reply: str | None = None,
    passages: str | None = None,
    preset: str | None = None,
    stream: bool | str = False,
    headers: str | Sequence[str] | None = None,
    stop_reason: str | None = None,
    usage: str | None = None,
    confidence: str | None = None,
    timeout: float = 120,
    attempts: int = 5,
    backoff: float = 1,
    max_connections: int = 10,
    rate: float | None = None,
    max_bytes: int = 5_000_000,
    redirects: str | Sequence[str] | None = None,
    name: str | None = None,
) -> Solver:
    """Ask a running application: one POST of JSON for each sample. A failed call is an error of its sample.

    Args:
        url: The address of the application.
        request: The JSON to send, or a file with it; in its texts `{{query}}` and, if wanted, `{{passages}}`.
        reply: Where in the JSON reply its text stands (JSONPath).
        passages: `reply:PATH`, where the passages stand that the application itself retrieved; the judge then sees
            these, and retrieval is measured.
        preset: `openai` for an OpenAI-compatible chat endpoint: it sets `request`, `reply`, `stop_reason` and `usage`.
        stream: True for server-sent events, or the path of each event's piece of text.
        headers: `NAME:VARIABLE` entries: headers whose values stand in environment variables.
        stop_reason: Where the reason stands for which the reply ended.
        usage: Where the numbers of tokens stand.
        confidence: Where a level or a number from 0 to 1 stands.
        timeout: Seconds of one attempt.
        attempts: How often a call is tried that gets 429, 5xx, no connection or no reply in time.
        backoff: Seconds before the second attempt, doubled for each further one; Retry-After goes before.
        max_connections: How many calls run at once.
        rate: The most calls a second.
        max_bytes: The longest reply.
        redirects: Other hosts that a redirect may lead to.
        name: What the application is called in tables and reports.
    """
    # not for every `inspect` command, which imports this module
    from refusalbench_tasks.own.applications.application_reply import passages_of, question_of, take_reply
    from refusalbench_tasks.own.applications.call_limits import CallLimits, checked_address
    from refusalbench_tasks.own.applications.endpoint_settings import endpoint_of
    from refusalbench_tasks.own.applications.slots import connections, paced

    require(Count, max_connections=max_connections)
    require(Text, name=name)
    hosts = redirects.split(",") if isinstance(redirects, str) else tuple(redirects or ())
    limits = CallLimits(timeout, attempts, backoff, max_bytes, tuple(host.strip().lower() for host in hosts))
    paths = {"reply": reply, "stop_reason": stop_reason, "usage": usage, "confidence": confidence}
    host = f"endpoint/{urlsplit(checked_address(url)).hostname}"
    pace = paced(rate)

    def connection() -> AbstractAsyncContextManager[Any]:
        return connections(host, max_connections)

    slots = (connection,) if pace is None else (connection, pace)
    found = endpoint_of(url, request, paths, passages, preset, stream, headers, limits, slots)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        answered = await found.ask(question_of(state), passages_of(state))
        return take_reply(state, answered, host)

    return solve
