"""Treatments in several turns: a check of the question before the reply, or a critique behind it."""

from inspect_ai.solver import Solver, solver

from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.solvers.treatments.treatment import Treated, treatment


@solver
def check_then_answer() -> Solver:
    """Ask first whether the question can be answered from the text as it stands, and then for the reply."""

    async def step(treated: Treated) -> None:
        check = bundled("refusalbench_tasks.solvers", "check.txt")
        await treated.ask(f"{treated.prompt().removesuffix('ANSWER:').rstrip()}\n\n{check}")
        if treated.whole:
            await treated.ask_further("check_answer.txt")

    return treatment("check_then_answer", step)


@solver
def self_check() -> Solver:
    """Ask for a reply, for a critique of it, and for the final reply, which is scored.

    Behind another treatment in a chain it takes that one's reply. The authors of RefusalBench report that such
    correction lowers refusal accuracy. A reply that was cut off or stopped is not criticised.
    """

    async def step(treated: Treated) -> dict[str, object]:
        if not treated.state.output.choices:
            await treated.ask()
        first = treated.reply
        for prompt in ("critique.txt", "final_reply.txt"):
            if treated.whole:
                await treated.ask_further(prompt)
        return treated.since(first)

    return treatment("self_check", step)
