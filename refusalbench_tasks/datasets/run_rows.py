"""The rows of a run, for a solver that must know all of them and not the one that it is given."""

from collections.abc import Iterable
from contextvars import ContextVar
from typing import Protocol


class HasQuestion(Protocol):
    """An item of any of our data sets."""

    @property
    def item_id(self) -> str:
        """Return the id of its sample."""

    @property
    def query(self) -> str:
        """Return its question."""

    @property
    def source_id(self) -> str:
        """Return its base question."""


class RunRows:
    """The ids of a run's rows with their questions; no part of a log."""

    def __init__(self, items: Iterable[HasQuestion]) -> None:
        kept = list(items)
        self.questions = {item.item_id: item.query for item in kept}
        self.bases = frozenset({item.source_id for item in kept} | set(self.questions.values()))
        """The base questions of the rows, and the questions themselves: what no example may share."""

    def _repr_params_(self) -> int:
        """Return what Inspect writes down of an argument of this kind: how many rows there are."""
        return len(self.questions)


RUN_ROWS: ContextVar[RunRows | None] = ContextVar("RUN_ROWS", default=None)
"""The rows of the run that the sample at hand is of, as its task's setup tells; None if it does not."""
