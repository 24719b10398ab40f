"""The solvers that ask an application in place of a model: `endpoint` over HTTP,
`callable` in Python.

The work is imported when a solver is made, because every `inspect` command imports this
module.
"""

from collections.abc import Sequence
from typing import Any

from inspect_ai.solver import Generate, Solver, TaskState, solver


@solver
def endpoint(
    url: str,
    request: Any,
    reply: str,
    passages: str | None = None,
    headers: str | Sequence[str] | None = None,
    stop_reason: str | None = None,
    usage: str | None = None,
    timeout: float = 120,
    attempts: int = 5,
    backoff: float = 1,
    max_connections: int = 10,
    name: str | None = None,
) -> Solver:
    """Ask a running application: one POST of JSON for each sample.

    A failed call is an error of its sample.

    Args:
        url: The address of the application.
        request: The JSON to send, or a file with it; in its texts `{{query}}` and, if
            wanted, `{{passages}}`.
        reply: Where in the JSON reply its text stands (JSONPath).
        passages: `reply:PATH`, where the passages stand that the application itself
            retrieved; the judge then sees these, and retrieval is measured.
        headers: `NAME:VARIABLE` entries: headers whose values stand in environment
            variables.
        stop_reason: Where the reason stands for which the reply ended.
        usage: Where the numbers of tokens stand.
        timeout: Seconds of one attempt.
        attempts: How often a call is tried that gets 429, 5xx, no connection or no
            reply in time.
        backoff: Seconds before the second attempt, doubled for each further one.
        max_connections: How many calls run at once.
        name: What the application is called in tables and reports.
    """
    given = locals()
    from refusalbench_tasks.own.applications.endpoint import endpoint_of
    from refusalbench_tasks.own.applications.reply import (
        passages_of,
        question_of,
        take_reply,
        warn_of_codes,
    )

    application = endpoint_of(given)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        warn_of_codes(state)
        return take_reply(
            state,
            await application.ask(question_of(state), passages_of(state)),
            application.client.name,
        )

    return solve


@solver(name="callable")
def application_callable(function: str, name: str | None = None) -> Solver:
    """Ask a Python function: `function(question)` or `function(question, passages)`,
    sync or async.

    It returns text, or a mapping with `reply` and, if it tells, `passages`,
    `stop_reason` and `usage`. An exception is an error of the sample. Inspect's
    `--max-samples` and `--time-limit` are its limits.

    Args:
        function: `package.module:name`; modules of the current folder are found.
        name: What the application is called in tables and reports.
    """
    from refusalbench_tasks.arguments import Text, require
    from refusalbench_tasks.own.applications.function import function_named
    from refusalbench_tasks.own.applications.reply import (
        passages_of,
        question_of,
        take_reply,
        warn_of_codes,
    )

    require(Text, name=name)
    application = function_named(function)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        warn_of_codes(state)
        return take_reply(
            state,
            await application.ask(question_of(state), passages_of(state)),
            f"callable/{function}",
        )

    return solve
