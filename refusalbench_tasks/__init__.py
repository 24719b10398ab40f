"""RefusalBench and BLUFF-1000 as Inspect tasks: does a model know when not to answer?"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refusalbench_tasks.bluff import bluff
    from refusalbench_tasks.garage import garage
    from refusalbench_tasks.nq import nq
    from refusalbench_tasks.perturb import perturb

__all__ = ["bluff", "garage", "nq", "perturb"]


def __getattr__(name: str) -> object:
    """Return a task by name; imported on first use, so that `import refusalbench_tasks` stays cheap."""
    if name in __all__:
        return getattr(import_module(f"refusalbench_tasks.{name}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
