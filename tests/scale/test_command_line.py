"""Which command works on a shard, and what of the options it gets."""

from importlib import import_module

import click
import pytest

from refusalbench_tasks.scale.command_line import cluster_command, shard_command
from refusalbench_tasks.scale.standing import Attempt, Standing, standings
from refusalbench_tasks.scale.work_list import KEPT, work_list

WORK = work_list(
    "nq", "openai/m", 64, "s3://b/runs", None, ("data=sample", "judge=cascade"), ("grader=openai/g",),
    ("--temperature", "0", "--max-samples", "5", "--no-score"),
)  # fmt: skip


def test_a_shard_that_is_not_begun_is_evaluated_and_keeps_each_sample_at_once() -> None:
    assert shard_command(WORK, Standing(7), 3) == [
        "eval", "refusalbench_tasks/nq", "--model", "openai/m", "--model-role", "grader=openai/g",
        "-T", "data=sample", "-T", "judge=cascade", "-T", "shard=7/64",
        "--display", "none", "--log-buffer", "1", "--temperature", "0", "--max-samples", "5", "--no-score",
        "--max-connections", "3", "--log-dir", "s3://b/runs/nq.shards/7",
    ]  # fmt: skip


def test_a_shard_that_was_begun_is_continued_with_what_says_how_and_not_what() -> None:
    assert shard_command(WORK, Standing(7, False, "s3://b/runs/nq.shards/7/x.eval", 12), None) == [
        "eval-retry", "s3://b/runs/nq.shards/7/x.eval", "--display", "none", "--log-buffer", "1",
        "--max-samples", "5", "--log-dir", "s3://b/runs/nq.shards/7",
    ]  # fmt: skip


def test_an_option_that_is_given_stands_for_the_default() -> None:
    work = work_list("nq", "m", 2, "logs", options=("--log-buffer=20", "--display", "plain"))
    words = shard_command(work, Standing(1, False, "x.eval", 1), None)
    assert words == [
        "eval-retry",
        "x.eval",
        "--log-buffer",
        "20",
        "--display",
        "plain",
        "--log-dir",
        "logs/nq.shards/1",
    ]


@pytest.mark.parametrize("command", ["eval_command", "eval_retry_command"])
def test_both_commands_of_inspect_know_the_options_that_are_kept(command: str) -> None:
    known: click.Command = getattr(import_module("inspect_ai._cli.eval"), command)
    names = {name for option in known.params for name in (*option.opts, *option.secondary_opts)}
    assert KEPT - names == set()
    assert {"--log-dir", "--max-connections", "--log-buffer", "--display"} <= names


def test_the_command_of_an_array_s_job_names_the_whole_run() -> None:
    assert cluster_command(WORK, 16, 100) == [
        "refusalbench", "cluster", "nq", "--model", "openai/m", "--shards", "64", "--log-dir", "s3://b/runs",
        "--name", "nq", "-T", "data=sample", "-T", "judge=cascade", "--model-role", "grader=openai/g",
        "--parallel", "16", "--max-connections", "100",
    ]  # fmt: skip
    assert "--parallel" not in cluster_command(WORK, 16, None)


def test_a_finished_attempt_counts_and_else_the_one_with_most_samples() -> None:
    attempts = [
        Attempt(1, "old", True, 9, "2026-01-01"),
        Attempt(1, "new", True, 9, "2026-01-03"),
        Attempt(1, "later", False, 8, "2026-01-04"),
        Attempt(2, "long", False, 7, "2026-01-01"),
        Attempt(2, "short", False, 2, "2026-01-02"),
        Attempt(3, "none", False, 0, "2026-01-01"),
        Attempt(5, "same", False, 4, "2026-01-01"),
        Attempt(5, "again", False, 4, "2026-01-02"),
    ]
    assert standings(attempts, 5) == (
        Standing(1, True, "new", 9),
        Standing(2, False, "long", 7),
        Standing(3),
        Standing(4),
        Standing(5, False, "again", 4),
    )
