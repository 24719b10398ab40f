"""What the scorers of one sample share: the first of them asks the grader, the others
take what it found.

A log's stored state must not be trusted for it, because `inspect score` runs on old
logs with another judge. So the finding goes with the score object of the pass that is
running, in a field that no log holds.
"""

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from inspect_ai.scorer import CORRECT, INCORRECT, Score, Value
from inspect_ai.solver import TaskState
from inspect_ai.util import LimitExceededError
from pydantic import PrivateAttr

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.ask import CallFailed
from refusalbench_tasks.replies.outside_text import problem_of

Finding = TypeVar("Finding")


class CarryingScore(Score):
    """A score with the finding it was made from, and the settings that led to it."""

    _settings: Any = PrivateAttr(default=None)
    _finding: Any = PrivateAttr(default=None)


def carrying(
    score: Score,
    settings: object,
    finding: object,
) -> Score:
    """Return a score that gives a finding by some settings to the scorers after it."""
    copy = CarryingScore(**dict(score))
    copy._settings = settings
    copy._finding = finding
    return copy


async def shared(
    state: TaskState,
    settings: object,
    find: Callable[[], Coroutine[Any, Any, Finding]],
    failed: Callable[[str], Finding],
) -> Finding:
    """Return what a scorer before found by the same settings in this pass, else what is
    to be found now.

    An error of our own code costs the row, never the run: it is `failed` with the
    problem. Raises DataError, a limit of the sample, and an error of a provider.
    """
    for score in (state.scores or {}).values():
        if isinstance(score, CarryingScore) and score._settings == settings:
            finding: Finding = score._finding
            return finding
    try:
        return await find()
    except CallFailed as call:
        raise call.error from None
    except (DataError, LimitExceededError):
        raise
    except Exception as error:
        return failed(problem_of(error))


def verdict_of(right: bool | None) -> Value:
    """Return `C` or `I`; NaN if it is unknown which."""
    if right is None:
        return float("nan")
    return CORRECT if right else INCORRECT
