"""Which runs of folders are compared, and with which."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.run_selection import choose_runs, pairs_of
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.synthetic import row, write_log

MODELS = ("org/one", "org/two", "other/three")


def write(folder: Path, model: str, right: int, **header: Any) -> Path:
    """Write a run over eight answerable rows, of which the first `right` are answered
    right.
    """
    rows = [
        row(
            f"a{n}", Label.ANSWER, PerturbationClass.AMBIGUITY, Intensity.LOW, n < right
        )
        for n in range(8)
    ]
    return write_log(folder, model, rows, **header)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with runs of three models over the same rows, after an older run
    of the first.
    """
    made = tmp_path_factory.mktemp("nq")
    write(made, MODELS[0], 8)
    for model, right in zip(MODELS, (0, 4, 8), strict=True):
        write(made, model, right)
    return made


def compare(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


def rows_of(result: Result, table: str) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    rows: list[dict[str, Any]] = json.loads(result.stdout)[table]
    return rows


def test_all_pairs_are_compared_as_one_family(folder: Path) -> None:
    for given in ([folder], [folder / f"{k}.eval" for k in (1, 2, 3)]):
        made = rows_of(compare(*given, "--format", "json"), "tests")
        p = {
            (one["reply is"], one["run A"], one["run B"]): one["p (Holm)"]
            for one in made
        }
        assert list(p)[::2] == [
            ("refused", *pair)
            for pair in (("one", "two"), ("one", "three"), ("two", "three"))
        ]
        # of eight rows 0, 4 and 8 are right: 2/2^8 is the smallest p by question, of
        # six with those of `refused`
        assert (
            p["right", "one", "three"]
            == min(p.values())
            == pytest.approx(6 * 2 / 2**8, abs=0.05)
        )
        assert {p[one] for one in p if one[0] == "refused"} == {1.0}


@pytest.mark.parametrize("name", ["org/two", "two", "2.eval"])
def test_against_names_a_model_or_a_log(folder: Path, name: str) -> None:
    made = rows_of(compare(folder, "--against", name, "--format", "json"), "samples")
    assert [(one["run A"], one["run B"]) for one in made] == [
        ("two", "one"),
        ("two", "three"),
    ]


def test_runs_are_paired_within_a_task_and_its_rows_and_lone_ones_are_named(
    folder: Path, tmp_path: Path
) -> None:
    for model in MODELS[:2]:
        write(tmp_path, model, 3, task="garage", scorer="grounded_scores")
    write(tmp_path, MODELS[2], 3, selected_fingerprint="others")
    write(tmp_path, "org/started", 3, status="started")
    shown = compare(folder, tmp_path, "--format", "json")
    assert len(rows_of(shown, "samples")) == 3 + 1
    assert "no run to compare it with (nq)" in shown.stderr
    assert "not a finished run (status: started)" in shown.stderr


def test_what_can_not_be_compared_is_told(folder: Path, tmp_path: Path) -> None:
    one = write(tmp_path / "one", MODELS[0], 1)
    assert "is one run; give two or more" in compare(one).output
    assert (
        "no run of nobody with another beside it"
        in compare(folder, "--against", "nobody").output
    )
    write(tmp_path / "one", MODELS[1], 1, task="garage", scorer="grounded_scores")
    assert "a run of garage, but" in compare(tmp_path / "one").output
    write(tmp_path / "one", MODELS[0], 1, selected_fingerprint="others")
    assert (
        "no two runs of one task over the same rows; found: org/one on nq"
        in compare(tmp_path / "one").output
    )
    again, _ = choose_runs([str(folder / "0.eval"), str(folder)])
    with pytest.raises(DataError, match="several runs; give the log of one"):
        pairs_of(again, "one")
    (tmp_path / "started").mkdir()
    write(tmp_path / "started", MODELS[0], 1, status="started")
    assert "not a finished run" in compare(tmp_path / "started", one).output
