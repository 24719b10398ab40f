"""Quads that could not be made or proven: left out of what is written, named and counted."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from refusalbench_tasks.worlds.proof import Disagreement
from refusalbench_tasks.worlds.turn import NoQuad

Failure: TypeAlias = Disagreement | NoQuad
FEW = 10
"""So many quads may fail in any range."""
ONE_IN = 100
"""In a longer range, one in so many may fail."""


@dataclass
class Failures:
    """How many quads of a range were tried, and what was wrong with those that failed."""

    quads: int = 0
    errors: list[Failure] = field(default_factory=list)

    def take(self, quads: int, errors: Sequence[Failure]) -> None:
        """Count the quads of a batch.

        Raises the first failure if there are more than FEW and more than one in ONE_IN: a fault of the packs or of the
        reader, not a rare sentence.
        """
        self.quads += quads
        self.errors += errors
        if len(self.errors) > max(FEW, self.quads / ONE_IN):
            raise self.errors[0]
