"""Which logs of a task count, and what is read of them in one pass."""

import shutil
import zipfile
from pathlib import Path

import pytest
from inspect_ai import score
from inspect_ai.log import write_eval_log

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.runs import (
    no_runs,
    read_task_runs,
)
from refusalbench_tasks.log_reading import read_headers
from tests.generators.made_logs import run_attempts as run
from tests.generators.made_logs import said, twice


def test_every_sample_is_read_once_and_other_tasks_are_passed_over(
    tmp_path: Path,
) -> None:
    run(tmp_path)
    run(tmp_path, "other")
    found = read_task_runs([str(tmp_path)], "made", said)
    assert (sorted(found.items), found.left_out, found.runs[0].samples) == (
        ["a", "b"],
        [],
        2,
    )
    assert (
        read_task_runs(read_headers([str(tmp_path)]), "other", said)
        .runs[0]
        .header.eval.dataset.sample_ids
        is None
    )


def test_of_copies_the_one_that_was_scored_last_counts(tmp_path: Path) -> None:
    log = run(tmp_path)
    first = Path(log.location.removeprefix("file://"))
    again = score(log, twice(), action="overwrite", display="none")
    write_eval_log(again, str(tmp_path / "0_rescored.eval"))
    found = read_task_runs([str(tmp_path)], "made", said)
    assert len(found.runs) == 1
    ((name, why),) = found.left_out
    assert name.endswith(first.name)
    assert why == "another log of this run; 0_rescored.eval counts, which is the newest"


def test_unfinished_and_damaged_logs_are_named(tmp_path: Path) -> None:
    log = run(tmp_path)
    log.status = "cancelled"
    write_eval_log(log, log.location)
    (tmp_path / "2026-01-01T00-00-00_x.eval").write_text("no")
    found = read_task_runs([str(tmp_path)], "made", said)
    assert not found.runs
    reasons = sorted(why for _, why in found.left_out)
    assert reasons[0].startswith("not a readable log")
    assert "(status: cancelled)" in reasons[1]
    with pytest.raises(
        DataError, match=r"no log of `made` can be used: .*\(and 1 more\)"
    ):
        raise no_runs(found.left_out, "made")
    assert "are made by `inspect eval" in str(no_runs((), "made"))


def test_one_damaged_sample_loses_no_other(tmp_path: Path) -> None:
    path = Path(run(tmp_path / "whole").location.removeprefix("file://"))
    (tmp_path / "cut").mkdir()
    with (
        zipfile.ZipFile(path) as old,
        zipfile.ZipFile(tmp_path / "cut" / path.name, "w") as new,
    ):
        for one in old.infolist():
            content = b"{" if one.filename.startswith("samples/b") else old.read(one)
            new.writestr(one.filename, content)
    shutil.rmtree(tmp_path / "whole")
    found = read_task_runs([str(tmp_path)], "made", said)
    assert found.items == ["a"]
    assert "1 samples cannot be read, the first samples/b" in found.left_out[0][1]
