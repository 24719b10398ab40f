"""How often systems refuse, of replies that are known by construction."""

from pathlib import Path

import pytest

from refusalbench_tasks.report.charts import Figure, Scatter, Stacks
from refusalbench_tasks.report.figures import rates
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.taxonomy import Label, PerturbationClass
from tests.report.figures.drawn import group, low, shown
from tests.results.synthetic import row

A = Label.ANSWER
M = Label.MISSING
C = Label.CONTRADICTORY
CONTRADICTION = PerturbationClass.CONTRADICTION


def test_kinds_of_reply_are_shares_of_what_is_not_unscored(tmp_path: Path) -> None:
    samples = [
        low("0", A),
        low("1", A, correct=False),
        low("2", M),
        row("3", M),
        row("4", C),
        row("5", A),
        row("6", None),
        row("7", None, reason="no_response"),
    ]
    chart = shown(rates.kinds_of_reply(group(tmp_path, {"m": samples})))
    assert isinstance(chart, Stacks)
    assert chart.n("m") == 7
    assert {name: chart.counts["m"][name] for name in chart.parts} == dict.fromkeys(
        (
            "answered right",
            "declined, right code",
            "declined, wrong code",
            "answered wrong",
            "declined wrongly",
            "made up",
            "no reply",
        ),
        1,
    )


def test_the_two_errors_stand_beside_models_that_treat_all_rows_alike(
    tmp_path: Path,
) -> None:
    samples = [low(str(k), M if k < 1 else A) for k in range(4)] + [
        row(str(k), A if k < 6 else M) for k in range(4, 8)
    ]
    chart = shown(rates.errors(group(tmp_path, {"m": samples})))
    assert isinstance(chart, Scatter)
    point = chart.points["m"]
    assert (point.x.value, point.x.n, point.y.value, point.y.n) == (0.25, 4, 0.5, 4)
    ends = {name: (one.x.value, one.y.value) for name, one in chart.references.items()}
    assert ends == {"always answers": (0, 1), "always refuses": (1, 0)}
    assert chart.note == ""


def test_a_baseline_stands_in_place_of_the_model_that_it_is(tmp_path: Path) -> None:
    samples = [low("0", M), low("1", M), row("2", M), row("3", M)]
    figure = rates.errors(group(tmp_path, {"none/none": samples}))
    assert isinstance(figure, Figure)
    assert list(shown(figure).references) == ["always answers"]
    assert "Pearson" not in figure.formula
    assert "small bars" not in figure.formula


def test_a_point_says_what_undecided_replies_leave_possible(tmp_path: Path) -> None:
    samples = [low("0", A), low("1", None), row("2", M), row("3", M)]
    figure = rates.errors(group(tmp_path, {"m": samples}))
    assert isinstance(figure, Figure)
    chart = figure.chart
    assert isinstance(chart, Scatter)
    assert chart.points["m"].x.value == 0
    assert chart.reach == {"m": [(0.0, 0.5), ()]}
    assert "small bars the ends" in figure.formula


def test_controls_alone_give_models_that_treat_all_alike_both_errors(
    tmp_path: Path,
) -> None:
    samples = [
        low("0", A, control=True),
        low("1", M, control=True),
        row("2", A),
        row("3", M),
    ]
    chart = shown(rates.errors(group(tmp_path, {"m": samples})))
    assert isinstance(chart, Scatter)
    assert chart.references["always refuses"].x == Estimate(1.0, n=2)


def test_refusals_are_counted_by_intensity(tmp_path: Path) -> None:
    samples = [
        low("0", A),
        low("1", M),
        row("2", M),
        row("3", A),
        row("4", C, CONTRADICTION),
    ]
    lines = shown(rates.by_intensity(group(tmp_path, {"m": samples}))).lines["m"]
    assert [(one.y.value, one.y.n) for one in lines if one.y.known] == [
        (0.5, 2),
        (pytest.approx(2 / 3), 3),
    ]
