"""What Inspect finds by name of `perturb`: its solver, its scorer and its metrics.

The work is imported when one of them is made, because every `inspect` command imports
this module.
"""

from functools import cache, partial
from typing import Any

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

from refusalbench_tasks.scorers.run_settings import RunSettings

from .kit import once_a_run
from .kit.panel import Failures
from .perturb_settings import CandidateSettings


@metric(scores="unreduced")
def generation_metrics() -> Metric:
    """Return acceptance by class, intensity and verifier, rejection reasons, and calls
    and tokens per accepted item.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from .generation_metrics import generation_values

        return generation_values(scores)

    return compute


@solver
def perturbation(**given: Any) -> Solver:
    """Write a candidate by the evaluated model and check it; the scorer asks annotator
    and verifiers.

    Where the writer declines a lever, the slot's next alternative is tried in the same
    attempt.

    Args:
        **given: Arguments of `CandidateSettings`; what is not given is as the task has
            it.
    """
    from .perturbing import Perturbing

    settings = RunSettings(CandidateSettings, given)
    perturbing_by = cache(Perturbing.by)
    # a lever file that cannot be read must be told before any sample
    perturbing_by(settings.alone)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await perturbing_by(settings.of(state)).solve(state)

    return solve


@scorer(metrics=[generation_metrics()])
def consensus_scores(**given: Any) -> Scorer:
    """Score a candidate by the votes of the role `verifier`: accepted 1 or 0, NaN while
    a vote is missing.

    Votes and annotations that the log already holds for the same text are used again,
    so scoring a log anew asks only for those that are missing.

    Args:
        **given: Arguments of `CandidateSettings`; what is not given is as the run had
            it.
    """
    from .item_scoring import Judging

    settings = RunSettings(CandidateSettings, given)
    judging_by = cache(partial(Judging.by, once_a_run(Failures)))
    # a lever file that cannot be read must be told before any sample
    judging_by(settings.alone)

    async def score(state: TaskState, target: Target) -> Score:
        return await judging_by(settings.of(state)).score(state)

    return score
