"""Every number of 29 scripted runs, as it was before the core was written anew.

Numbers are computed from the scores that were kept, and are equal to 1e-9 but where a definition was changed:

- A reply that is empty, cut off or stopped by the provider is the model's, and counts as not right. Then it was
  undecided like any other. Here it is undecided again, so that everything else can be compared.
- A jackknife counts the clusters that have a row of the metric. Then it counted all of the run, and here again.
- `CHANGED` names the other changes, and the numbers of each run that they show in: all others are equal.
"""

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.metrics.hedging import arm_estimates
from refusalbench_tasks.metrics.hedging import values as hedging_values
from refusalbench_tasks.metrics.refusal import every_number
from refusalbench_tasks.metrics.refusal_groups import by_group
from refusalbench_tasks.metrics.source_factors import factor_effects
from refusalbench_tasks.outcome import reply_outcome
from refusalbench_tasks.stats import cluster, estimate
from tests.frozen.kept import KEPT, SCORERS, numbers, replies
from tests.frozen.runs import RUNS, freeze, run

HEADLINE = "no headline where less than half of its rows (bluff: pairs) is known"
ANSWERS = "no answer accuracy where less than half of the answerable rows are graded"
HYBRID = "both accuracies are weighted by the rows of the data, no longer by those that were decided"
BOTH_SIDES = (
    "without an answerable row nothing is detected, in a resample too: then any refusal was a perfect detection"
)
CHANGED: dict[str, dict[str, str]] = {
    "nq_without_codes": {"detection_f1": BOTH_SIDES, "detection_precision": BOTH_SIDES},
    "nq_panel": {"detection_precision": BOTH_SIDES},
    "nq_self_graded": dict.fromkeys(("detection_f1", "detection_precision", "hierarchical_score"), BOTH_SIDES),
    "nq_failing": {
        **dict.fromkeys(("detection_f1", "detection_precision", "hierarchical_score"), BOTH_SIDES),
        "calibrated_refusal_score": HEADLINE,
        "answer_accuracy": ANSWERS,
    },
    "nq_offline": dict.fromkeys(("calibrated_refusal_score", "answer_accuracy", "control_answer_accuracy"), ANSWERS),
    "garage_cascade": {"hybrid_score": HYBRID},
    "garage_cascade_beta": {"hybrid_score": HYBRID},
    "garage_claims": {"hybrid_score": HYBRID},
    "garage_always_row": {"hybrid_score": HYBRID},
    "garage_offline": {"hybrid_score": HYBRID, "calibrated_refusal_score": HEADLINE, "answer_accuracy": ANSWERS},
    "garage_without_codes": {"detection_f1": BOTH_SIDES, "detection_precision": BOTH_SIDES},
    **{
        f"bluff_{name}": {"asi": HEADLINE}
        for name in ("logprob", "logprob_beta", "votes_epochs", "verbal_always", "orders_judged",
                     "votes_orders_attribution", "arms", "worlds")
    },
}  # fmt: skip
NOT_KEPT = ("confidence_mass", "position_bias", "source_diversity")
"""What is computed from notes of scores, which were not kept."""
CONTROLS_ONLY = "nq_controls_only"
"""There controls are the answerable rows, because there are no others; then no rate was about any row."""
ENDINGS = ("_n", "_bootstrap_stderr", "_stderr", "_ci_low", "_ci_high")


@pytest.fixture(autouse=True)
def _jackknife_of_all_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    def of_all(sums: Any, statistic: Any, used: Any = None) -> Any:
        return cluster.jackknife_stderr(sums, statistic)

    monkeypatch.setattr(estimate, "jackknife_stderr", of_all)


def found(name: str) -> dict[str, float]:
    """Return every number of a run by the name that it had in a log."""
    return {key: value for part, one in _estimates(name) for key, value in numbers(part, one).items()}


def _estimates(name: str) -> Iterator[tuple[str, Any]]:
    table = replies(name)
    if RUNS[name].task == "bluff":
        yield from hedging_values(table).items()
        for part, arms in arm_estimates(table).items():
            yield from ((f"{part}_{arm}", one) for arm, one in arms.items())
        return
    yield from every_number(table).items()
    for column, resamples in (("class", 1000), ("intensity", 1000), ("domain", 1000), ("generator", 0)):
        for group, rates in by_group(table, column, resamples=resamples).items():
            yield from ((f"{group}/{rate}", one) for rate, one in rates.items())


def same(kept: float | None, now: float) -> bool:
    if kept is None or math.isnan(now):
        return kept is None and math.isnan(now)
    return math.isclose(kept, now, rel_tol=1e-9, abs_tol=1e-9)


def of(number: str) -> str:
    """Return the metric that a number belongs to."""
    return next((number.removesuffix(end) for end in ENDINGS if number.endswith(end)), number)


@pytest.mark.parametrize("name", [name for name in RUNS if name != CONTROLS_ONLY])
def test_numbers_of_kept_scores_are_those_of_then_but_where_a_definition_was_changed(name: str) -> None:
    kept, now = KEPT[name]["metrics"][SCORERS[RUNS[name].task]], found(name)
    compared = {number: (kept[number], now[number]) for number in kept if number in now and of(number) not in NOT_KEPT}
    assert len(compared) > 100
    differ = {number: pair for number, pair in compared.items() if not same(*pair)}
    assert {of(number) for number in differ} == set(CHANGED.get(name, {})), differ


def test_rates_of_detection_differ_in_their_resamples_alone() -> None:
    for name, changed in CHANGED.items():
        for metric in (metric for metric, why in changed.items() if why == BOTH_SIDES):
            kept, now = KEPT[name]["metrics"][SCORERS[RUNS[name].task]], found(name)
            assert all(same(kept[f"{metric}{end}"], now[f"{metric}{end}"]) for end in ("", "_n", "_stderr"))


def test_controls_alone_have_the_numbers_that_they_had_as_controls() -> None:
    kept, now = KEPT[CONTROLS_ONLY]["metrics"]["refusal_scores"], found(CONTROLS_ONLY)
    of_controls = [number for number in kept if number.startswith("control_")]
    assert all(same(kept[number], now[number]) for number in of_controls)
    assert all(same(kept[number], now[number.removeprefix("control_")]) for number in of_controls)


@pytest.mark.parametrize("name", ["nq_cascade", "nq_failing", "nq_official", "garage_claims", "garage_without_codes"])
def test_a_reply_of_then_has_its_score_of_then_but_what_the_model_failed_to_give(name: str, tmp_path: Path) -> None:
    scorer, now = SCORERS[RUNS[name].task], freeze(run(name, tmp_path))["samples"]
    then = KEPT[name]["samples"]
    # rows were mended since, and a scripted reply is made of its row's answers
    same_reply = [key for key in now if key in then and now[key]["reply"] == then[key]["reply"]]
    assert len(same_reply) > 0.7 * len(then)
    for key in same_reply:
        one, other = (part[key]["scores"][scorer] for part in (then, now))
        if reply_outcome(one["reason"]) == "no_reply":
            assert (other["reason"], other["value"]["right"], other["value"]["unscored"]) == (one["reason"], 0, 0)
        else:
            assert other == one, key


def test_what_moves_hedging_on_made_sources_is_as_it_was() -> None:
    kept, table = KEPT["bluff_worlds"]["metrics"]["hedging_scores"], replies("bluff_worlds")
    logged = {"hedges": "hedges", "refusal_rate": "refusal_rate", "confidence": "confidence_mean"}
    now = {
        f"{one.name}_on_{logged[one.measure]}{end}": number
        for one in factor_effects(table, tuple(logged))
        if len(one.factors) == 1
        for end, number in (("", one.found.value), ("_n", one.found.n), ("_ci_low", one.found.low))
    }
    assert len(now) > 25
    assert {number: kept[number] for number in now if not same(kept[number], now[number])} == {}


PLAIN_WORDS = ("overlap", "grounding", "faithfulness")
"""Under `paper` these are of all words; then stop words were left out of them."""
NO_HEDGES = ("hedges", "hedge_strength")
"""A line that refuses holds no hedges; then those of list v2 had "don't know"."""


@pytest.mark.parametrize("name", ["bluff_logprob", "bluff_orders_judged", "bluff_lexicon_v1_offline", "bluff_arms"])
def test_a_reply_to_bluff_has_its_score_of_then_but_in_words_that_all_share_and_hedges_of_refusals(
    name: str, tmp_path: Path
) -> None:
    changed, read_now = set(), 0
    for one, other in _of_same_replies(name, tmp_path):
        if reply_outcome(one["reason"]) == "no_reply":
            assert (other["reason"], other["value"]["unscored"]) == (one["reason"], 0)
            continue
        if (one["reason"], other["reason"]) == ("undecided_offline", None):
            read_now += 1  # offline free text is read, where it was undecided
            continue
        assert {part: other[part] for part in ("answer", "reason")} == {
            part: one[part] for part in ("answer", "reason")
        }
        differ = {number for number, value in one["value"].items() if not _alike(value, other["value"][number])}
        assert differ <= {*PLAIN_WORDS, *(NO_HEDGES if one["value"]["refused"] != 0 else ())}
        changed |= differ
    assert ("overlap" in changed) == (read_now == 0) == (name != "bluff_lexicon_v1_offline")


def test_official_code_measures_replies_that_are_empty_or_cut_and_no_other_score_changed(tmp_path: Path) -> None:
    measured = Counter[str]()
    for one, other in _of_same_replies("bluff_official", tmp_path):
        if one["reason"] in ("no_response", "truncated"):
            measured[one["reason"]] += 1
            assert (other["reason"], other["value"]["refused"], other["value"]["unscored"]) == (None, 0, 0)
        else:
            assert all(_alike(value, other["value"][number]) for number, value in one["value"].items()
                       if number != "unscored")  # fmt: skip
    assert min(measured[reason] for reason in ("no_response", "truncated")) > 0


def _alike(kept: float | None, now: float | None) -> bool:
    return kept is None if now is None else same(kept, now)


def _of_same_replies(name: str, folder: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return the score of then and that of now of each reply that is the same: rows were mended since."""
    scorer, now, then = SCORERS[RUNS[name].task], freeze(run(name, folder))["samples"], KEPT[name]["samples"]
    found = [
        (then[key]["scores"][scorer], now[key]["scores"][scorer])
        for key in now
        if key in then and now[key]["reply"] == then[key]["reply"]
    ]
    assert len(found) > 0.7 * len(then)
    return found
