"""How a run was to be scored, as its samples remember it, so that `inspect score` goes
by it.
"""

import logging
from collections.abc import Mapping
from typing import Any, Generic, Self, TypeVar

from inspect_ai.solver import TaskState
from inspect_ai.util import sample_limits

from refusalbench_tasks.arguments import Arguments
from refusalbench_tasks.datasets.item import SETTINGS
from refusalbench_tasks.replies.outside_text import one_line

Stated = Mapping[str, Any]

logger = logging.getLogger(__name__)


class ScorerSettings(Arguments):
    """Arguments of a task that say how its replies are scored; its scorers take them
    too.
    """

    @classmethod
    def displaced(cls, settings: Stated, given: Stated) -> set[str]:
        """Return which settings of a run do not go together with what is given now.

        `settings` are the run's, with those `given` in their place.
        """
        return set()

    @classmethod
    def above(cls, run: Stated, given: Stated) -> Self:
        """Return what is given, else what a run had, else the defaults.

        Raises DataError for values that are not of their kind or do not go together.
        """
        settings = {**run, **given}
        outdated = cls.displaced(settings, given) - set(given)
        kept = (set(settings) & set(cls.model_fields)) - outdated
        return cls(**{name: settings[name] for name in kept})


Settings = TypeVar("Settings", bound=ScorerSettings)


class RunSettings(Generic[Settings]):
    """The settings of a scorer: what its caller gives, above what the run had, above
    the defaults.

    Raises DataError for what is given and not of its kind, before any sample.
    """

    def __init__(self, kind: type[Settings], given: Mapping[str, object]) -> None:
        self._kind = kind
        self._given = kind.some(given)
        self._warned: set[str] = set()

    @property
    def alone(self) -> Settings:
        """Return the settings where no run says anything.

        Raises DataError for one that has no default.
        """
        return self._kind.above({}, self._given)

    def of(self, state: TaskState) -> Settings:
        """Return the settings for a sample.

        Warns, once each, where what is given differs from what the run had, and where a
        log that is scored again does not say what it had.
        """
        stored = state.metadata.get(SETTINGS)
        run = stored if isinstance(stored, Mapping) else {}
        for name, value in self._given.items():
            had = run.get(name, value)
            if had != value:
                given = f"{name}={value} is given"
                self._warn(one_line(f"{given}, but the run had {name}={had}"))
        # a task of one's own takes the defaults on purpose; of a log they are a guess
        if not run and not _sample_runs():
            self._warn(
                "the log does not say how it was scored; what -S does not give is taken"
                " by default"
            )
        return self._kind.above(run, self._given)

    def _warn(self, message: str) -> None:
        if message not in self._warned:
            self._warned.add(message)
            logger.warning(message)


def _sample_runs() -> bool:
    """Whether the sample is being run, and not one of a log that is scored again."""
    try:
        sample_limits()
    except RuntimeError:
        return False
    return True
