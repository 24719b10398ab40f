"""Who replied in a run: a model, an application under the name that its run gave it, or a baseline of ours."""

from dataclasses import dataclass

from refusalbench_tasks.files.log_header import AnySpec

NO_MODEL = "none/none"
APPLICATIONS = ("replay", "endpoint", "callable")
"""The solvers that give an application's replies; it counts as a model does."""


@dataclass(frozen=True)
class System:
    """The name of who replied, and whether that is a baseline: a solver of ours in place of a model."""

    name: str
    baseline: bool = False


def system_of(spec: AnySpec) -> System:
    """Return who replied: the model; without one the solver's argument `name`, or the name of the solver."""
    if spec.model != NO_MODEL:
        return System(spec.model)
    short = spec.solver.rpartition("/")[2] if spec.solver else spec.model
    if short not in APPLICATIONS:
        return System(short, baseline=True)
    given = (spec.solver_args or {}).get("name")
    return System(str(given) if given is not None and str(given).strip() else short)
