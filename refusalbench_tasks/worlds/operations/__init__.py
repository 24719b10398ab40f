"""The levers as operations, by class. Importing this registers all of them."""

from refusalbench_tasks.worlds.lever import LEVERS
from refusalbench_tasks.worlds.operations import contradiction, missing

__all__ = ["LEVERS", "contradiction", "missing"]
