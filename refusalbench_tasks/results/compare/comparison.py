"""Two logs of one data set, sample by sample."""

from collections.abc import Sequence
from dataclasses import replace

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.compare.differences import Comparison, Draws
from refusalbench_tasks.results.compare.hedging import hedging_comparison
from refusalbench_tasks.results.compare.refusal import refusal_comparison
from refusalbench_tasks.results.logs.run import AnyRun, HedgingRun, RefusalRun
from refusalbench_tasks.stats.mcnemar import holm


def compare(
    first: AnyRun,
    others: Sequence[AnyRun],
    any_data: bool = False,
    resamples: int = 1000,
    seed: int = 0,
    flips: int | None = None,
) -> list[Comparison]:
    """Return the paired comparison of each other log with the first, over the samples that are decided in both.

    A reply that is undecided in one log takes the pair out of everything, so that both columns rest on the same
    samples. Intervals resample base questions, or rows where both runs were told so; the McNemar tests of all
    comparisons are one family. `flips` are the draws of the sign-flip tests, as many as `resamples` if not given.
    Raises DataError if the logs are of different tasks, protocols or lists of hedges, of
    different data (unless `any_data`), or share no decided sample.
    """
    return compare_pairs([(first, other) for other in others], any_data, resamples, seed, flips)


def compare_pairs(
    pairs: Sequence[tuple[AnyRun, AnyRun]],
    any_data: bool = False,
    resamples: int = 1000,
    seed: int = 0,
    flips: int | None = None,
) -> list[Comparison]:
    """Return the paired comparison of the second run of each pair with its first; the tests of all are one family.

    Errors and `flips` as in `compare`.
    """
    draws = Draws(resamples, seed, flips or resamples)
    for first, other in pairs:
        _check(first, other, any_data)
    return _with_holm([_comparison(first, other, draws) for first, other in pairs])


def _check(first: AnyRun, other: AnyRun, any_data: bool) -> None:
    if other.task != first.task:
        raise DataError(f"{other.name}: a run of {other.task}, but {first.name} is one of {first.task}")
    if other.protocol != first.protocol:
        raise DataError(f"{other.name}: scored by {other.protocol}, but {first.name} by {first.protocol}")
    if other.lexicon != first.lexicon:
        lists = [run.lexicon or "an unknown list" for run in (other, first)]
        raise DataError(
            f"{other.name}: its hedges were counted by {lists[0]}, those of {first.name} by {lists[1]}; "
            "score both again with one list (inspect score -S lexicon=...)"
        )
    if (other.fingerprint != first.fingerprint or not first.fingerprint) and not any_data:
        raise DataError(
            f"{other.name}: its data ({other.fingerprint or 'unknown'}) are not those of {first.name} "
            f"({first.fingerprint or 'unknown'}); compare what both have with --any-data"
        )


def _comparison(first: AnyRun, other: AnyRun, draws: Draws) -> Comparison:
    match first, other:
        case RefusalRun(), RefusalRun():
            return refusal_comparison(first, other, draws)
        case HedgingRun(), HedgingRun():
            return hedging_comparison(first, other, draws)
        case _:
            raise DataError(f"{other.name} and {first.name} are logs of different kinds")


def _with_holm(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons with p adjusted over the tests of all of them."""
    adjusted = iter(holm([test.mcnemar.p for comparison in comparisons for test in comparison.tests]))
    return [
        replace(comparison, tests=tuple(replace(test, p_holm=next(adjusted)) for test in comparison.tests))
        for comparison in comparisons
    ]
