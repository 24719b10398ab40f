"""`refusalbench compare`: what it prints for people."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from tests.results.paired_runs import rows
from tests.results.synthetic import write_log


@pytest.fixture
def printed(tmp_path: Path) -> tuple[str, str]:
    """Return what is printed of two runs, one of them by another prompt, and the
    warnings.
    """
    write_log(tmp_path, "a", rows([True] * 6 + [None] * 2), prompt_sha256="a" * 64)
    write_log(tmp_path, "b", rows([False] * 4 + [True] * 4), prompt_sha256="b" * 64)
    done = CliRunner().invoke(main, ["compare", str(tmp_path)])
    assert done.exit_code == 0, done.output
    return done.stdout, done.stderr


def test_it_says_which_run_is_which_and_what_the_comparison_rests_on(
    printed: tuple[str, str],
) -> None:
    text, _ = printed
    lines = text.splitlines()
    assert lines[0].startswith("A: a (")
    assert lines[1].startswith("B: b (")
    assert "6 samples of 3 questions are decided in both" in lines
    assert "left out: 2 undecided in A or B, 0 in A only, 0 in B only" in lines


def test_differences_that_may_be_the_prompts_are_warned_of(
    printed: tuple[str, str],
) -> None:
    _, warnings = printed
    assert "the models were given different prompts" in warnings
    assert "graded by different graders" not in warnings


def test_differences_that_may_be_the_readers_are_warned_of(tmp_path: Path) -> None:
    names = ("ngrams", "vectors")
    for name in names:
        read = {"judge": "offline", "reader": name}
        write_log(tmp_path, name, rows([True] * 6), task_args=read)
    done = CliRunner().invoke(main, ["compare", str(tmp_path)])
    assert "were read by rules and ngrams and by rules and vectors" in done.stderr


def test_pairs_of_which_one_side_is_decided_are_listed(
    printed: tuple[str, str],
) -> None:
    _, listed = printed[0].split("Decided in one run alone: 2\n")
    assert [line.split() for line in listed.strip().splitlines()] == [
        ["id", "epoch", "A", "B"],
        ["006", "1", "unscored", "answer"],
        ["007", "1", "unscored", "answer"],
    ]
