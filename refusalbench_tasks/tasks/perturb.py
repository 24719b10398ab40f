"""Generation: the evaluated model writes perturbed items, a panel of verifiers accepts
or rejects them.
"""

from typing import Never

from inspect_ai import Task, task

from refusalbench_tasks.arguments import reject_unknown
from refusalbench_tasks.generators.kit.panel import LONGEST_RUN
from refusalbench_tasks.generators.perturb_settings import (
    Coverage,
    IntensityUse,
    PerturbSettings,
    Use,
    Verify,
    WriteForm,
)

VERSION = "1-A"


@task
def perturb(
    bases: str | None = None,
    classes: str | None = None,
    intensities: str | None = None,
    levers: str | None = None,
    lever_file: str | None = None,
    coverage: Coverage = "balanced",
    seed: int = 0,
    attempts: int = 1,
    write: WriteForm = "edits",
    together: bool = False,
    checks: Use = "gate",
    ground: bool = True,
    reading: Use = "gate",
    verify: Verify = "until_fail",
    intensity: IntensityUse = "record",
    self_votes: bool = False,
    cache: bool = True,
    max_failures: int = LONGEST_RUN,
    shard: str | None = None,
    **others: Never,
) -> Task:
    """Return a generation run: the model under evaluation is the writer, the role
    `verifier` the panel.

    `PerturbSettings` and `CandidateSettings` document the arguments. An unknown
    argument is an error, before anything is loaded.
    """
    from refusalbench_tasks.generators.perturb_run import perturb_task

    reject_unknown(perturb, others)
    settings = PerturbSettings(
        bases=bases,
        classes=classes,
        intensities=intensities,
        levers=levers,
        lever_file=lever_file,
        coverage=coverage,
        seed=seed,
        attempts=attempts,
        write=write,
        together=together,
        checks=checks,
        ground=ground,
        reading=reading,
        verify=verify,
        intensity=intensity,
        self_votes=self_votes,
        cache=cache,
        max_failures=max_failures,
        shard=shard,
    )
    return perturb_task(VERSION, settings)
