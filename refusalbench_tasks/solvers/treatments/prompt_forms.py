"""Treatments that only change the form of the prompt: where the codes stand, or that there are none."""

from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.solvers.treatments.asking import ask, item_of, note, run_prompt, settings_of

_FIRST_CODE, _QUESTION, _END = "REFUSE_AMBIGUOUS_QUERY\n", "QUESTION\n{{query}}", "ANSWER:"


@solver
def codes_last() -> Solver:
    """Ask with the table of codes behind the question and its passages instead of before them.

    The words are those of the bundled prompt. Raises DataError for a run with another prompt, or without codes.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item_of(state, "codes_last")
        state = await ask(state, generate, with_codes_last(run_prompt(state)))
        note(state, "codes_last", 1)
        return state

    return solve


def with_codes_last(template: str) -> str:
    """Return a template with its codes moved behind the passages. Raises DataError if it has no such parts."""
    rules, codes, rest = template.partition(_FIRST_CODE)
    table, question, item = rest.partition(_QUESTION)
    context, answer, tail = item.rpartition(_END)
    if not (codes and question and answer):
        raise DataError("codes_last: needs the bundled prompt with its codes; leave out prompt= and codes=false")
    rules = rules.replace("one of the codes below", "one of the codes at the end")
    return f"{rules.rstrip()}\n\n{question}{context}CODES\n\n{codes}{table}{answer}{tail}"


@solver
def no_codes() -> Solver:
    """Ask without any codes: answer, or say in words that the text gives no answer. A grader finds the category."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item_of(state, "no_codes")
        if settings_of(state).get("prompt"):
            raise DataError("no_codes: has a prompt of its own; leave out prompt=")
        state = await ask(state, generate, run_prompt(state, codes=False))
        note(state, "no_codes", 1)
        return state

    return solve
