"""RefusalBench and BLUFF-1000 as Inspect tasks: does a model know
when not to answer?
"""

# inspect-evals-lint: ignore-file[init_exports] -- the packages `collect` and `search`
# have the names of their tasks

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refusalbench_tasks.tasks.bluff import bluff
    from refusalbench_tasks.tasks.garage import garage
    from refusalbench_tasks.tasks.nq import nq
    from refusalbench_tasks.tasks.perturb import perturb
    from refusalbench_tasks.tasks.question import question

__all__ = ["bluff", "garage", "nq", "perturb", "question"]


def __getattr__(name: str) -> Any:
    """Return a task by name, imported on first use, so that `import refusalbench_tasks`
    stays cheap.

    The tasks `collect` and `search` are `refusalbench_tasks.tasks.collect.collect` and
    `refusalbench_tasks.tasks.search.search`: their features' packages have the short
    names.
    """
    if name in __all__:
        return getattr(import_module(f"{__name__}.tasks.{name}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
