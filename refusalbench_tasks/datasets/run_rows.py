"""The rows of a run, for a solver that must know all of them and not the one that it is given."""

from collections.abc import Iterable
from typing import Protocol
from weakref import WeakKeyDictionary

from inspect_ai.solver import TaskState


class HasQuestion(Protocol):
    """An item of any of our data sets."""

    @property
    def item_id(self) -> str:
        """Return the id of its sample."""

    @property
    def query(self) -> str:
        """Return its question."""


class RunRows:
    """The ids of a run's rows with their questions; no part of a log."""

    def __init__(self, items: Iterable[HasQuestion]) -> None:
        self.questions = {item.item_id: item.query for item in items}

    def _repr_params_(self) -> int:
        """Return what Inspect writes down of an argument of this kind: how many rows there are."""
        return len(self.questions)


_OF: WeakKeyDictionary[TaskState, RunRows] = WeakKeyDictionary()


def tell_rows(state: TaskState, rows: RunRows) -> None:
    """Let the solvers of a sample know the rows of its run."""
    _OF[state] = rows


def rows_of(state: TaskState) -> RunRows | None:
    """Return the rows of the run that a sample is of; None if its task did not tell."""
    return _OF.get(state)
