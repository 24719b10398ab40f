"""A treatment: the model quotes its evidence first, and then answers or refuses."""

import re

from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.solvers.treatments.asking import (
    add_to_prompt,
    ask,
    is_whole,
    item_of,
    note,
    run_prompt,
    set_reply,
)

_REPLY = re.compile(r"^[\s*_#>`]*REPLY[\s*_`]*:[*_` ]*", re.MULTILINE | re.IGNORECASE)


@solver
def evidence_first(ask_now: bool = True) -> Solver:
    """Ask for the sentences that a reply rests on, word for word, before the reply; the reply alone is scored.

    A reply without the line `REPLY:` is scored as it is.

    Args:
        ask_now: Ask at once; `false` in a chain, where a treatment behind this one asks.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item_of(state, "evidence_first")
        add_to_prompt(state, bundled("refusalbench_tasks.solvers", "evidence_first.txt"))
        if not ask_now:
            return state
        state = await ask(state, generate, run_prompt(state))
        evidence, found, reply = split_evidence(reply_of(state.output))
        if found and is_whole(state):
            set_reply(state, reply)
        note(state, "evidence_first", 1, evidence=evidence if found else None)
        return state

    return solve


def split_evidence(text: str) -> tuple[str, bool, str]:
    """Return what stands before the last line `REPLY:`, whether there is one, and what stands behind it."""
    marks = list(_REPLY.finditer(text))
    if not marks:
        return "", False, text
    return text[: marks[-1].start()].strip(), True, text[marks[-1].end() :].strip()
