"""Generation: the evaluated model writes perturbed items, a panel of verifiers accepts
or rejects them.
"""

from typing import Literal, Never

from inspect_ai import Task, task

from refusalbench_tasks.generators.kit.panel import LONGEST_RUN
from refusalbench_tasks.generators.registered import (
    IntensityUse,
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
    coverage: Literal["balanced", "rotation", "all", "model"] = "balanced",
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

    The arguments are those of `PerturbSettings`. An unknown argument is an error,
    before anything is loaded.
    """
    given = locals()
    from refusalbench_tasks.generators.perturb_run import PerturbSettings, perturb_task

    return perturb_task(VERSION, PerturbSettings.of("perturb", given))
