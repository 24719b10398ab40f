"""Two logs of one data set, sample by sample."""

from collections.abc import Sequence
from dataclasses import replace

from refusalbench_tasks.compare.differences import Comparison
from refusalbench_tasks.compare.hedging import hedging_comparison
from refusalbench_tasks.compare.refusal import refusal_comparison
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.logs.replies import Replies
from refusalbench_tasks.logs.run import HedgingRun
from refusalbench_tasks.stats.mcnemar import holm

Compared = Replies | HedgingRun


def compare(first: Compared, others: Sequence[Compared], any_data: bool = False, resamples: int = 1000, seed: int = 0
            ) -> list[Comparison]:  # fmt: skip
    """Return the paired comparison of each other log with the first, over the samples that are decided in both.

    A reply that is undecided in one log takes the pair out of everything, so that both columns rest on the same
    samples. Intervals resample base questions; the McNemar tests of all comparisons are one family. Raises DataError if
    the logs are of different tasks or protocols, of different data (unless `any_data`), or share no decided sample.
    """
    made = []
    for other in others:
        if other.task != first.task:
            raise DataError(f"{other.name}: a run of {other.task}, but {first.name} is one of {first.task}")
        if other.protocol != first.protocol:
            raise DataError(f"{other.name}: scored by {other.protocol}, but {first.name} by {first.protocol}")
        if (other.fingerprint != first.fingerprint or not first.fingerprint) and not any_data:
            raise DataError(
                f"{other.name}: its data ({other.fingerprint or 'unknown'}) are not those of {first.name} "
                f"({first.fingerprint or 'unknown'}); compare what both have with --any-data"
            )
        made.append(_comparison(first, other, resamples, seed))
    adjusted = iter(holm([decision.test.p for one in made for decision in one.decisions]))
    return [_with_holm(one, [next(adjusted) for _ in one.decisions]) for one in made]


def _comparison(first: Compared, other: Compared, resamples: int, seed: int) -> Comparison:
    if isinstance(first, Replies) and isinstance(other, Replies):
        return refusal_comparison(first, other, resamples, seed)
    if isinstance(first, Replies) or isinstance(other, Replies):
        raise DataError(f"{other.name} and {first.name} are logs of different kinds")
    return hedging_comparison(first, other, resamples, seed)


def _with_holm(one: Comparison, adjusted: Sequence[float]) -> Comparison:
    decisions = tuple(replace(each, p_holm=p) for each, p in zip(one.decisions, adjusted, strict=True))
    return replace(one, decisions=decisions)
