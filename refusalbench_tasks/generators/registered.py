"""What Inspect finds by name of `perturb`: its solver, its scorer and its metrics.

The work is imported when one of them is made, because every `inspect` command imports
this module.
"""

from typing import Literal

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    scorer,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.arguments import require
from refusalbench_tasks.generators.kit.panel import LONGEST_RUN

WriteForm = Literal["edits", "whole"]
Verify = Literal["until_fail", "all"]
Use = Literal["gate", "record", "off"]
IntensityUse = Literal["record", "veto"]


@metric(scores="unreduced")
def generation_metrics() -> Metric:
    """Return acceptance by class, intensity and verifier, rejection reasons, and calls
    and tokens per accepted item.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from refusalbench_tasks.generators.generation_metrics import generation_values

        return generation_values(scores)

    return compute


@solver
def perturbation(
    lever_file: str | None = None,
    cache: bool = True,
    seed: int = 0,
    write: WriteForm = "edits",
    checks: Use = "gate",
    ground: bool = True,
) -> Solver:
    """Write a candidate by the evaluated model and check it; the scorer asks annotator
    and verifiers.

    Where the writer declines a lever, the slot's next alternative is tried in the same
    attempt.

    The arguments are those of the task (`PerturbSettings`).
    """
    from refusalbench_tasks.generators.kit.calls import cache_policy
    from refusalbench_tasks.generators.levers import load_levers
    from refusalbench_tasks.generators.perturbing import Perturbing

    require(Use, checks=checks)
    perturbing = Perturbing(
        load_levers(lever_file, ground), cache_policy(cache, seed), write, checks
    )

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await perturbing.solve(state)

    return solve


@scorer(metrics=[generation_metrics()])
def consensus_scores(
    verify: Verify = "until_fail",
    self_votes: bool = False,
    lever_file: str | None = None,
    cache: bool = True,
    seed: int = 0,
    max_failures: int = LONGEST_RUN,
    reading: Use = "gate",
    intensity: IntensityUse = "record",
    checks: Use = "gate",
    ground: bool = True,
) -> Scorer:
    """Score a candidate by the votes of the role `verifier`: accepted 1 or 0, NaN while
    a vote is missing.

    Votes and annotations that the log already holds for the same text are used again,
    so scoring a log anew asks only for those that are missing.

    The arguments are those of the task (`PerturbSettings`).
    """
    from refusalbench_tasks.generators.judged import Judging
    from refusalbench_tasks.generators.kit.calls import cache_policy
    from refusalbench_tasks.generators.kit.panel import forget_failures
    from refusalbench_tasks.generators.levers import load_levers

    require(Verify, verify=verify)
    require(Use, reading=reading, checks=checks)
    require(IntensityUse, intensity=intensity)
    forget_failures()
    levers = load_levers(lever_file, ground)
    policy = cache_policy(cache, seed)
    judging = Judging(
        verify, self_votes, levers, policy, max_failures, reading, intensity, checks
    )

    async def score(state: TaskState, target: Target) -> Score:
        return await judging.score(state)

    return score
