"""The commands about generation, and the arguments of the task."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tasks.perturb import perturb
from tests.tasks.generation import command


def test_the_commands_say_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    for arguments, problem in (
        (["export", "none", "-o", "set"], "no logs of `perturb` there"),
        (["plan"], "give --bases, or --levers, or --epsilon and --delta"),
        (["plan", "--bases", "nowhere.jsonl"], "no such file"),
        (["plan", "--epsilon", "2", "--delta", "0.1"], "0 < epsilon < 1"),
        (["plan", "--bases", "nowhere.jsonl", "-o", "b.jsonl"], "no such file"),
        (["plan", "--levers", "--classes", "Nope"], "unknown name 'Nope'"),
    ):
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 1, arguments
        assert problem in result.output


def test_plan_prints_items_by_cell_and_what_fits_nothing() -> None:
    text = command("plan", "--bases", "nq_sample")
    assert "18 base questions, 176 levers, 324 items per writer" in text
    one = ("--levers", "Price Redacted", "--coverage", "all")
    text = command("plan", "--bases", "nq_sample", *one)
    assert "18 base questions, 1 levers, 18 items per writer" in text
    text = command("plan", "--epsilon", "0.05", "--delta", "0.05", "--rounds", "10", "--drift", "0.1")
    assert "fresh: 1199 items in each of 10 rounds" in text
    assert "static: 2952 items once" in text


def test_plan_lists_levers() -> None:
    assert command("plan", "--levers").endswith("176 levers\n")
    assert command("plan", "--levers", "table gap").endswith("1 levers\n")
    assert "instruction" in command("plan", "--levers", "--classes", "Ambiguity", "--format", "csv")


@pytest.mark.parametrize(
    "bad",
    [
        {"coverage": "some"},
        {"attempts": 0},
        {"verify": "most"},
        {"checks": "some"},
        {"classes": "Nope"},
        {"bases": "nowhere.jsonl"},
    ],
)
def test_a_bad_argument_is_one_clear_line(bad: dict[str, Any]) -> None:
    with pytest.raises(DataError) as error:
        perturb(**({"bases": "nq_sample"} | bad))
    assert "\n" not in str(error.value)
