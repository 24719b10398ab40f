"""Replies that exist already, scored as a run through Inspect scores them."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import read_eval_log

import refusalbench_tasks
from refusalbench_tasks.solvers.replay import replay
from tests.models import metrics_of
from tests.results.recorded_replies import replies, score

SCORERS = {
    "nq": "refusal_scores",
    "garage": "grounded_scores",
    "bluff": "hedging_scores",
}


def same(one: dict[str, float], other: dict[str, float]) -> None:
    assert set(one) == set(other)
    assert {
        name: (one[name], other[name])
        for name in one
        if str(one[name]) != str(other[name])
    } == {}


@pytest.mark.parametrize(
    ("name", "epochs", "arguments"),
    [
        (
            "nq",
            2,
            {
                "confidence": True,
                "classes": "P-Ambiguity,P-MissingInfo",
                "per_stratum": 2,
            },
        ),
        (
            "nq",
            1,
            {
                "protocol": "official-code",
                "controls": "add",
                "per_stratum": 1,
                "cluster": "row",
            },
        ),
        ("garage", 1, {"confidence": True, "classes": "P-Ambiguity"}),
        (
            "bluff",
            1,
            {"topics": "law,history", "per_topic": 2, "arms": "clear,ambiguous,none"},
        ),
    ],
)
def test_every_number_is_that_of_the_way_through_inspect(
    name: str, epochs: int, arguments: dict[str, Any], tmp_path: Path
) -> None:
    file = replies(name, tmp_path / "replies.jsonl", epochs, **arguments)
    task = getattr(refusalbench_tasks, name)(
        data="sample", judge="offline", **arguments
    )
    (log,) = eval(
        task, solver=replay(str(file)), model="none/none", epochs=epochs, display="none"
    )
    written = [
        f"-T{key}={json.dumps(value) if isinstance(value, bool) else value}"
        for key, value in arguments.items()
    ]
    done = score(
        str(file),
        "--task",
        name,
        "--data",
        "sample",
        *written,
        "--log",
        str(tmp_path / "x.eval"),
    )
    assert done.exit_code == 0, done.output
    made = read_eval_log(str(tmp_path / "x.eval"))
    by_inspect = metrics_of(log, SCORERS[name])
    by_us = metrics_of(made, SCORERS[name])
    assert "not_in_file" in {
        (s.scores or {})[SCORERS[name]].reason for s in log.samples or []
    }
    same(by_inspect, by_us)
    assert made.eval.metadata == log.eval.metadata
    ours, theirs = (
        {(s.id, s.epoch): s for s in one.samples or []} for one in (made, log)
    )
    assert set(ours) == set(theirs)
    for key, sample in ours.items():
        one, other = (
            s.scores[SCORERS[name]].model_dump_json()
            for s in (sample, theirs[key])
            if s.scores
        )
        assert one == other, key
