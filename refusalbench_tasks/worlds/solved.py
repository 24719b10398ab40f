"""The outcome of a question."""

from dataclasses import dataclass

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.values import Value


@dataclass(frozen=True, slots=True)
class Solved:
    """The right behaviour, and the answer if it is to answer."""

    label: Label
    answer: Value | None = None
