"""What the scorers of one sample share: the first of them asks the grader, the others
take what it found.

A log's stored state must not be trusted for it, because `inspect score` runs on old
logs with another judge. So the finding goes with the score object of the pass that is
running, in a field that no log holds.
"""

from typing import Any, TypeVar

from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState
from pydantic import PrivateAttr

Finding = TypeVar("Finding")


class CarryingScore(Score):
    """A score with the finding it was made from, and the settings that led to it."""

    _settings: Any = PrivateAttr(default=None)
    _finding: Any = PrivateAttr(default=None)


def carrying(score: Score, settings: object, finding: object) -> Score:
    """Return a score that gives a finding by some settings to the scorers after it."""
    copy = CarryingScore(**dict(score))
    copy._settings = settings
    copy._finding = finding
    return copy


def carried(state: TaskState, settings: object, kind: type[Finding]) -> Finding | None:
    """Return what a scorer before found by the same settings in this pass; None if none
    has.
    """
    for score in (state.scores or {}).values():
        if (
            isinstance(score, CarryingScore)
            and isinstance(score._finding, kind)
            and score._settings == settings
        ):
            return score._finding
    return None
