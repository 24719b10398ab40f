"""How a run was to be scored, as its samples remember it, so that `inspect score` goes
by it.
"""

import logging
from collections.abc import Mapping
from typing import Any

from inspect_ai.solver import TaskState
from inspect_ai.util import sample_limits

from refusalbench_tasks.datasets.item import SETTINGS

logger = logging.getLogger(__name__)


class RunSettings:
    """The settings of a scorer: what its caller gives (None: nothing), above what the
    run had, above the defaults.
    """

    def __init__(
        self, given: Mapping[str, object], defaults: Mapping[str, object]
    ) -> None:
        self._given = {
            name: value for name, value in given.items() if value is not None
        }
        self._defaults = defaults
        self._told: set[str] = set()

    def of(self, state: TaskState) -> dict[str, Any]:
        """Return every setting by name for a sample.

        Warns, once a setting, where what is given differs from what the run had, and
        where a log that is scored again does not say what it had and nothing is given.
        """
        stored = state.metadata.get(SETTINGS)
        had: Mapping[str, object] = stored if isinstance(stored, Mapping) else {}
        for name, value in self._given.items():
            if name in had and had[name] != value:
                self._tell(
                    name, f"{name}={value} is given, but the run had {name}={had[name]}"
                )
        for name, value in self._defaults.items():
            # a task of one's own takes the defaults on purpose; of an old log they are
            # a guess
            if (
                name not in had
                and name not in self._given
                and value is not None
                and not _sample_runs()
            ):
                self._tell(
                    name,
                    f"the log does not say its {name}; {name}={value} is taken, give"
                    " another with -S",
                )
        return {
            name: self._given.get(name, had.get(name, default))
            for name, default in self._defaults.items()
        }

    def _tell(self, name: str, message: str) -> None:
        if name not in self._told:
            self._told.add(name)
            logger.warning(message)


def _sample_runs() -> bool:
    """Whether the sample is being run, and not one of a log that is scored again."""
    try:
        sample_limits()
    except RuntimeError:
        return False
    return True
