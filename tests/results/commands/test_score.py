"""`refusalbench score` gives the numbers of the way through Inspect."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from inspect_ai import eval
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSpec, read_eval_log

import refusalbench_tasks
from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.log_files import System, system_of
from refusalbench_tasks.solvers.replay import replay
from tests.models import metrics_of

SCORERS = {
    "nq": "refusal_scores",
    "garage": "grounded_scores",
    "bluff": "hedging_scores",
}
SAID = (
    "REFUSE_INFO_MISSING_IN_CONTEXT",
    "{gold}",
    "I don't know.",
    "It was perhaps {gold} [1].\nThe sources differ.",
    "",
    "refuse_ambiguous",
    "{gold}\nCONFIDENCE: CONFIDENT",
    "\u202e<b>{gold}</b>\x00 {{query}} {0}",
)
STOPS = ("stop", "length", "content_filter", "unknown", "stop", "stop", "stop")


def replies(name: str, path: Path, epochs: int = 1, **arguments: Any) -> Path:
    """Write replies of many kinds to most of a task's rows, and some to none."""
    task = getattr(refusalbench_tasks, name)(
        data="sample", judge="offline", **arguments
    )
    rows: list[dict[str, Any]] = []
    for epoch in range(1, epochs + 1):
        for k, sample in enumerate(task.dataset):
            gold = [
                *sample.metadata.get("answers", []),
                sample.metadata.get("answer"),
                "gold",
            ][0]
            text = SAID[(k + epoch) % len(SAID)].replace("{gold}", gold or "so")
            row = {
                "id": sample.id,
                "epoch": epoch,
                "reply": text,
                "stop_reason": STOPS[k % len(STOPS)],
            }
            row |= (
                {"confidence": (k % 11) / 10}
                if k % 3
                else {"logprobs": {"A": -0.2, "B": -1.9}}
            )
            row |= {"passages": ["One [1] of two.", gold]} if k % 5 == 0 else {}
            rows += [row] if k % 7 else []
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def score(*words: str) -> Result:
    return CliRunner().invoke(main, ["score", *words])


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


def test_the_table_is_that_of_show(tmp_path: Path) -> None:
    file = replies("nq", tmp_path / "replies.jsonl", per_stratum=1)
    words = (str(file), "--task", "nq", "--data", "sample", "-T", "per_stratum=1")
    said = score(*words, "--log", str(tmp_path / "x.eval"))
    assert said.exit_code == 0, said.output
    shown = CliRunner().invoke(main, ["show", str(tmp_path / "x.eval")])
    assert shown.output == said.output
    assert "not_in_file" in said.output
    rows = json.loads(score(*words, "--format", "json").stdout)
    assert rows


def test_a_system_has_the_name_that_it_is_given_in_every_table(tmp_path: Path) -> None:
    words = ("--task", "nq", "--data", "sample", "-T", "per_stratum=1")
    logs = tmp_path / "logs"
    plain = replies("nq", tmp_path / "replies.jsonl", per_stratum=1)
    rows = [json.loads(line) for line in plain.read_text().splitlines()]
    named = tmp_path / "named.jsonl"
    named.write_text(
        "".join(json.dumps(row | {"model": "helpdesk-v2"}) + "\n" for row in rows)
    )
    # by the file's one model
    assert score(str(named), *words, "--log", str(logs / "a.eval")).exit_code == 0
    assert (
        score(
            str(named), *words, "--name", "helpdesk-v3", "--log", str(logs / "b.eval")
        ).exit_code
        == 0
    )
    task = refusalbench_tasks.nq(data="sample", judge="offline", per_stratum=1)
    eval(
        task,
        solver=replay(str(plain), name="wiki-bot"),
        model="none/none",
        log_dir=str(logs),
        display="none",
    )
    for word in ("show", "compare"):
        told = CliRunner().invoke(main, [word, str(logs), "--format", "csv"])
        assert told.exit_code == 0, told.output
        assert all(
            name in told.output for name in ("helpdesk-v2", "helpdesk-v3", "wiki-bot")
        ), told.output
        assert "replay" not in told.stdout
    held = CliRunner().invoke(
        main,
        ["gate", str(logs), "--max", "false_refusal_rate=1", "--max-unscored", "1"],
    )
    assert held.output.count("nq on sample: ") == 3
    with pytest.raises(
        DataError, match="name: String should have at least 1 character"
    ):
        replay(str(plain), name=" ")


@pytest.mark.parametrize(
    ("model", "solver", "given", "name", "baseline"),
    [
        (
            "openai/gpt-4o",
            "refusalbench_tasks/replay",
            {"name": "x"},
            "openai/gpt-4o",
            False,
        ),
        (
            "none/none",
            "refusalbench_tasks/endpoint",
            {"name": "helpdesk"},
            "helpdesk",
            False,
        ),
        ("none/none", "refusalbench_tasks/callable", {"name": " "}, "callable", False),
        ("none/none", "refusalbench_tasks/oracle", {"name": "x"}, "oracle", True),
        ("none/none", None, None, "none/none", True),
    ],
)
def test_an_application_is_no_baseline_and_has_its_name(
    model: str,
    solver: str | None,
    given: dict[str, str] | None,
    name: str,
    baseline: bool,
) -> None:
    log = {
        "created": "2026-01-01T00:00:00+00:00",
        "task": "nq",
        "dataset": EvalDataset(),
        "config": EvalConfig(),
    }
    spec = EvalSpec(model=model, solver=solver, solver_args=given, **log)
    assert system_of(EvalLog(eval=spec)) == System(name, baseline)


def test_what_is_wrong_ends_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"id": "x", "reply": "so"}\n')
    (tmp_path / "x.eval").write_text("")
    file = str(tmp_path / "r.jsonl")
    for words, told in (
        (
            (file, "--task", "nq", "--data", "sample"),
            "no reply is to a row of this run",
        ),
        ((file, "--task", "nq", "-T", "judge=cascade"), "only judge=offline"),
        ((file, "--task", "nq", "-T", "seed"), "expected NAME=VALUE"),
        ((file, "--task", "nq", "-T", "color=red"), "unknown argument 'color'"),
        (
            (file, "--task", "nq", "--data", "sample", "--log", "x.json"),
            "end it with .eval",
        ),
        ((str(tmp_path / "none.csv"), "--task", "nq"), "no such file"),
        (
            (
                str(tmp_path / "x.eval"),
                "--task",
                "nq",
                "--log",
                str(tmp_path / "x.eval"),
            ),
            "this file is read",
        ),
    ):
        done = score(*words)
        assert done.exit_code == 1, words
        assert told in done.output
        assert "Traceback" not in done.output
