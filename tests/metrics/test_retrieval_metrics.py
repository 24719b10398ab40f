"""Hit@k and false refusals by whether the gold passage was retrieved, by hand."""

import math

from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics.refusal_rows import RefusalRow, RefusalRows
from refusalbench_tasks.metrics.refusal_values import main_rates
from refusalbench_tasks.metrics.retrieval import RETRIEVAL, retrieval, retrieval_intervals
from refusalbench_tasks.metrics.sample_facts import SampleFacts
from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.taxonomy import Label

ANSWER, MISSING = Label.ANSWER, Label.MISSING


def row(
    hit: bool | None, predicted: Label | None, expected: Label = ANSWER, k: int | None = 5, name: str = "a"
) -> RefusalRow:
    facts = SampleFacts(expected=expected, source=name, item=name)
    correct = True if predicted is expected is ANSWER else None
    return RefusalRow(
        outcome=Outcome(expected, predicted, correct, name), facts=facts, retrieved_k=k, gold_retrieved=hit
    )


def test_a_false_refusal_is_the_readers_after_a_hit_and_the_retrievers_after_a_miss() -> None:
    rows = RefusalRows(
        [
            *[row(True, ANSWER)] * 3, row(True, MISSING), row(True, None, k=3),
            row(False, ANSWER), *[row(False, MISSING)] * 2,
            row(None, MISSING), row(True, MISSING, MISSING), row(None, ANSWER, k=None),
        ]
    )  # fmt: skip
    # known: 5 hits and 3 misses of answerable rows; of the hits 4 are decided and 1 refused, of the misses 3 and 2
    assert retrieval(rows) == {
        "hit_at_k": 5 / 8, "hit_at_k_n": 8,
        "false_refusal_rate_given_hit": 1 / 4, "false_refusal_rate_given_hit_n": 4,
        "false_refusal_rate_given_miss": 2 / 3, "false_refusal_rate_given_miss_n": 3,
        "retrieved_k": 4.8, "retrieved_k_n": 10,
    }  # fmt: skip


def test_a_run_that_tells_nothing_of_retrieval_has_none_of_its_metrics() -> None:
    rows = RefusalRows([row(None, ANSWER, k=None), row(None, MISSING, MISSING, k=None)])
    assert retrieval(rows) == retrieval_intervals(rows) == {}
    assert not any(name in main_rates(rows) for name in RETRIEVAL)


def test_what_has_no_denominator_is_undefined() -> None:
    found = retrieval(RefusalRows([row(True, MISSING)]))
    assert found["hit_at_k"] == 1
    assert math.isnan(found["false_refusal_rate_given_miss"])
    assert found["false_refusal_rate_given_miss_n"] == 0


def test_intervals_resample_questions() -> None:
    rows = RefusalRows([row(k % 4 > 0, MISSING if k % 3 else ANSWER, name=f"q{k // 2}") for k in range(80)])
    values, sure = retrieval(rows), retrieval_intervals(rows, resamples=200)
    for name in RETRIEVAL:
        assert sure[f"{name}_ci_low"] < values[name] < sure[f"{name}_ci_high"]
    assert retrieval_intervals(rows, resamples=200, cluster="row") != sure


ROWS = st.lists(
    st.builds(row, st.sampled_from([True, False, None]), st.sampled_from([ANSWER, MISSING, None])), min_size=1
)


@given(ROWS)
def test_both_sides_together_are_the_false_refusal_rate_where_retrieval_is_known(
    every: list[RefusalRow],
) -> None:
    rows = RefusalRows(one for one in every if one.gold_retrieved is not None)
    found = retrieval(rows)
    if not found:
        return
    sides = [(found[name], found[f"{name}_n"]) for name in RETRIEVAL[1:]]
    refused = sum(rate * n for rate, n in sides if n)
    decided = sum(n for _, n in sides)
    whole = main_rates(rows)["false_refusal_rate"]
    assert (math.isnan(whole) and not decided) or math.isclose(refused, whole * decided, abs_tol=1e-9)
