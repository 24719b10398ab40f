"""The same models on nq and on garage."""

import math
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai.log import EvalSample

from refusalbench_tasks.cli import main
from refusalbench_tasks.report.absences import absent_figures
from refusalbench_tasks.report.charts import Bars
from refusalbench_tasks.report.section import Section, sections
from refusalbench_tasks.results.logs.find import read_logs
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.logs.synthetic import row, write_log

PLACES = "text of 4.2, F.7 and F.8"


def rows(hits: int, refused: int, other: int = 0) -> list[EvalSample]:
    """Ten answerable rows of which `refused` are refused, ten others: `hits` right, `other` with a wrong code."""
    codes = [Label.MISSING] * hits + [Label.AMBIGUOUS] * other + [Label.ANSWER] * (10 - hits - other)
    answers = [Label.MISSING if k < refused else Label.ANSWER for k in range(10)]
    low = (PerturbationClass.MISSING_INFO, Intensity.LOW)
    return [row(f"u{k}", code) for k, code in enumerate(codes)] + [
        row(f"a{k}", code, *low) for k, code in enumerate(answers)
    ]


def found(folder: Path) -> dict[str, Section]:
    return {section.key: section for section in sections(read_logs([str(folder)]))}


def told(folder: Path) -> str:
    table = absent_figures(sections(read_logs([str(folder)])))
    return str(next((one["reason"] for one in table.rows if one["figures"] == PLACES), ""))


@pytest.fixture
def both(tmp_path: Path) -> Path:
    write_log(tmp_path, "x/a", rows(8, 1), task="nq")
    write_log(tmp_path, "x/a", rows(2, 5, other=2), task="garage")
    write_log(tmp_path, "x/only-nq", rows(5, 5), task="nq")
    write_log(tmp_path, "x/only-garage", rows(5, 5), task="garage")
    return tmp_path


def test_a_model_with_both_has_a_table_with_intervals_n_and_the_difference(both: Path) -> None:
    section = found(both)["nq-beside-garage"]
    assert section.title == "nq beside garage (1 model)"
    (table,) = section.tables
    values = {one["metric"]: one for one in table.rows}
    assert {one["model"] for one in table.rows} == {"a"}
    # nq: 8 of 10 hit, 1 of 10 refused: F1 = 16 / (8 + 1 + 10)
    # garage: 4 refused, 2 of them right: F1 = 8 / (4 + 5 + 10)
    expected = {
        "refusal accuracy": (0.8, 0.2, 10, 10),
        "false refusal rate": (0.1, 0.5, 10, 10),
        "missed refusal rate": (0.2, 0.6, 10, 10),
        "detection f1": (16 / 19, 8 / 19, 20, 20),
        "category accuracy": (1.0, 0.5, 8, 4),
    }
    assert list(values) == list(expected)
    for metric, (nq, garage, n, m) in expected.items():
        one = values[metric]
        assert (one["nq"], one["garage"], one["nq n"], one["garage n"]) == pytest.approx((nq, garage, n, m))
        assert one["garage - nq"] == pytest.approx(garage - nq)
        low, high = one["garage - nq low"], one["garage - nq high"]
        below = math.hypot(garage - one["garage low"], one["nq high"] - nq)
        above = math.hypot(one["garage high"] - garage, nq - one["nq low"])
        assert (low, high) == pytest.approx((garage - nq - below, garage - nq + above))
    overview = found(both)["nq"].tables[0].rows[0]
    assert values["refusal accuracy"]["nq low"] == overview["refusal accuracy low"]


def test_its_figures_show_both_sets_and_the_difference(both: Path) -> None:
    rates, differences = found(both)["nq-beside-garage"].figures
    assert isinstance(rates.chart, Bars)
    assert rates.chart.names == ["a (nq)", "a (garage)"]
    assert [value.value for value in rates.chart.series["refusal accuracy"]] == [0.8, 0.2]
    assert isinstance(differences.chart, Bars)
    (change,) = differences.chart.series["false refusal rate"]
    assert change.value == pytest.approx(0.4)
    assert change.low < 0.4 < change.high
    assert rates.source == f"RefusalBench, {PLACES}"
    assert told(both) == ""


def test_a_report_has_its_files(
    both: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the figures of the other two sections need not be drawn
    beside = found(both)["nq-beside-garage"]
    monkeypatch.setattr("refusalbench_tasks.report.build.sections", lambda *_: [beside])
    out = tmp_path_factory.mktemp("out") / "r"
    result = CliRunner().invoke(main, ["report", str(both), "-o", str(out)])
    assert result.exit_code == 0, result.output
    for name in ("figures/nq-beside-garage-both.svg", "figures/nq-beside-garage-differences.png",
                 "tables/nq-beside-garage-rates.csv"):  # fmt: skip
        assert (out / name).is_file()


def test_what_is_undefined_on_one_set_has_no_difference(tmp_path: Path) -> None:
    write_log(tmp_path, "a", rows(0, 0), task="nq")
    write_log(tmp_path, "a", rows(5, 0), task="garage")
    (table,) = found(tmp_path)["nq-beside-garage"].tables
    category = next(one for one in table.rows if one["metric"] == "category accuracy")
    assert math.isnan(category["nq"])
    assert math.isnan(category["garage - nq"])
    assert category["garage"] == 1.0


def test_the_newest_run_of_a_model_counts(tmp_path: Path) -> None:
    for task in ("nq", "garage"):
        write_log(tmp_path, "a", rows(1, 0), task=task)
        write_log(tmp_path, "a", rows(9, 0), task=task)
    (table,) = found(tmp_path)["nq-beside-garage"].tables
    assert [one["nq"] for one in table.rows if one["metric"] == "refusal accuracy"] == [0.9]


@pytest.mark.parametrize(
    ("tasks", "reason"),
    [
        ({"nq": "a"}, "nq: no run of garage beside it"),
        ({"garage": "a"}, "garage: no run of nq beside it"),
        (
            {"nq": "a", "garage": "b"},
            "nq: no model has runs of nq and garage that are scored alike; "
            "garage: no model has runs of nq and garage that are scored alike",
        ),
    ],
)
def test_without_a_model_that_has_both_the_reason_is_told(tmp_path: Path, tasks: dict[str, str], reason: str) -> None:
    for task, model in tasks.items():
        write_log(tmp_path, model, rows(1, 1), task=task)
    assert "nq-beside-garage" not in found(tmp_path)
    assert told(tmp_path) == reason


def test_runs_by_different_protocols_are_not_set_beside_each_other(tmp_path: Path) -> None:
    write_log(tmp_path, "a", rows(1, 1), task="nq")
    made = rows(1, 1)
    for one in made:
        assert one.scores
        next(iter(one.scores.values())).metadata["protocol"] = "official-code"  # type: ignore[index]
    write_log(tmp_path, "a", made, task="garage")
    assert "scored alike" in told(tmp_path)


def test_baselines_are_no_models(tmp_path: Path) -> None:
    for task in ("nq", "garage"):
        write_log(tmp_path, "none/none", rows(1, 1), task=task)
    assert "scored alike" in told(tmp_path)


def test_without_runs_the_need_is_told() -> None:
    assert next(one["reason"] for one in absent_figures([]).rows if one["figures"] == PLACES) == (
        "needs runs of nq and garage"
    )


def test_different_graders_are_told(tmp_path: Path) -> None:
    for task, grader in (("nq", "g"), ("garage", "h")):
        made = rows(1, 1)
        assert made[0].scores
        next(iter(made[0].scores.values())).metadata["graders"] = [grader]  # type: ignore[index]
        write_log(tmp_path, "a", made, task=task)
    assert found(tmp_path)["nq-beside-garage"].warnings == ("a: graded by g on nq and by h on garage.",)
