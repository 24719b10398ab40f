"""Figures of bluff and perturb over runs whose right values are known by construction."""

import math
from pathlib import Path

import pytest

from refusalbench_tasks.generators.agreement import Panel
from refusalbench_tasks.metrics.calibration import equal_width
from refusalbench_tasks.report.charts import Bars, Scatter
from refusalbench_tasks.report.figures.catalogue import GENERATION
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.figures.reliability import reliability_points
from refusalbench_tasks.report.section import Section, sections
from refusalbench_tasks.results.logs.find import read_logs
from refusalbench_tasks.stats.proportion import wilson
from tests.results.logs.synthetic import hedging_sample, write_log


def only(folder: Path) -> Section:
    (section,) = sections(read_logs([str(folder)]))
    return section


def figure(section: Section, key: str) -> Figure:
    return next(figure for figure in section.figures if figure.key == key)


def reason(section: Section, number: int) -> str:
    return next(absent.reason for absent in section.absent if number in absent.numbers)


def test_hedging_figures(tmp_path: Path) -> None:
    for model, drop in (("a", 0.5), ("b", 0.1)):
        made = [
            hedging_sample(f"q{k}", arm, confidence=0.9 if arm == "clear" else 0.9 - drop, hedges=float(arm != "clear"),
                           correctness=float(arm == "clear"), refused=float(k == 0 and arm != "clear"))
            for k in range(11)
            for arm in ("clear", "ambiguous")
        ]  # fmt: skip
        write_log(tmp_path, model, made, task="bluff", scorer="hedging_scores")
    section = only(tmp_path)
    index = figure(section, "asi").chart
    assert isinstance(index, Bars)
    # (0.5 + 0.1) / 2 over the ten pairs without a refusal
    assert index.series["ASI"][0].value == pytest.approx(0.3)
    assert index.series["ASI"][0].n == 10
    hedges = figure(section, "hedges").chart
    assert isinstance(hedges, Bars)
    assert hedges.series["hedge precision"][0].value == 1.0
    assert hedges.series["VUI"][0].value == 1.0
    sensitivity = figure(section, "refusal-sensitivity").chart
    assert isinstance(sensitivity, Bars)
    assert sensitivity.series["refusal sensitivity"][0].value == pytest.approx(1 / 11)
    bounds = {(one["model"], one["metric"]): one for one in section.tables[2].rows}
    assert (bounds["a", "refusal rate"]["lowest"], bounds["a", "refusal rate"]["highest"]) == (1 / 22, 1 / 22)
    overview = section.tables[0].rows[0]
    assert overview["asi"] == pytest.approx(0.3)
    assert overview["answer correctness n"] == 21
    assert [one.numbers for one in section.absent if one.paper] in ([], [(6,)])
    counts = figure(section, "answer-correctness-against-refusal-count").chart
    assert isinstance(counts, Scatter)
    assert [(mark.x.value, mark.x.n, mark.y.n) for mark in counts.marks] == [(1, 22, 21)] * 2


def test_an_index_stands_beside_what_it_would_be_without_effect(tmp_path: Path) -> None:
    # confidence that rises and falls by as much: each fall is doubled, so the mean is below 0 without any effect
    made = [
        hedging_sample(f"q{k}", arm, confidence=0.7 if (arm == "clear") == (k % 2 == 0) else 0.3, hedges=float(k < 4),
                       correctness=float(k % 4 > 0))
        for k in range(8)
        for arm in ("clear", "ambiguous")
    ]  # fmt: skip
    write_log(tmp_path, "m", made, task="bluff", scorer="hedging_scores")
    section = only(tmp_path)
    chart = figure(section, "asi").chart
    assert isinstance(chart, Bars)
    (null,) = chart.marks
    assert null.values == pytest.approx([-0.1])
    assert chart.series["ASI"][0].value == pytest.approx(-0.1)
    assert chart.notes["p"] == [1.0]
    assert [row["series"] for row in chart.table()] == ["ASI", "ASI without any effect"]
    hedges = figure(section, "hedges").chart
    assert isinstance(hedges, Bars)
    assert [(mark.series, mark.values) for mark in hedges.marks] == [
        ("hedge precision", [0.25]), ("VUI", [pytest.approx(0.4)]),
    ]  # fmt: skip
    precision = hedges.series["hedge precision"][0]
    assert precision.value == 0.25
    assert precision.low < 0.25 < precision.high
    assert hedges.notes == {"lift": [1.0]}


def test_a_point_of_a_reliability_diagram_rests_on_its_questions() -> None:
    bins = equal_width([0.89, 0.85, 0.15, 0.88], [1.0, 0.0, 1.0, 1.0])
    low, high = reliability_points(bins, [0.89, 0.85, 0.15, 0.88], ["a", "b", "c", "a"])
    assert (low.x, low.y.value, low.y.n, (low.y.low, low.y.high)) == (0.15, 1.0, 1, wilson(1, 1))
    assert high.y.value == pytest.approx(2 / 3)
    assert high.y.n == 3
    assert (high.y.low, high.y.high) == pytest.approx(wilson(4 / 3, 2))


def test_generation_figures() -> None:
    tables: dict[str, list[dict[str, str | float | int]]] = {
        "pass_rates": [{"writer": "a", "n": 4, "a": 1.0, "b": 0.5}, {"writer": "b", "n": 4, "a": 0.25, "b": 0.75}],
        "by_class": [{"group": "Ambiguity", "writer": "a", "n": 4, "pass_rate": 0.75, "accepted": 0.5}],
        "by_intensity": [
            {"group": name, "writer": "a", "n": 1, "pass_rate": 0.5, "accepted": 0.5}
            for name in ("HIGH", "LOW", "MEDIUM")
        ],
        "by_lever": [{"group": "l", "writer": "a", "n": 1, "pass_rate": math.nan, "accepted": math.nan}],
        "kappa": [{"verifier": "a", "other": "b", "n": 8, "agreement": 0.9, "kappa": 0.6}],
        "self_against_cross": [
            {"writer": "a", "n": 4, "self": 1.0, "cross": 0.5, "gap": 0.5, "ci_low": 0.2, "ci_high": 0.8}
        ],
        "self_and_cross_means": [
            {"n": 4, "self": 1.0, "self_low": 0.9, "self_high": 1.0, "cross": 0.5, "cross_low": 0.4, "cross_high": 0.6}
        ],
        "self_against_cross_by_class": [
            {"class": name, "writer": writer, "n": 2, "gap": gap, "ci_low": -1.0, "ci_high": 1.0}
            for name, writer, gap in (("P-Ambiguity", "b", 0.25), ("P-Ambiguity", "a", 0.5), ("P-MissingInfo", "a", 0))
        ],
    }
    for group in ("class", "intensity", "writer"):
        tables[f"{group}_ranking"] = [
            {group: name, "n": 4, "pass_rate": rate, "ci_low": 0.1, "ci_high": 0.9, "broken": 0.125, "written": 8}
            for name, rate in ((f"best {group}", 0.75), (f"worst {group}", 0.5), (f"unknown {group}", math.nan))
        ]
    found = GENERATION.figures(Panel(tables), "perturb")
    charts = {one.key: one.chart for one in found if isinstance(one, Figure)}
    verdicts = {(row["row"], row["column"]): row["value"] for row in charts["verdicts"].table()}
    assert verdicts == {("a", "a"): 1.0, ("a", "b"): 0.5, ("b", "a"): 0.25, ("b", "b"): 0.75}
    kappa = {(row["row"], row["column"]): row["value"] for row in charts["verifier-kappa"].table()}
    assert kappa["a", "b"] == kappa["b", "a"] == 0.6
    assert math.isnan(kappa["a", "a"])
    (bias,) = charts["self-evaluation"].table()
    assert (bias["value"], bias["value low"], bias["value n"]) == (0.5, 0.2, 4)
    by_class = {(row["series"], row["name"]): row["value"] for row in charts["self-evaluation-by-class"].table()}
    assert (by_class["a", "P-Ambiguity"], by_class["b", "P-Ambiguity"], by_class["a", "P-MissingInfo"]) == (
        0.5,
        0.25,
        0,
    )
    assert math.isnan(by_class["b", "P-MissingInfo"])
    headline = {(row["series"], row["name"]): row["value"] for row in charts["self-and-cross"].table()}
    assert (headline["self", "mean of the writers"], headline["cross", "mean of the writers"]) == (1.0, 0.5)
    for group in ("class", "intensity", "writer"):
        ranked = charts[f"{group}-ranking"].table()
        assert [(row["name"], row["value"]) for row in ranked] == [(f"best {group}", 0.75), (f"worst {group}", 0.5)]
        assert {row["broken"] for row in ranked} == {0.125}
    assert {one.key: one.numbers for one in found if isinstance(one, Figure) and one.numbers} == {
        "verdicts": (3,), "self-and-cross": (3,), "pass-rates-by-class": (4,), "verifier-kappa": (14,),
        "pass-rates-by-intensity": (15,), "intensity-ranking": (15,), "class-ranking": (16,),
        "self-evaluation-by-class": (17,),
    }  # fmt: skip
    assert [one.numbers for one in found if isinstance(one, Absent)] == [()]
    assert [row["row"] for row in charts["pass-rates-by-intensity"].table()] == ["LOW", "MEDIUM", "HIGH"]
