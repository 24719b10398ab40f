"""The merged log of a run's shards is the log of the run that was never cut."""

import json
import zipfile
from pathlib import Path
from typing import Any

import fsspec
import pytest
from inspect_ai.log import (
    EvalLog,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_summaries,
)

from refusalbench_tasks.results.table import read_logs
from tests.scale.sharded import Make, Put, bluff_task, evaluated, merged, nq_task
from tests.tasks import generation


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {
        f"{s.name}/{s.reducer}/{k}": m.value
        for s in log.results.scores
        for k, m in s.metrics.items()
    }


def facts(log: EvalLog) -> list[Any]:
    data = log.eval.dataset
    results = log.results
    assert results
    usage = {name: usage.total_tokens for name, usage in log.stats.model_usage.items()}
    counts = [data.samples, results.total_samples, results.completed_samples]
    return [
        log.eval.metadata,
        log.eval.task_args_passed,
        sorted(map(str, data.sample_ids or [])),
        counts,
        usage,
    ]


@pytest.mark.parametrize("make", [nq_task, bluff_task], ids=["nq", "bluff"])
def test_a_merged_log_has_the_samples_metrics_and_facts_of_the_whole_run(
    here: Path, make: Make
) -> None:
    whole = evaluated(make(None), "whole", epochs=2)
    for number in (1, 2, 3):
        evaluated(make(f"{number}/3"), "parts", epochs=2)
    done = merged("parts", "-o", "out/all.eval")
    assert done.exit_code == 0, done.output
    log = read_eval_log("out/all.eval")
    assert log.status == "success"
    assert metrics(log) == pytest.approx(metrics(whole), nan_ok=True)
    said, due = (
        {(s.id, s.epoch): s.output.completion for s in one.samples or []}
        for one in (log, whole)
    )
    assert said == due
    assert facts(log) == facts(whole)


def test_the_layout_is_the_one_of_inspect_s_shard_sets(here: Path, parts: Put) -> None:
    parts("1/2", "2/2")
    assert merged("parts", "-o", "out/all.eval").exit_code == 0
    log = read_eval_log("out/all.eval", header_only=True)
    assert log.eval.shards is not None
    assert [(entry.shard, entry.status) for entry in log.eval.shards.ledger] == [
        ("1", "success"),
        ("2", "success"),
    ]
    for entry in log.eval.shards.ledger:
        shard = here / "out" / "all.shards" / entry.shard / entry.log
        assert read_eval_log(str(shard), header_only=True).status == "success"
        assert shard.stat().st_size == entry.size
    assert sum(entry.samples for entry in log.eval.shards.ledger) == len(
        read_eval_log_sample_summaries("out/all.eval")
    )
    # the shards lie in the folder as well, and the merged log alone stands for the run
    assert len(list_eval_logs("out")) == 3
    assert [Path(run.name).name for run in read_logs(["out"]).runs] == ["all.eval"]
    assert zipfile.ZipFile("out/all.eval").testzip() is None


def test_a_damaged_shard_is_named_and_leaves_nothing_behind(parts: Put) -> None:
    path = parts("1/2", "2/2")[1]
    with zipfile.ZipFile(path) as archive:
        member = next(
            one for one in archive.infolist() if one.filename.startswith("samples/")
        )
    raw = bytearray(path.read_bytes())
    raw[member.header_offset + 60 : member.header_offset + 160] = b"X" * 100
    path.write_bytes(raw)
    result = merged("parts", "-o", "out/all.eval")
    assert result.exit_code == 1
    assert path.name in result.output
    assert not Path("out").exists()


def test_a_log_that_is_there_is_not_written_over(parts: Put) -> None:
    parts("1/2", "2/2")
    Path("all.eval").write_text("mine")
    result = merged("parts", "-o", "all.eval")
    assert result.exit_code == 1
    assert "exists already" in result.output
    assert Path("all.eval").read_text() == "mine"


def test_shards_of_a_generation_are_one_generation(here: Path) -> None:
    writer = generation.verifier("writer")
    settings: dict[str, Any] = {
        "write": "whole",
        "reading": "off",
        "classes": "MissingInfo",
    }
    verifiers = [generation.verifier("v", 30)]
    whole = generation.run(writer, verifiers, "whole", **settings)
    for number in (1, 2):
        generation.run(writer, verifiers, "parts", shard=f"{number}/2", **settings)
    assert merged("parts", "-o", "all.eval").exit_code == 0
    log = read_eval_log("all.eval")
    found = metrics(log)
    due = metrics(whole)
    assert (
        found["consensus_scores/None/yield_n"] == due["consensus_scores/None/yield_n"]
    )
    assert found == pytest.approx(due, nan_ok=True)
    assert json.dumps(log.eval.metadata, sort_keys=True) == json.dumps(
        whole.eval.metadata, sort_keys=True
    )


def test_shards_behind_an_address_are_merged_there(here: Path, parts: Put) -> None:
    store = fsspec.filesystem("memory")
    store.put([str(path) for path in parts("1/2", "2/2")], "/shards/")
    assert merged("memory://shards", "-o", "memory://runs/nq.eval").exit_code == 0
    log = read_eval_log("memory://runs/nq.eval")
    assert len(log.samples or []) == len(nq_task(None).dataset)
    assert len(store.glob("/runs/nq.shards/*/*.eval")) == 2
    assert (
        "exists already"
        in merged("memory://shards", "-o", "memory://runs/nq.eval").output
    )
    assert (
        "no such file"
        in merged("memory://nowhere", "-o", "memory://runs/all.eval").output
    )
    assert list(here.glob("*.eval")) == []
