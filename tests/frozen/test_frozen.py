"""Every number of 29 scripted runs, as it was before the core was written anew.

Numbers are computed from the scores that were kept, and are equal to 1e-9 but where a
definition was changed:

- A reply that is empty, cut off or stopped by the provider is the model's, and counts
  as not right. Then it was undecided like any other. Here it is undecided again, so
  that everything else can be compared.
- A jackknife counts the clusters that have a row of the metric. Then it counted all of
  the run, and here again.
- `CHANGED` names the other changes, and the numbers of each run that they show in: all
  others are equal.
"""

import math
from collections.abc import Iterator
from typing import Any

import pytest

from refusalbench_tasks.metrics.hedging import arm_estimates, hedging_values
from refusalbench_tasks.metrics.refusal import by_group, every_number
from refusalbench_tasks.metrics.source_factors import factor_effects
from refusalbench_tasks.stats import cluster, estimate
from tests.frozen.kept import KEPT, RUNS, SCORERS, numbers, replies

HEADLINE = "no headline where less than half of its rows (bluff: pairs) is known"
ANSWERS = "no answer accuracy where less than half of the answerable rows are graded"
HYBRID = (
    "both accuracies are weighted by the rows of the data, no longer by those that were"
    " decided"
)
BOTH_SIDES = (
    "without an answerable row nothing is detected, in a resample too: then any refusal"
    " was a perfect detection"
)
CHANGED: dict[str, dict[str, str]] = {
    "nq_without_codes": {"detection_f1": BOTH_SIDES, "detection_precision": BOTH_SIDES},
    "nq_panel": {"detection_precision": BOTH_SIDES},
    "nq_self_graded": dict.fromkeys(
        ("detection_f1", "detection_precision", "hierarchical_score"), BOTH_SIDES
    ),
    "nq_failing": {
        **dict.fromkeys(
            ("detection_f1", "detection_precision", "hierarchical_score"), BOTH_SIDES
        ),
        "calibrated_refusal_score": HEADLINE,
        "answer_accuracy": ANSWERS,
    },
    "nq_offline": dict.fromkeys(
        ("calibrated_refusal_score", "answer_accuracy", "control_answer_accuracy"),
        ANSWERS,
    ),
    "garage_cascade": {"hybrid_score": HYBRID},
    "garage_cascade_beta": {"hybrid_score": HYBRID},
    "garage_claims": {"hybrid_score": HYBRID},
    "garage_always_row": {"hybrid_score": HYBRID},
    "garage_offline": {
        "hybrid_score": HYBRID,
        "calibrated_refusal_score": HEADLINE,
        "answer_accuracy": ANSWERS,
    },
    "garage_without_codes": {
        "detection_f1": BOTH_SIDES,
        "detection_precision": BOTH_SIDES,
    },
    **{
        f"bluff_{name}": {"asi": HEADLINE}
        for name in (
            "logprob",
            "logprob_beta",
            "votes_epochs",
            "verbal_always",
            "orders_judged",
            "votes_orders_attribution",
            "arms",
            "worlds",
        )
    },
}
NOT_KEPT = ("confidence_mass", "source_diversity")
"""What is computed from notes of scores, which were not kept."""
CONTROLS_ONLY = "nq_controls_only"
"""There controls are the answerable rows, because there are no others; then no rate was
about any row.
"""
ENDINGS = ("_n", "_bootstrap_stderr", "_stderr", "_ci_low", "_ci_high")


@pytest.fixture(autouse=True)
def _jackknife_of_all_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    def of_all(sums: Any, statistic: Any, used: Any = None) -> Any:
        return cluster.jackknife_stderr(sums, statistic)

    monkeypatch.setattr(estimate, "jackknife_stderr", of_all)


def found(name: str) -> dict[str, float]:
    """Return every number of a run by the name that it had in a log."""
    return {
        key: value
        for part, one in _estimates(name)
        for key, value in numbers(part, one).items()
    }


def _estimates(name: str) -> Iterator[tuple[str, Any]]:
    table = replies(name)
    if RUNS[name][0] == "bluff":
        yield from hedging_values(table).items()
        for part, arms in arm_estimates(table).items():
            yield from ((f"{part}_{arm}", one) for arm, one in arms.items())
        return
    yield from every_number(table).items()
    for column, resamples in (
        ("class", 1000),
        ("intensity", 1000),
        ("domain", 1000),
        ("generator", 0),
    ):
        for group, rates in by_group(table, column, resamples=resamples).items():
            yield from ((f"{group}/{rate}", one) for rate, one in rates.items())


def same(kept: float | None, now: float) -> bool:
    if kept is None or math.isnan(now):
        return kept is None and math.isnan(now)
    return math.isclose(kept, now, rel_tol=1e-9, abs_tol=1e-9)


def of(number: str) -> str:
    """Return the metric that a number belongs to."""
    return next(
        (number.removesuffix(end) for end in ENDINGS if number.endswith(end)), number
    )


@pytest.mark.parametrize("name", [name for name in RUNS if name != CONTROLS_ONLY])
def test_numbers_of_kept_scores_stay_where_no_definition_was_changed(
    name: str,
) -> None:
    kept = KEPT[name]["metrics"][SCORERS[RUNS[name][0]]]
    now = found(name)
    compared = {
        number: (kept[number], now[number])
        for number in kept
        if number in now and of(number) not in NOT_KEPT
    }
    assert len(compared) > 100
    differ = {number: pair for number, pair in compared.items() if not same(*pair)}
    assert {of(number) for number in differ} == set(CHANGED.get(name, {})), differ


def test_rates_of_detection_differ_in_their_resamples_alone() -> None:
    for name, changed in CHANGED.items():
        for metric in (metric for metric, why in changed.items() if why == BOTH_SIDES):
            kept = KEPT[name]["metrics"][SCORERS[RUNS[name][0]]]
            now = found(name)
            assert all(
                same(kept[f"{metric}{end}"], now[f"{metric}{end}"])
                for end in ("", "_n", "_stderr")
            )


def test_controls_alone_have_the_numbers_that_they_had_as_controls() -> None:
    kept = KEPT[CONTROLS_ONLY]["metrics"]["refusal_scores"]
    now = found(CONTROLS_ONLY)
    of_controls = [number for number in kept if number.startswith("control_")]
    assert all(same(kept[number], now[number]) for number in of_controls)
    assert all(
        same(kept[number], now[number.removeprefix("control_")])
        for number in of_controls
    )


def test_what_moves_hedging_on_made_sources_is_as_it_was() -> None:
    kept = KEPT["bluff_worlds"]["metrics"]["hedging_scores"]
    table = replies("bluff_worlds")
    logged = {
        "hedges": "hedges",
        "refusal_rate": "refusal_rate",
        "confidence": "confidence_mean",
    }
    now = {
        f"{one.name}_on_{logged[one.measure]}{end}": number
        for one in factor_effects(table, tuple(logged))
        if len(one.factors) == 1
        for end, number in (
            ("", one.found.value),
            ("_n", one.found.n),
            ("_ci_low", one.found.low),
        )
    }
    assert len(now) > 25
    assert {
        number: kept[number] for number in now if not same(kept[number], now[number])
    } == {}
