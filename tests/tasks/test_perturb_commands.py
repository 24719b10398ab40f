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
        (["export", "none", "-o", "set"], "no generation logs"),
        (["plan"], "give --bases, or --epsilon and --delta"),
        (["plan", "--bases", "nowhere.jsonl"], "no such file"),
        (["plan", "--epsilon", "2", "--delta", "0.1"], "0 < epsilon < 1"),
        (["bases", "nowhere.jsonl", "-o", "b.jsonl"], "no such file"),
        (["levers", "--classes", "Nope"], "unknown name 'Nope'"),
        (["validation", "nowhere.csv"], "no such file"),
    ):
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 1, arguments
        assert problem in result.output


def test_plan_prints_counts_calls_and_cost(tmp_path: Path) -> None:
    (tmp_path / "prices.yaml").write_text("w: {input: 2, output: 10}\nv: {input: 1, output: 5}\n")
    text = command("plan", "--bases", "nq_sample", "--writers", "w", "--verifiers", "v", "--prices", "prices.yaml")
    assert "324 items per writer" in text
    assert "at most 972 calls for one attempt" in text  # a writer, a reader and a verifier
    assert "cost: unknown" not in text
    paper = ("--writers", "w", "--verifiers", "w,v", "--self-votes", "--no-reading", "--attempts", "2")
    # each of two attempts at 324 items: written once, judged by both
    assert "at most 1944 calls for 2 attempts" in command("plan", "--bases", "nq_sample", *paper)
    assert "levers fit none of the base questions" in text
    assert "Remove City Phrase                    asks_area" in text
    one = ("--levers", "Table Gap", "--coverage", "all")
    assert "18 base questions, 1 levers, 18 items per writer" in command("plan", "--bases", "nq_sample", *one)
    text = command("plan", "--epsilon", "0.05", "--delta", "0.05", "--rounds", "10", "--drift", "0.1")
    assert "fresh: 1199 items in each of 10 rounds" in text
    assert "static: 2952 items once" in text


def test_levers_can_be_listed_and_searched() -> None:
    assert command("levers").endswith("176 levers\n")
    assert "Table Gap" in command("levers", "--search", "table", "--full")


@pytest.mark.parametrize(
    "bad",
    [
        {"coverage": "some"},
        {"attempts": 0},
        {"verify": "most"},
        {"audit_share": 2},
        {"classes": "Nope"},
        {"bases": "nowhere.jsonl"},
    ],
)
def test_a_bad_argument_is_one_clear_line(bad: dict[str, Any]) -> None:
    with pytest.raises(DataError) as error:
        perturb(**({"bases": "nq_sample"} | bad))
    assert "\n" not in str(error.value)
