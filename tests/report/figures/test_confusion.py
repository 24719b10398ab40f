"""Which code is given for which."""

from pathlib import Path

import pytest
from inspect_ai.log import EvalSample

from refusalbench_tasks.report.charts import Grid
from refusalbench_tasks.report.figures import confusion
from refusalbench_tasks.taxonomy import REFUSAL, Label, PerturbationClass
from tests.report.figures.drawn import group, shown
from tests.results.synthetic import row

M = Label.MISSING
C = Label.CONTRADICTORY
CONTRADICTION = PerturbationClass.CONTRADICTION


def test_a_refusal_whose_code_nobody_read_has_a_column_of_its_own(
    tmp_path: Path,
) -> None:
    in_words = row("0", M)
    assert in_words.scores
    in_words.scores["refusal_scores"].answer = REFUSAL
    chart = shown(
        confusion.confusion_matrices(group(tmp_path, {"m": [in_words, row("1", M)]}))
    )
    assert isinstance(chart, Grid)
    assert chart.panels["m"]["missing", "no code read"].value == 0.5
    assert chart.panels["m"]["missing", "other"].value == 0


def test_a_confusion_matrix_has_shares_of_each_label(tmp_path: Path) -> None:
    samples = [row(str(k), M if k < 3 else C) for k in range(4)] + [
        row("4", C, CONTRADICTION)
    ]
    of = group(tmp_path, {"m": samples})
    chart = shown(confusion.confusion_matrices(of))
    assert isinstance(chart, Grid)
    assert (
        chart.panels["m"]["missing", "missing"].value,
        chart.panels["m"]["missing", "missing"].n,
    ) == (0.75, 4)
    assert chart.panels["m"]["missing", "contradictory"].value == 0.25
    assert not chart.panels["m"]["answer", "missing"].known


def test_rows_of_a_confusion_matrix_sum_to_1_with_missing_replies(
    tmp_path: Path,
) -> None:
    samples = [
        row("0", M),
        row("1", None, reason="no_response"),
        row("2", None, reason="truncated"),
        row("3", C),
    ]
    chart = shown(
        confusion.confusion_matrices(group(tmp_path, {"m": [*samples, row("4", None)]}))
    )
    assert isinstance(chart, Grid)
    shares = [chart.panels["m"]["missing", column] for column in chart.columns]
    assert chart.panels["m"]["missing", "no reply"].value == 0.5
    assert sum(share.value for share in shares) == 1
    assert {share.n for share in shares} == {4}


def test_the_mean_matrix_weighs_models_alike_and_takes_the_newest_run_of_each(
    tmp_path: Path,
) -> None:
    def samples(missing: int, n: int = 4) -> list[EvalSample]:
        return [row(str(k), M if k < missing else C) for k in range(n)]

    undecided = row("0", None)
    group(tmp_path, {"a": samples(0), "b": samples(2)})
    of = group(tmp_path, {"a": samples(4), "c": [undecided, *samples(4)[1:]]})
    chart = shown(confusion.mean_confusion(of))
    assert isinstance(chart, Grid)
    share = chart.panels[""]["missing", "missing"]
    assert share.value == pytest.approx((1 + 0.5 + 1) / 3)
    assert share.n == 4 + 4 + 3
    # nobody was given an answerable row
    assert not chart.panels[""]["answer", "answer"].known


def test_one_model_has_no_mean_matrix(tmp_path: Path) -> None:
    only = confusion.mean_confusion(group(tmp_path, {"m": [row("0", M)]}))
    assert only == "needs two models that were asked for codes"
