"""What the rows are, and the models on one passage and on ten."""

from pathlib import Path

import pytest
from inspect_ai.log import EvalSample

from refusalbench_tasks.report.figures import data_sets
from refusalbench_tasks.report.groups import Group, groups_of
from refusalbench_tasks.report.section import sections_of
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.report.figures.drawn import group, low, shown
from tests.results.synthetic import row, write_log

A = Label.ANSWER
M = Label.MISSING


def test_a_row_counts_once_whoever_answered_it(tmp_path: Path) -> None:
    control = row("c", A, intensity=Intensity.CLEAN, control=True)
    samples = [row("0", M), row("1", None), low("2", A), control]
    contradiction = row("3", M, PerturbationClass.CONTRADICTION)
    of = group(tmp_path, {"a": [*samples, contradiction], "b": samples})
    assert shown(data_sets.rows_by_cell(of)).counts == {
        "P-Contradiction": {"HIGH": 1},
        "P-MissingInfo": {"HIGH": 2, "LOW": 1},
    }


GROUNDED = dict.fromkeys(("eligible", "factual_all", "factual_relevant"), 1.0)


def replies(refused: int, grounded: bool = False) -> list[EvalSample]:
    numbers = GROUNDED if grounded else None
    return [row(str(k), M if k < refused else A, numbers=numbers) for k in range(4)] + [
        low("4", A, numbers=numbers)
    ]


def both(folder: Path, garage: dict[str, int]) -> list[Group]:
    """Return the groups of four models on nq and of others on garage."""
    for refused, model in enumerate("abcd"):
        write_log(folder / "nq", model, replies(refused))
    for model, refused in garage.items():
        write_log(
            folder / "garage",
            model,
            replies(refused, grounded=True),
            "garage",
            "grounded_scores",
        )
    return groups_of(read_logs([str(folder)], texts=True).runs)


def test_models_on_ten_passages_stand_beside_themselves_on_one(tmp_path: Path) -> None:
    groups = both(tmp_path, {"b": 4, "c": 1, "d": 0, "e": 2})
    section = sections_of(groups)[-1]
    assert section.key == "nq-garage"
    [figure] = section.figures
    chart = shown(figure)
    assert list(chart.names) == ["b", "c", "d"]
    on_ten = [point.value for point in chart.series["refusal accuracy"]]
    assert on_ten == [1, 0.25, 0]
    assert chart.marks["refusal accuracy"] == pytest.approx([0.25, 0.5, 0.75])


def test_without_a_model_on_both_there_is_no_such_section(tmp_path: Path) -> None:
    groups = both(tmp_path, {"e": 1})
    assert [section.key for section in sections_of(groups)] == ["nq", "garage"]
