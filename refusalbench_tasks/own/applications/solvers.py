"""The solvers that ask an application in place of a model: `endpoint` over HTTP,
`callable` in Python.

The work is imported when a solver is made, because every `inspect` command imports this
module.
"""

from typing import Any

from inspect_ai.solver import Generate, Solver, TaskState, solver


@solver
def endpoint(**given: Any) -> Solver:
    """Ask a running application: one POST of JSON for each sample.

    A failed call is an error of its sample.

    Args:
        **given: Arguments of `EndpointSettings`: `url`, `request` and `reply` at least.
    """
    from .endpoint import Endpoint, EndpointSettings

    return _asking(Endpoint(EndpointSettings(**given)))


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

    from .function import function_named

    require(Text, name=name)
    return _asking(function_named(function))


def _asking(application: Any) -> Solver:
    from .reply import ask_in_place

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await ask_in_place(application, state)

    return solve
