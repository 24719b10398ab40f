"""The levers as operations. Importing this registers all of them: every module that stands here, by name."""

from importlib import import_module
from pkgutil import iter_modules

from refusalbench_tasks.worlds.lever import LEVERS

for _name in sorted(one.name for one in iter_modules(__path__)):
    import_module(f"{__name__}.{_name}")

__all__ = ["LEVERS"]
