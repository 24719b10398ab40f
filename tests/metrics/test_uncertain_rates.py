"""The rates of groups of rows with their uncertainty, worked by hand."""

import math

import pytest
from inspect_ai.log import EvalSample
from inspect_ai.scorer import SampleScore

from refusalbench_tasks.metrics.refusal_groups import by_group
from refusalbench_tasks.metrics.refusal_rows import RefusalRows
from refusalbench_tasks.metrics.refusal_values import grounding, intervals, kinds, main_rates
from refusalbench_tasks.metrics.score_reading import refusal_rows
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.synthetic import row

MISSING, GRANULARITY = PerturbationClass.MISSING_INFO, PerturbationClass.GRANULARITY


def scores(samples: list[EvalSample]) -> RefusalRows:
    return refusal_rows(
        [
            SampleScore(score=next(iter((one.scores or {}).values())), sample_id=one.id, sample_metadata=one.metadata)
            for one in samples
        ]
    )


# forty questions of one row each: of the first class 20 with 15 hits, of the second 20 without any
SAMPLES = [row(f"m{k:02d}", Label.MISSING if k < 15 else Label.OTHER, MISSING, generator="g") for k in range(20)]
SAMPLES += [row(f"g{k:02d}", Label.MISSING, GRANULARITY, generator="g", domain="Law") for k in range(20)]


def test_rates_by_class_have_the_errors_of_a_share() -> None:
    m = by_group(scores(SAMPLES))
    key = "P-MissingInfo/refusal_accuracy"
    assert (m[key], m[f"{key}_n"]) == (0.75, 20)
    textbook = math.sqrt(0.75 * 0.25 / 20)
    assert m[f"{key}_stderr"] == pytest.approx(textbook, rel=0.05)
    assert m[f"{key}_bootstrap_stderr"] == pytest.approx(textbook, rel=0.1)
    assert m[f"{key}_ci_low"] < 0.75 < m[f"{key}_ci_high"]
    # none of twenty questions is no rate of 0: the Wilson interval, z^2 / (n + z^2)
    none = "P-GranularityMismatch/refusal_accuracy"
    assert (m[none], m[f"{none}_ci_low"]) == (0, 0)
    assert m[f"{none}_ci_high"] == pytest.approx(1.959964**2 / (20 + 1.959964**2))
    assert m["Law/refusal_accuracy_ci_high"] == m[f"{none}_ci_high"]
    # there is no answerable row, and a generator's rates have no interval
    assert "P-MissingInfo/answer_accuracy" not in m
    assert "P-MissingInfo/answer_accuracy_ci_low" not in m
    assert "g/refusal_accuracy" in m
    assert "g/refusal_accuracy_ci_low" not in m


def test_rows_of_a_question_are_resampled_together_unless_told() -> None:
    copies = [
        row(f"{k}{c}", Label.MISSING if k < 5 else Label.OTHER, source_id=str(k), item_id=f"{k}{c}")
        for k in range(10)
        for c in "abcd"
    ]
    by_question, by_row = (intervals(scores(copies), 1000, 0, cluster) for cluster in ("question", "row"))
    # ten questions, and forty rows as if they were as many
    assert by_question["refusal_accuracy_stderr"] == pytest.approx(math.sqrt(0.25 / 9))
    assert by_row["refusal_accuracy_stderr"] == pytest.approx(math.sqrt(0.25 / 39))
    backwards = intervals(scores(copies[::-1]), 1000, 0, "row")
    assert by_row["refusal_accuracy_bootstrap_stderr"] == backwards["refusal_accuracy_bootstrap_stderr"]


def test_only_grounded_replies_have_a_hybrid_score() -> None:
    plain = scores(SAMPLES)
    assert "hybrid_score" not in main_rates(plain)
    assert "hybrid_score_ci_low" not in intervals(plain, 100, 0)
    answers = [
        row(
            f"a{k}", Label.ANSWER, intensity=Intensity.LOW, correct=k < 5, numbers={"eligible": 1.0, "factual_all": 1.0}
        )
        for k in range(10)
    ]
    graded = scores([*SAMPLES, *answers])
    # 5 of 10 answers and 15 of 40 refusals
    assert main_rates(graded)["hybrid_score"] == pytest.approx(20 / 50)
    m = intervals(graded, 1000, 0) | grounding(graded) | kinds(graded)
    assert m["hybrid_score_n"] == 50
    for name, value in {"hybrid_score": 0.4, "answer_quality": 0.5, "correct_code_refusal": 0.3}.items():
        assert m[f"{name}_bootstrap_stderr"] == pytest.approx(m[f"{name}_stderr"], rel=0.15)
        assert m[f"{name}_ci_low"] < value < m[f"{name}_ci_high"]
    assert (m["eligibility"], m["eligibility_n"], m["kinds_n"]) == (1, 10, 50)
