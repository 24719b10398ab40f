"""A treatment: is the question answerable as it stands? Then the reply, in a second turn."""

from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.solvers.treatments.asking import ask, ask_further, is_whole, item_of, note, run_prompt


@solver
def check_then_answer() -> Solver:
    """Ask first whether the question can be answered from the text as it stands, and then for the reply."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item_of(state, "check_then_answer")
        check = bundled("refusalbench_tasks.solvers", "check.txt")
        state = await ask(state, generate, f"{run_prompt(state).removesuffix('ANSWER:').rstrip()}\n\n{check}")
        calls = 1
        if is_whole(state):
            state, calls = await ask_further(state, generate, "check_answer.txt"), 2
        note(state, "check_then_answer", calls)
        return state

    return solve
