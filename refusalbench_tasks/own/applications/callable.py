"""The solver that asks a Python function, or a chain, in place of a model."""

from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.arguments import Count, Text, require
from refusalbench_tasks.errors import DataError


@solver(name="callable")
def application_callable(
    function: str,
    input: str | None = None,
    timeout: float | None = None,
    max_connections: int = 10,
    name: str | None = None,
) -> Solver:
    """Ask a Python function: `function(question)` or `function(question, passages)`, sync or async, or a chain.

    It returns text, or a mapping or object with `reply` and, if it tells, `passages`, `confidence`, `stop_reason` and
    `usage`. An exception is an error of the sample.

    Args:
        function: `package.module:name`; modules of the current folder are found.
        input: The key under which a chain wants the question, if it takes a mapping.
        timeout: Seconds of one call.
        max_connections: How many calls run at once; a function that is not async runs in threads.
        name: What the application is called in tables and reports.
    """
    # not for every `inspect` command, which imports this module
    from refusalbench_tasks.own.applications.application_reply import passages_of, question_of, take_reply
    from refusalbench_tasks.own.applications.function import function_named
    from refusalbench_tasks.own.applications.slots import connections

    require(Text, input=input, name=name)
    require(Count, max_connections=max_connections)
    if timeout is not None and (isinstance(timeout, bool) or not isinstance(timeout, int | float) or timeout <= 0):
        raise DataError(f"timeout: expected seconds, a number above 0; got {timeout!r}")
    found = function_named(function, input)
    name = f"callable/{function}"

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        async with connections(name, max_connections):
            answered = await found.ask(question_of(state), passages_of(state), timeout)
        return take_reply(state, answered, name)

    return solve
