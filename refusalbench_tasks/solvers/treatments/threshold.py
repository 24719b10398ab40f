"""A treatment: an answer whose stated confidence is too low becomes a refusal."""

from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.arguments import Fraction, require
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.replies.confidence import MIDPOINTS, split_confidence
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.solvers.baselines import refusal_code
from refusalbench_tasks.solvers.treatments.asking import (
    add_to_prompt,
    ask,
    is_whole,
    item_of,
    kind_of,
    note,
    run_prompt,
    set_reply,
    settings_of,
)
from refusalbench_tasks.taxonomy import Label


@solver
def threshold(minimum: float = 0.5, code: str = Label.MISSING.value) -> Solver:
    """Ask with a stated level of confidence, and refuse where an answer's level stands for less than `minimum`.

    The level stays with the reply in a run with `confidence=true`. Without a level a reply stays as it is. Behind
    another treatment in a chain it takes that one's reply, which then needs `confidence=true`.

    Args:
        minimum: The lowest probability, in [0, 1], with which an answer is given; levels stand for .95, .80, .60, .40
            and .15.
        code: The refusal code of an answer that is held back.
    """
    require(Fraction, minimum=minimum)
    label = refusal_code(code)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item_of(state, "threshold")
        calls, stated = 0, bool(settings_of(state).get("confidence"))
        if not state.output.choices:
            if not stated:
                add_to_prompt(state, bundled("refusalbench_tasks.solvers", "confidence.txt"))
            state, calls = await ask(state, generate, run_prompt(state)), 1
        first = reply_of(state.output)
        reply = split_confidence(first)
        low = reply.level is not None and MIDPOINTS[reply.level] < minimum
        body = label.value if low and kind_of(first) == "answer" and is_whole(state) else reply.body
        if is_whole(state):
            set_reply(state, f"{body}\nCONFIDENCE: {reply.level}" if stated and reply.level else body)
        note(state, "threshold", calls, before=first, level=reply.level, first_reply=first)
        return state

    return solve
