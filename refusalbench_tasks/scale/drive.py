"""Shards worked on side by side, by whatever runs them."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol

from refusalbench_tasks.scale.shard_run import Outcome

MOST_FAILURES = 3
"""So many shards that fail one after the other, and no other is begun: they would all fail."""


class Runner(Protocol):
    """Works on shards in the background."""

    def start(self, shard: int) -> None:
        """Begin to work on a shard."""

    def wait(self) -> Outcome:
        """Return what came of the next shard that ends."""

    def stop(self) -> None:
        """End the work on all shards; they can be continued later."""


def drive(shards: Iterable[int], at_once: int, runner: Runner, told: Callable[[Outcome], object]) -> list[Outcome]:
    """Work on the shards, at most `at_once` at a time, and return the outcomes in the order in which they came.

    After `MOST_FAILURES` in a row no other is begun. Whatever ends this, Ctrl-C too, stops the work on all.
    """
    waiting, running, failures = deque(shards), 0, 0
    outcomes: list[Outcome] = []
    try:
        while running or (waiting and failures < MOST_FAILURES):
            while waiting and running < at_once and failures < MOST_FAILURES:
                runner.start(waiting.popleft())
                running += 1
            outcome = runner.wait()
            running -= 1
            failures = 0 if outcome.finished else failures + 1
            outcomes.append(outcome)
            told(outcome)
    except BaseException:
        runner.stop()
        raise
    return outcomes
