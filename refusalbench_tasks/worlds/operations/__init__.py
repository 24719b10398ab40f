"""The levers as operations, by class. Importing this registers all of them."""

from refusalbench_tasks.worlds.lever import LEVERS
from refusalbench_tasks.worlds.operations import (
    contradiction,
    missing_low,
    missing_tables,
    missing_told,
    missing_withheld,
)

__all__ = ["LEVERS", "contradiction", "missing_low", "missing_tables", "missing_told", "missing_withheld"]
