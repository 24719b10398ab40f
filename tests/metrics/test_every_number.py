"""What a log holds of replies, and the rates of groups of them, worked by hand."""

import math
from typing import Any

import pandas as pd
import pytest

from refusalbench_tasks.metrics.refusal import (
    by_group,
    every_number,
    logged_numbers,
    values,
)
from refusalbench_tasks.metrics.refusal_metrics import main_metrics
from tests.metrics.replies import A, C, M, X, replies, reply, some

TABLE = some(
    [
        (A, A, True, "a"),
        (A, A, False, "b"),
        (A, M, None, "b"),
        (A, "truncated", None, "c"),
        (M, M, None, "a"),
        (M, C, None, "b"),
        (C, A, None, "b"),
        (C, "grader_failed", None, "c"),
    ]
)
CONTROLS = some(
    [(A, A, True, "a"), (A, M, None, "b"), (A, "grader_failed", None, "d")]
).assign(control=True)
EVERYTHING = pd.concat([TABLE, CONTROLS], ignore_index=True)


def test_controls_have_numbers_of_their_own_by_the_papers_formulas() -> None:
    for protocol in ("paper", "official-code"):
        m = every_number(EVERYTHING.assign(protocol=protocol), 0)
        assert (m["control_answer_accuracy"].value, m["control_answer_accuracy"].n) == (
            1 / 2,
            2,
        )
        assert (
            m["control_false_refusal_rate"].value,
            m["control_false_refusal_rate"].n,
        ) == (1 / 2, 2)
    assert not [name for name in every_number(TABLE, 0) if name.startswith("control_")]


def test_a_log_holds_the_main_metrics_each_with_its_standard_error() -> None:
    m = logged_numbers(EVERYTHING)
    due = values(EVERYTHING, 0)
    for name in main_metrics(EVERYTHING):
        assert (m[name], m[f"{name}_stderr"]) == pytest.approx(
            (due[name].value, due[name].stderr), nan_ok=True
        )
    assert m["stderr"] == due["calibrated_refusal_score"].stderr
    assert (m["no_reply_rate"], m["unscored_rate"]) == (1 / 8, 1 / 8)
    assert "refusal_rate" not in m


def test_a_log_holds_at_most_forty_numbers_whatever_a_run_measures() -> None:
    noted: dict[str, Any] = {
        "level": "CONFIDENT",
        "confidence_asked": True,
        "retrieved_k": 3,
        "gold_retrieved": True,
    }
    facts = {"pair": "p", "accepted_alternatives": []}
    numbers = {"eligible": 1.0, "factual_all": 1.0}
    everything = replies(
        reply(A, A, True, numbers=numbers, facts=facts, **noted),
        reply(
            M,
            X,
            numbers=numbers,
            facts=facts | {"accepted_alternatives": [X.value]},
            **noted,
        ),
        reply(A, A, True, numbers=numbers, facts={"control": True}),
    )
    m = logged_numbers(everything)
    assert {
        "ece",
        "answer_quality",
        "hit_at_k",
        "pair_consistency",
        "control_answer_accuracy",
    } <= set(m)
    assert len(m) <= 40


def test_groups_have_rates_with_their_n_and_errors() -> None:
    table = TABLE.assign(intensity=["LOW"] * 4 + ["MEDIUM"] * 2 + ["HIGH", ""])
    found = by_group(table, "intensity", resamples=50)
    assert set(found) == {"LOW", "MEDIUM", "HIGH"}
    low = found["LOW"]["answer_accuracy"]
    assert (low.value, low.n, low.units) == (1 / 4, 4, 3)
    assert low.stderr == pytest.approx(values(table[:4], 0)["answer_accuracy"].stderr)
    assert math.isnan(found["LOW"]["refusal_accuracy"].value)
    assert (
        found["MEDIUM"]["refusal_accuracy"].value,
        found["HIGH"]["refusal_accuracy"].value,
    ) == (1 / 2, 0)
