"""The source of a run's samples: the plan, and what follows from a finished sample."""

from collections.abc import Callable, Sequence

from inspect_ai import SampleSource, enqueue_sample
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSample

Following = Callable[[EvalSample], tuple[Sample, int] | None]
"""Returns the sample that follows a finished one, with its epoch; None if none does."""


class Attempts(SampleSource):
    """Runs every sample of a plan, and those that follow.

    What follows depends on the finished sample alone, so a run that was killed and
    retried ends in the same set. Attempts at an item share its id, and each is an epoch
    of it: Inspect's `--limit` counts ids.
    """

    def __init__(
        self,
        first: Sequence[Sample],
        following: Following,
    ) -> None:
        self._first, self._following = list(first), following

    def initial_samples(self) -> list[Sample]:
        """Return the first attempt at every item."""
        return self._first

    async def sample_complete(self, sample: EvalSample) -> None:
        """Add the next attempt to the run, if there is to be one."""
        following = self._following(sample)
        if following is not None:
            attempt, epoch = following
            enqueue_sample(attempt, epoch=epoch)
