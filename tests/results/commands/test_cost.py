"""`refusalbench cost` says before a run what it takes."""

import json
import socket
import sys
from pathlib import Path
from statistics import mean
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from inspect_ai import eval
from inspect_ai.log import read_eval_log, write_eval_log

from refusalbench_tasks.cli import main
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.tasks.search import search
from refusalbench_tasks.worlds.quad_rows import quad_rows
from tests.models import fake
from tests.recorded import recording

NQ = ("nq", "-T", "data=sample", "-T", "per_stratum=1")


def cost(*words: str) -> list[dict[str, Any]]:
    """Return the lines of the bill."""
    done = CliRunner().invoke(main, ["cost", *words, "--format", "json"])
    assert done.exit_code == 0, done.output
    lines: list[dict[str, Any]] = json.loads(done.stdout)["cost"]
    return lines


ROWS = {
    "nq": ("nq", "-T", "data=sample"),
    "nq-ask": ("nq", "-T", "data=sample", "-T", "ask=true"),
    "garage": ("garage", "-T", "data=sample"),
    "bluff": ("bluff", "-T", "data=sample", "-T", "ptrue=none"),
    "worlds": ("nq", "-T", "data=worlds", "-T", "n=240"),
}


@pytest.mark.parametrize("name", ROWS)
def test_the_tokens_of_a_call_are_those_of_recorded_runs(name: str) -> None:
    (line,) = cost(*ROWS[name], "-T", "judge=offline", "--model", "a/b")
    models = ["qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"]
    if name != "nq-ask":
        models.append("smollm2-135m")
    for model in models:
        replies = recording(f"{model}-{name}").replies
        asked = mean(reply["usage"]["input_tokens"] for reply in replies)
        given = mean(reply["usage"]["output_tokens"] for reply in replies)
        counted = line["tokens in"] / line["calls"]
        assert counted == pytest.approx(asked, rel=0.15)
        counted += line["tokens out"] / line["calls"]
        assert counted == pytest.approx(asked + given, rel=0.15)


SEARCH = ("search", "-T", "data=sample", "-T", "per_stratum=1")
"""What is 18 rows with 12 turns each."""


def test_an_agent_takes_all_its_turns_as_one_that_was_recorded() -> None:
    line, grader = cost(*SEARCH, "--model", "a/b", "--grader", "e/f")
    assert line["calls"] == 18 * 12
    assert grader["calls"] == 18
    counted = (line["tokens in"] + line["tokens out"]) / 18
    file = Path("examples/replies/search/qwen2.5-coder-0.5b-search_lines.jsonl")
    _, *rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    # by 11.9 turns a row
    assert counted == pytest.approx(mean(map(tokens_of, rows)), rel=0.15)


def tokens_of(row: dict[str, Any]) -> int:
    return sum(sum(turn["tokens"]) for turn in row["turns"])


def test_a_log_of_few_turns_is_set_against_as_many(tmp_path: Path) -> None:
    task = search(data="sample", per_stratum=1, judge="offline")
    model = fake(lambda _: "I have to think.")
    eval(task, model=model, message_limit=6, log_dir=str(tmp_path), display="none")
    words = ("--model", "mockllm/fake", "--log", str(tmp_path))
    line, _ = cost(*SEARCH, *words)
    # two calls of a token each for every row, which later ones exceed
    assert line["tokens in"] > 18 * 12


def test_a_grader_is_asked_of_every_reply_and_nobody_by_the_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def connect(*_: object) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr(socket.socket, "connect", connect)
    lines = cost(*NQ, "--model", "a/b", "--model", "c/d", "--grader", "e/f")
    assert [(line["run of"], line["role"], line["called"]) for line in lines] == [
        ("a/b", "model", "a/b"),
        ("a/b", "grader", "e/f"),
        ("c/d", "model", "c/d"),
        ("c/d", "grader", "e/f"),
    ]
    assert {line["calls"] for line in lines} == {18}
    assert all(line["tokens in"] > 18 * 200 for line in lines)
    assert {line["price"] for line in lines} == {None}


def test_bluff_asks_twice() -> None:
    words = ("bluff", "-T", "data=sample", "-T", "per_topic=1", "-T", "judge=offline")
    (with_confidence,) = cost(*words, "--model", "a/b")
    (without,) = cost(*words, "-T", "ptrue=none", "--model", "a/b")
    assert with_confidence["calls"] == 2 * without["calls"] == 40


def test_a_log_of_the_model_says_what_it_spends_and_prices_are_multiplied(
    tmp_path: Path,
) -> None:
    task = nq(data="sample", per_stratum=2, judge="offline")
    model = fake(lambda _: "It was in the year 1900.")
    eval(task, model=model, log_dir=str(tmp_path), display="none")
    prices = tmp_path / "prices.yaml"
    price = {"input": 1e6, "output": 2e6}
    prices.write_text(yaml.safe_dump({"mockllm/fake": price}))
    words = ("--log", str(tmp_path), "--prices", str(prices))
    (line,) = cost(*NQ, "-T", "judge=offline", "--model", "mockllm/fake", *words)
    # the fake model says that a call takes one token, and its reply one more
    assert line["tokens in"] == pytest.approx(18, abs=1)
    assert line["tokens out"] == pytest.approx(18, abs=1)
    assert line["price"] == line["tokens in"] + 2 * line["tokens out"]
    # a run within one second has 0
    assert line["minutes"] is not None
    assert (tmp_path / line["by log"]).exists()


def test_logs_that_say_nothing_are_named(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    lines = [json.dumps(row) for row in quad_rows(0, 0, 2)]
    rows.write_text("\n".join(lines), encoding="utf-8")
    task = nq(data=str(rows), judge="offline")
    model = fake(lambda _: "It was in the year 1900.")
    (log,) = eval(task, model=model, log_dir=str(tmp_path / "logs"), display="none")
    unfinished = read_eval_log(log.location)
    unfinished.status = "error"
    write_eval_log(unfinished, str(tmp_path / "logs" / "stopped.eval"))
    rows.write_text(lines[0], encoding="utf-8")
    words = ["-T", f"data={rows}", "-T", "judge=offline", "--model", "mockllm/fake"]
    done = CliRunner().invoke(
        main, ["cost", "nq", *words, "--log", str(tmp_path), "--format", "json"]
    )
    assert "1 of its 2 rows are still there" in done.stderr
    assert "stopped.eval: it did not finish (error)" in done.stderr
    (line,) = json.loads(done.stdout)["cost"]
    assert line["by log"] is line["minutes"] is None


def test_a_tokenizer_counts_where_one_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Words:
        def encode(self, text: str) -> SimpleNamespace:
            return SimpleNamespace(ids=text.split())

    loaded = SimpleNamespace(from_file=lambda path: Words())
    monkeypatch.setitem(sys.modules, "tokenizers", SimpleNamespace(Tokenizer=loaded))
    file = tmp_path / "tokenizer.json"
    file.touch()
    words = (*NQ, "-T", "judge=offline", "--model", "a/b")
    (counted,) = cost(*words, "--tokenizer", str(file))
    (guessed,) = cost(*words)
    assert counted["tokens out"] == 18 * 30
    assert counted["tokens in"] < guessed["tokens in"]


def test_a_file_that_is_no_tokenizer_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    file = tmp_path / "tokenizer_config.json"
    file.write_text("{}", encoding="utf-8")
    words = ["cost", *NQ, "--model", "a/b", "--tokenizer", str(file)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1
    assert f"{file}: no tokenizer.json" in done.output


def test_prices_that_are_none_are_one_line(tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("a/b: {input: cheap, output: 1}")
    words = ["cost", *NQ, "--model", "a/b", "--prices", str(prices)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1
    assert "prices: Input should be a valid number" in done.output
