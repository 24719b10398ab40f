"""A header is read as Inspect's reader reads it, and without Inspect wherever that is possible."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, EvalMetric, read_eval_log, write_eval_log
from inspect_ai.model import ModelUsage

from refusalbench_tasks.files.log_header import ShortHeader, short_header
from refusalbench_tasks.taxonomy import Label
from tests.results.logs.synthetic import NAN, row, write_log


def full_log(folder: Path) -> Path:
    """Return a log whose header has every member that is read, NaN among the metrics."""
    path = write_log(folder, "openai/m", [row("1", Label.MISSING)], sample_ids=["1"], revision="abc")
    log = read_eval_log(str(path))
    log.eval.task_version = "2-A"
    log.eval.task_args = {"data": "sample", "seed": 0}
    log.eval.task_args_passed = {"seed": 0}
    log.eval.solver, log.eval.solver_args = "endpoint", {"name": "my service"}
    log.eval.packages = {"inspect_ai": "0.3.1"}
    log.eval.config.epochs = 3
    log.eval.model_generate_config.reasoning_tokens = 64
    log.stats.model_usage = {"openai/m": ModelUsage(input_tokens=5, output_tokens=2, total_tokens=7, total_cost=0.5)}
    assert log.results
    log.results.scores[0].metrics = {"rate": EvalMetric(name="rate", value=NAN), "n": EvalMetric(name="n", value=1)}
    write_eval_log(log, str(path))
    return path


def with_header(path: Path, change: dict[str, Any]) -> Path:
    """Return a copy of a log whose header is changed; a member that is None is gone."""

    def changed(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
        inner = {key: changed(old[key], value) if isinstance(value, dict) else value for key, value in new.items()}
        return {key: value for key, value in (old | inner).items() if value is not None}

    copy = path.with_name("changed.eval")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy, "w") as new:
        for name in old.namelist():
            raw = old.read(name)
            new.writestr(name, json.dumps(changed(json.loads(raw), change)) if name == "header.json" else raw)
    return copy


def members(part: Any, of: Any) -> Any:
    """Return of Inspect's header the members that the short one has."""
    if isinstance(part, dict) and isinstance(of, dict):
        return {key: members(value, of.get(key)) for key, value in part.items()}
    return [members(*pair) for pair in zip(part, of, strict=True)] if isinstance(part, list) else of


def test_each_member_is_what_inspect_reads(tmp_path: Path) -> None:
    path = str(full_log(tmp_path))
    header, whole = short_header(path), read_eval_log(path, header_only=True)
    assert isinstance(header, ShortHeader)
    short = header.model_dump()
    assert repr(short) == repr(members(short, whole.model_dump()) | {"location": path})
    assert (header.eval.config.epochs, header.eval.dataset.sample_ids) == (3, ["1"])
    assert header.stats.model_usage["openai/m"].total_cost == 0.5


OLDER = {"data": "sample", "seed": 0}


@pytest.mark.parametrize(
    ("change", "passed"),
    [
        ({"version": 1}, {"seed": 0}),
        ({"eval": {"created": "2026-01-01T01:00:00+01:00"}}, {"seed": 0}),
        ({"eval": {"task_args_passed": None}}, OLDER),
        ({"status": None}, {"seed": 0}),
    ],
    ids=["version", "zone", "older-arguments", "no-status"],
)
def test_what_is_written_otherwise_goes_through_inspects_reader(
    tmp_path: Path, change: dict[str, Any], passed: dict[str, Any]
) -> None:
    header = short_header(str(with_header(full_log(tmp_path), change)))
    assert isinstance(header, EvalLog)
    assert (header.eval.model, header.eval.created[:16]) == ("openai/m", "2026-01-01T00:00")
    assert header.eval.task_args_passed == passed


def test_a_header_that_nothing_can_be_made_of_raises_what_inspect_raises(tmp_path: Path) -> None:
    path = with_header(full_log(tmp_path), {"eval": {"model": None}})
    with pytest.raises(ValueError, match="eval.model"):
        short_header(str(path))
