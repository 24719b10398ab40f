"""The rates of `nq` and `garage`: their denominators, and rows of metrics."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.metrics.refusal_counts import count_columns, count_sums
from refusalbench_tasks.metrics.refusal_metrics import RATES
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.taxonomy import Label
from tests.metrics.refusal_rates import FAILED, HAND, measured
from tests.metrics.replies import A, M, X, some

CUT = "truncated"


def ns(
    rows: Sequence[tuple[Any, ...]], protocol: Protocol = "paper"
) -> dict[str, float]:
    sums = count_sums(some(rows).assign(protocol=protocol))
    sizes = sums.sizes([*RATES.values()], sums.rows.sum(axis=0))
    return dict(zip(RATES, sizes.tolist(), strict=True))


def test_the_released_codes_denominators_hold_the_undecided_rows() -> None:
    m = measured(HAND, "official-code")
    assert m["answer_accuracy"] == pytest.approx(2 / 5)
    assert m["refusal_accuracy"] == pytest.approx(3 / 7)
    assert m["false_refusal_rate"] == pytest.approx(1 / 5)
    assert m["missed_refusal_rate"] == pytest.approx(1 / 7)
    assert m["refusal_rate"] == pytest.approx(5 / 7)
    assert measured([(A, A, True)], "official-code")["refusal_accuracy"] == 0


def test_a_reply_that_was_not_given_is_in_the_denominators_and_not_right() -> None:
    # the paper: "of all answerable instances"
    rows = [
        (A, A, True),
        (A, CUT),
        (A, "no_response"),
        (M, M),
        (M, "provider_refusal"),
        (M, A),
    ]
    m = measured(rows)
    n = ns(rows)
    assert [m["answer_accuracy"], n["answer_accuracy"]] == pytest.approx([1 / 3, 3])
    assert [m["refusal_accuracy"], n["refusal_accuracy"]] == pytest.approx([1 / 3, 3])
    # it is neither an answer nor a refusal
    assert (m["false_refusal_rate"], n["false_refusal_rate"]) == (0, 3)
    assert (m["missed_refusal_rate"], m["correct_refusal_rate"]) == pytest.approx(
        (1 / 3, 1 / 3)
    )
    assert [m["detection_precision"], m["detection_f1"]] == pytest.approx([1, 0.5])
    assert m["no_reply_rate"] == 3 / 6
    assert m["macro_refusal_accuracy"] == pytest.approx(1 / 3)


@pytest.mark.parametrize("protocol", ["paper", "official-code"])
def test_an_undecided_reply_is_a_reply_and_a_missing_recording_is_none(
    protocol: Protocol,
) -> None:
    rows = [(A, "no_response"), (A, A, True), (M, M), (M, "grader_failed")]
    rows += [(A, "undecided_offline"), (M, "not_in_file")]
    assert measured(rows, protocol)["no_reply_rate"] == 1 / 5
    assert ns(rows)["no_reply_rate"] == 5
    never = [(A, "not_in_file"), (M, "not_in_file")]
    assert np.isnan(measured(never)["no_reply_rate"])


rows_of = st.lists(
    st.tuples(
        st.sampled_from([x for x in Label if x is not X]),
        st.sampled_from([FAILED, CUT, *Label]),
        st.none() | st.booleans(),
    ),
    max_size=40,
)


@given(rows_of)
def test_rates_are_shares_and_agree_with_one_another(
    rows: list[tuple[Any, ...]],
) -> None:
    protocols: tuple[Protocol, ...] = ("paper", "official-code")
    for protocol in protocols:
        found = np.array(list(measured(rows, protocol).values()))
        assert np.all(np.isnan(found) | ((found >= 0) & (found <= 1 + 1e-12)))
    m = measured(rows)
    c = {name: count.sum() for name, count in count_columns(some(rows)).items()}
    if c["unanswerable"]:
        silent = (
            sum(said == CUT for gold, said, _ in rows if gold is not A)
            / c["unanswerable"]
        )
        assert m["missed_refusal_rate"] + m[
            "detection_recall"
        ] + silent == pytest.approx(1)
        assert m["refusal_accuracy"] <= m["detection_recall"] + 1e-12
