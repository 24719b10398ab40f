"""Which logs are the shards of one run, and what is refused."""

from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.log import (
    EvalLog,
    read_eval_log,
    write_eval_log,
)

from refusalbench_tasks.tasks.nq import nq
from tests.scale.sharded import Put, bluff_task, evaluated, merged, nq_task


def test_missing_shards_are_named_and_refused(parts: Put) -> None:
    parts("1/4", "3/4")
    refused = merged("parts", "-o", "all.eval")
    assert refused.exit_code == 1
    assert "of 4 shards 2 are missing or unfinished: 2, 4" in refused.output
    assert not Path("all.eval").exists()


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: nq_task("2/3"), "number of shards 3, there 2"),
        (lambda: nq_task("2/2", confidence=True), "task arguments"),
        (
            lambda: nq(
                data="sample", judge="offline", classes="MissingInfo", shard="2/2"
            ),
            "task arguments",
        ),
        (lambda: bluff_task("2/2"), "task '?refusalbench_tasks/bluff"),
        (lambda: nq_task(None), "not a shard; it was run without -T shard=i/n"),
    ],
)
def test_what_is_of_another_run_is_refused(
    parts: Put, make: Callable[[], Task], message: str
) -> None:
    parts("1/2")
    evaluated(make(), "parts", limit=1)
    result = merged("parts", "-o", "all.eval")
    assert result.exit_code == 1
    assert "another run" in result.output or "not a shard" in result.output
    assert not Path("all.eval").exists()


def two_samples(log: EvalLog, other: EvalLog) -> None:
    log.eval.dataset.sample_ids = other.eval.dataset.sample_ids


def too_few(log: EvalLog, _: EvalLog) -> None:
    log.samples = (log.samples or [])[:1]


def another_version(log: EvalLog, _: EvalLog) -> None:
    log.eval.packages = {"refusalbench-tasks": "0.0.1"}


def versions_by_import_name(log: EvalLog, other: EvalLog) -> None:
    log.eval.packages = {"refusalbench_tasks": "0.0.1"}
    other.eval.packages = {"refusalbench_tasks": "0.1.0"}
    write_eval_log(other, other.location)


def foreign(log: EvalLog, _: EvalLog) -> None:
    (log.samples or [])[0].id = "foreign"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (two_samples, "both have the sample"),
        (too_few, "holds 1 of its"),
        (another_version, "version of the suite"),
        (versions_by_import_name, "version of the suite '0.0.1', there '0.1.0'"),
        (foreign, "its sample 'foreign' is none of its rows"),
    ],
)
def test_a_shard_that_is_not_of_the_run_or_not_whole_is_refused(
    change: Callable[[EvalLog, EvalLog], None], message: str, parts: Put
) -> None:
    other, log = (read_eval_log(str(path)) for path in parts("1/2", "2/2"))
    change(log, other)
    write_eval_log(log, log.location)
    result = merged("parts", "-o", "all.eval")
    assert result.exit_code == 1
    assert message in result.output
    assert not Path("all.eval").exists()
