"""Figures over runs whose right values are known by construction."""

import math
from pathlib import Path

import pytest
from inspect_ai.log import EvalSample

from refusalbench_tasks.report.charts import Bars, Curves, HeatMap, HeatMaps, Scatter, Stacks, Value
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.figures.tradeoffs import correlation_note
from refusalbench_tasks.report.section import Section, sections
from refusalbench_tasks.report.tally import Tally
from refusalbench_tasks.results.logs.find import read_logs
from refusalbench_tasks.stats.proportion import wilson
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.logs.synthetic import row, write_log

LOW, MEDIUM, HIGH = Intensity.LOW, Intensity.MEDIUM, Intensity.HIGH
AMBIGUITY, MISSING = PerturbationClass.AMBIGUITY, PerturbationClass.MISSING_INFO


def rows(good: int, **facts: str) -> list[EvalSample]:
    """Ten answerable and ten unanswerable rows of two classes; the first `good` of each ten are right."""
    made = []
    for k in range(10):
        right = k < good
        made.append(row(f"a{k}", Label.ANSWER, MISSING, LOW, correct=right, **facts))  # type: ignore[arg-type]
        kind, level = (AMBIGUITY, MEDIUM) if k % 2 else (MISSING, HIGH)
        label = (Label.AMBIGUOUS if k % 2 else Label.MISSING) if right else Label.ANSWER
        made.append(row(f"u{k}", label, kind, level, **facts))  # type: ignore[arg-type]
    return made


def only(folder: Path) -> Section:
    (section,) = sections(read_logs([str(folder)]))
    return section


def figure(section: Section, key: str) -> Figure:
    return next(figure for figure in section.figures if figure.key == key)


def reason(section: Section, number: int) -> str:
    return next(absent.reason for absent in section.absent if number in absent.numbers)


@pytest.fixture
def two(tmp_path: Path) -> Section:
    write_log(tmp_path, "fam/x-8b-sft", rows(4, domain="Law", generator="g1"))
    write_log(tmp_path, "fam/x-70b-sft", rows(8, domain="Law", generator="g1"))
    return only(tmp_path)


def test_coverage_counts_rows(two: Section) -> None:
    chart = figure(two, "coverage").chart
    assert isinstance(chart, HeatMap)
    values = {(row["row"], row["column"]): row["value"] for row in chart.table()}
    assert values["P-MissingInfo", "LOW"] == 10
    assert values["P-Ambiguity", "MEDIUM"] == 5
    assert values["P-MissingInfo", "HIGH"] == 5
    assert values["P-Contradiction", "LOW"] == 0


def test_generators_by_class_are_shares_of_the_rows_of_a_class(tmp_path: Path) -> None:
    made = rows(4)
    for k, one in enumerate(made):
        # every third row is g2's, and one row of ambiguity names nobody
        assert one.metadata
        one.metadata["generator"] = "" if one.id == "u1" else f"g{1 + (k % 3 == 0)}"
    write_log(tmp_path, "m", made)
    section = only(tmp_path)
    chart = figure(section, "generator-shares-by-class").chart
    assert isinstance(chart, HeatMap)
    cells = {(c["row"], c["column"]): (c["value"], c["n"]) for c in chart.table()}
    # a0 u0 a1 u1 ...: of 0, 3, ... 18 g2 wrote a0, u1 (nameless), a3, u4, a6, u7, a9
    assert cells == {
        ("P-Ambiguity", "g1"): (0.6, 5),
        ("P-Ambiguity", "g2"): (0.2, 5),
        ("P-Ambiguity", "(none named)"): (0.2, 5),
        ("P-MissingInfo", "g1"): (10 / 15, 15),
        ("P-MissingInfo", "g2"): (5 / 15, 15),
        ("P-MissingInfo", "(none named)"): (0, 15),
    }
    assert figure(section, "generator-shares-by-class").numbers == (12,)
    shares = figure(section, "generator-shares").chart
    assert [(row["name"], row["value"]) for row in shares.table()] == [
        ("g1", 13 / 20), ("g2", 6 / 20), ("(none named)", 1 / 20),
    ]  # fmt: skip


def test_one_generator_contributes_everything(two: Section) -> None:
    assert reason(two, 12) == "the rows name fewer than two generators"


def test_accuracies_and_the_models_that_treat_all_alike(two: Section) -> None:
    chart = figure(two, "answer-against-refusal").chart
    assert isinstance(chart, Scatter)
    points = {mark.name: (mark.x.value, mark.y.value) for mark in chart.marks}
    assert points == {"x-8b-sft": (0.4, 0.4), "x-70b-sft": (0.8, 0.8)}
    assert {mark.name: (mark.x.value, mark.y.value) for mark in chart.references} == {"always refuses": (0.0, 0.5)}
    errors = figure(two, "error-tradeoff").chart
    assert isinstance(errors, Scatter)
    assert {mark.name: (mark.x.value, mark.y.value) for mark in errors.references} == {
        "always answers": (0.0, 1.0),
        "always refuses": (1.0, 0.0),
    }
    assert errors.note == "r needs three models or more"


def test_the_correlation_of_errors_over_models(tmp_path: Path) -> None:
    for k, (refused, missed) in enumerate([(1, 6), (2, 4), (3, 2)]):
        answerable = [row(f"a{i}", Label.MISSING if i < refused else Label.ANSWER, MISSING, LOW) for i in range(10)]
        rest = [row(f"u{i}", Label.ANSWER if i < missed else Label.MISSING) for i in range(10)]
        write_log(tmp_path, f"m{k}", [*answerable, *rest])
    chart = figure(only(tmp_path), "error-tradeoff").chart
    assert isinstance(chart, Scatter)
    assert chart.note == "r = -1.00 over 3 models"


def test_confusion_rows_are_shares_of_the_rows_label(two: Section) -> None:
    chart = figure(two, "confusion").chart
    assert isinstance(chart, HeatMaps)
    cells = {(c["row"], c["column"]): (c["value"], c["n"]) for c in chart.maps["x-8b-sft"].table()}
    assert cells["answer", "answer"] == (1.0, 10)
    assert cells["missing", "missing"] == (0.4, 5)
    assert cells["missing", "answer"] == (0.6, 5)
    assert math.isnan(cells["granularity", "answer"][0])
    average = figure(two, "confusion-average").chart
    assert isinstance(average, HeatMap)
    mean = {(c["row"], c["column"]): c["value"] for c in average.table()}
    assert mean["missing", "missing"] == pytest.approx((0.4 + 0.8) / 2)


def test_refusals_by_intensity(two: Section) -> None:
    chart = figure(two, "intensity").chart
    assert isinstance(chart, Curves)
    assert [(p.y.value, p.y.n) for p in chart.lines["x-8b-sft"]] == [(0.0, 10), (0.4, 5), (0.4, 5)]


def test_classes_ranking_and_dashboard(two: Section) -> None:
    classes = figure(two, "classes").chart
    assert isinstance(classes, HeatMap)
    assert classes.rows == ["x-8b-sft", "x-70b-sft"]
    assert classes.values[0][0] == 0.4
    assert math.isnan(classes.values[0][1])
    ranking = figure(two, "ranking").chart
    assert isinstance(ranking, Bars)
    assert ranking.names == ["x-70b-sft", "x-8b-sft"]
    # the first refuses 4 of 10 and no answerable row: F1 = 8 / 14, all with the right code; the second 8: F1 = 16 / 18
    assert [value.value for value in ranking.series["refusal accuracy"]] == [0.8, 0.4]
    hierarchical = ranking.series["hierarchical score"]
    assert [value.value for value in hierarchical] == pytest.approx([8 / 9, 4 / 7])
    assert all(value.low < value.value < value.high and value.n == 20 for value in hierarchical)
    # one code for all: right on 5 of 10, F1 = 20 / 30
    assert ranking.lines == {"refusal accuracy": 0.5, "hierarchical score": pytest.approx(1 / 3)}
    assert figure(two, "dashboard").numbers == (24,)


def test_six_kinds_of_reply_sum_to_one(two: Section) -> None:
    chart = figure(two, "distribution").chart
    assert isinstance(chart, Stacks)
    shares = {part: values[0] for part, values in chart.parts.items()}
    assert shares["good answer"] == 0.2
    assert shares["poor answer"] == 0.3
    assert shares["correct code refusal"] == 0.2
    assert shares["missed refusal"] == 0.3
    assert sum(shares.values()) == pytest.approx(1)
    assert chart.n == [20, 20]


def test_operating_points_count_answers_to_unanswerable_rows_as_wrong(two: Section) -> None:
    chart = figure(two, "operating-points").chart
    assert isinstance(chart, Scatter)
    mark = chart.marks[0]
    # 10 + 6 of 20 are answered; 6 + 6 of these 16 are wrong
    assert (mark.x.value, mark.x.n) == (0.8, 20)
    assert (mark.y.value, mark.y.n) == (0.75, 16)


def test_sizes_come_from_names(two: Section) -> None:
    chart = figure(two, "scaling").chart
    assert isinstance(chart, Curves)
    assert [(p.x, p.y.value) for p in chart.lines["x-*-sft: answer accuracy"]] == [(8.0, 0.4), (70.0, 0.8)]
    assert "SFT and DPO" in reason(two, 10)
    assert "thinking tokens" in reason(two, 32)


def test_sft_beside_dpo(tmp_path: Path) -> None:
    write_log(tmp_path, "x-8b-sft", rows(4))
    write_log(tmp_path, "x-8b-dpo", rows(6))
    chart = figure(only(tmp_path), "training").chart
    assert isinstance(chart, Bars)
    assert {name: values[0].value for name, values in chart.series.items()} == {
        "answer accuracy, SFT": 0.4,
        "answer accuracy, DPO": 0.6,
        "refusal accuracy, SFT": 0.4,
        "refusal accuracy, DPO": 0.6,
    }


def test_domains(tmp_path: Path) -> None:
    for model, law, health in (("a", 4, 8), ("b", 6, 2)):
        own = [*rows(law, domain="Law"), *(one for one in rows(health, domain="Health"))]
        for k, one in enumerate(own):
            one.id = f"{k}"
        write_log(tmp_path, model, own, task="garage")
    section = only(tmp_path)
    champions = figure(section, "domain-champions").chart
    assert isinstance(champions, Bars)
    assert champions.names == ["Health\nanswers: a\nrefusals: a", "Law\nanswers: b\nrefusals: b"]
    assert [value.value for value in champions.series["answer accuracy"]] == [0.8, 0.6]
    difficulty = figure(section, "domain-difficulty").chart
    assert isinstance(difficulty, Bars)
    assert [value.value for value in difficulty.series["overall"]] == pytest.approx([0.5, 0.5])
    assert figure(section, "dashboard").numbers == (25,)


def test_calibration_of_stated_levels(tmp_path: Path) -> None:
    made = [
        row(f"{k}", Label.MISSING if k < 6 else Label.ANSWER, level="VERY_CONFIDENT" if k % 2 else "UNCERTAIN")
        for k in range(10)
    ]
    write_log(tmp_path, "m", made)
    section = only(tmp_path)
    error = figure(section, "calibration-error").chart
    assert isinstance(error, Bars)
    # each level is right on three of its five rows
    assert error.series["all replies"][0].value == pytest.approx(0.5 * abs(0.6 - 0.95) + 0.5 * abs(0.6 - 0.4))
    assert math.isnan(error.series["answerable rows"][0].value)
    # the six refusals are right, and half of them very sure
    refusals = error.series["refusals"][0]
    assert refusals.value == pytest.approx(0.5 * 0.05 + 0.5 * 0.6)
    assert refusals.n == 6
    assert refusals.low < refusals.value < refusals.high
    diagram = figure(section, "reliability").chart
    assert isinstance(diagram, Curves)
    assert [(p.x, p.y.value, p.y.n) for p in diagram.lines["m"]] == [(0.4, 0.6, 5), (0.95, 0.6, 5)]
    assert not diagram.joined
    # five replies of five questions: as wide as that is
    assert [(p.y.low, p.y.high) for p in diagram.lines["m"]] == [wilson(3, 5)] * 2
    risk = figure(section, "risk-coverage").chart
    assert isinstance(risk, Curves)
    ((name, points),) = risk.lines.items()
    # a name alone, so that it joins with other tables
    assert (name, {row["name"] for row in risk.table()}, risk.table()[0]["AURC"]) == ("m", {"m"}, pytest.approx(0.4))
    assert [p.x for p in points] == [0.5, 1.0]
    assert [p.y.value for p in points] == pytest.approx([0.4, 0.4])


def test_without_confidence_the_reason_is_told(two: Section) -> None:
    assert "confidence=true" in reason(two, 7)
    assert "garage" in reason(two, 27)


def test_attempts_on_garage(tmp_path: Path) -> None:
    numbers = {"eligible": 1.0, "factual_all": 0.0}
    made = [row(f"{k}", Label.ANSWER, MISSING, LOW, correct=k < 3, numbers=numbers, domain="Law") for k in range(4)]
    write_log(tmp_path, "m", made, task="garage", scorer="grounded_scores")
    section = only(tmp_path)
    chart = figure(section, "answer-quality").chart
    assert isinstance(chart, Bars)
    assert {name: (values[0].value, values[0].n) for name, values in chart.series.items()} == {
        "eligibility": (1.0, 4),
        "unadjusted factuality": (0.0, 4),
        "RAF": (0.75, 4),
    }
    # all of 4 questions, by Wilson's interval, and three of four by resampling
    assert chart.series["eligibility"][0].low == pytest.approx(4 / (4 + 1.96**2), abs=0.001)
    assert chart.series["RAF"][0].low < 0.75 <= chart.series["RAF"][0].high


def test_the_correlation_has_an_interval_from_four_models_on() -> None:
    x, y = [Value(v) for v in (1, 2, 3, 4, 5)], [Value(v) for v in (2, 1, 4, 3, 5)]
    assert correlation_note(x, y) == "r = 0.80 [-0.28, 0.99] over 5 models"


def test_a_model_looks_alike_in_all_sections(tmp_path: Path) -> None:
    for task, models in (("nq", ("x/a", "x/b", "x/c")), ("garage", ("x/c", "x/a"))):
        for model in models:
            write_log(tmp_path, model, rows(4), task=task)
    write_log(tmp_path, "x/a", rows(6), task="garage")
    looks = {}
    nq, garage, _ = sections(read_logs([str(tmp_path)]))
    for section in (nq, garage):
        chart = figure(section, "answer-against-refusal").chart
        assert isinstance(chart, Scatter)
        assert list(chart.looks) == [mark.name for mark in chart.marks]
        looks[section.key] = dict(chart.looks)
    assert looks["nq"] == {"a": 0, "b": 1, "c": 2}
    # a second run of a model is told apart from every model
    assert list(looks["garage"].values()) == [0, 3, 2]
    assert list(looks["garage"])[2] == "c"


def test_metrics_of_groups_have_the_intervals_of_their_rows(tmp_path: Path) -> None:
    # 12 questions with a row each: of class MissingInfo 6 of 8 hit, of Ambiguity none of 4
    rows = [row(f"m{k}", Label.MISSING if k < 6 else Label.ANSWER) for k in range(8)]
    rows += [row(f"a{k}", Label.MISSING, PerturbationClass.AMBIGUITY) for k in range(4)]
    write_log(tmp_path, "a", rows)
    (run,) = read_logs([str(tmp_path)]).refusal
    tally = Tally(run, "a")
    found = tally.by_group("class", ["P-MissingInfo", "P-Ambiguity", "P-Contradiction"], ["refusal_accuracy"])
    missing, ambiguous, none = found["refusal_accuracy"]
    assert (missing.value, missing.n, ambiguous.value, ambiguous.n) == (0.75, 8, 0.0, 4)
    # a share of 6 of 8 has an error of .15; at 0 stands Wilson's interval of 0 of 4: to .49
    assert 0.35 < missing.low < 0.6 < 0.9 < missing.high <= 1
    assert ambiguous.low == 0
    assert ambiguous.high == pytest.approx(0.49, abs=0.005)
    assert not none.known
    assert not none.has_interval
    chart = HeatMap.of(["a"], ["x", "y"], [[missing, none]])
    assert chart.table()[0]["low"] == missing.low
    assert chart.value(0, 0) == missing
