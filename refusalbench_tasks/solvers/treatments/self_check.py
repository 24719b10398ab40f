"""A treatment that is known to harm: the model criticises its reply and replies again."""

from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.solvers.treatments.asking import ask, ask_further, is_whole, item_of, note, run_prompt


@solver
def self_check() -> Solver:
    """Ask for a reply, for a critique of it, and for the final reply, which is scored.

    Behind another treatment in a chain it takes that one's reply. The authors of RefusalBench report that such
    correction lowers refusal accuracy. A reply that was cut off or stopped is not criticised.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item_of(state, "self_check")
        calls = 0
        if not state.output.choices:
            state, calls = await ask(state, generate, run_prompt(state)), 1
        first = reply_of(state.output)
        if is_whole(state):
            state, calls = await ask_further(state, generate, "critique.txt"), calls + 1
        if calls and is_whole(state):
            state, calls = await ask_further(state, generate, "final_reply.txt"), calls + 1
        note(state, "self_check", calls, before=first, first_reply=first)
        return state

    return solve
