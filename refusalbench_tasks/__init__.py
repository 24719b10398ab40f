"""RefusalBench and BLUFF-1000 as Inspect tasks: does a model know when not to answer?"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refusalbench_tasks.bluff import bluff
    from refusalbench_tasks.collect import collect
    from refusalbench_tasks.garage import garage
    from refusalbench_tasks.nq import nq
    from refusalbench_tasks.perturb import perturb
    from refusalbench_tasks.question import question

__all__ = ["bluff", "collect", "garage", "nq", "perturb", "question"]


class _Package(ModuleType):
    """The package: a task and the module that holds it have one name, and here it is the task's.

    Python binds a submodule to its package after importing it, whoever imports it and in whatever order. What is bound
    then is the task, as if this file imported them all, which would cost seconds. The task has itself as an
    attribute, so that the module's spelling, `refusalbench_tasks.nq.nq`, names it as well.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if name in __all__ and isinstance(value, ModuleType):
            value = getattr(value, name)
            setattr(value, name, value)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> object:
    """Return a task by name; imported on first use, so that `import refusalbench_tasks` stays cheap."""
    if name in __all__:
        import_module(f"{__name__}.{name}")
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the tasks, imported or not, and the module's own names."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
