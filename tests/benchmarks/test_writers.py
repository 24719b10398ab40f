"""Writers with the habits of small models are named as the culprit."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest

from benchmarks.real import writers
from benchmarks.real.draft_row import READ, reading_of
from benchmarks.real.weights import open_models
from benchmarks.real.writer_runs import RUNS
from benchmarks.real.writers import DEFAULT, DRAFTS, run_all
from refusalbench_tasks.replies.sentences import sentences
from tests.collect.panel import said as verdict_on_sources
from tests.generators.panel import scripted
from tests.models import part
from tests.provider import Call, Reply, Server
from tests.provider.reply import Script

MODEL = next(model for model in open_models() if model.name == DEFAULT)
WRITES = ("submit_items", "submit_questions", "submit_queries", "submit_question")
AGAIN = "\n\nYour last reply could not be used"
QUESTIONS = {
    "sports": "How many times did Rilla Stanhope's team win the Cairn Relay?",
    "finance": "What was the policy rate of the Reserve Bank of Quennia in October?",
}
KEPT = sorted(DRAFTS.glob("drafts-*.jsonl"))
STOPS: dict[str, Literal["stop", "length", "filter"]] = {
    "max_tokens": "length",
    "content_filter": "filter",
}
VOTED = re.compile(r"undecided|criterion/|reading|reader_|panel/|rival|standalone")
"""Reasons that a verifier or a reader gives."""
Habit = Callable[[Call], Reply | str]


def envelope(call: Call) -> str:
    """Return a call as small models write it down; its arguments fit no schema."""
    arguments = {"lever": "Some", "text": "The passage says so."}
    written = json.dumps({"name": call.tools[0], "arguments": arguments}, indent=2)
    return f"```json\n{written}\n```"


HABITS: tuple[tuple[Habit, str], ...] = (
    (lambda call: "Sure! The passage is about a lock. " * 5, "writer_no_payload"),
    (envelope, "writer_schema_mismatch"),
    (lambda call: "<item><lever>Some</lever></item>", "writer_no_payload"),
    (lambda call: Reply('{"items": [{"lever": "S', stop="length"), "writer_truncated"),
    (lambda call: Reply("", stop="filter"), "writer_refusal"),
    (lambda call: "", "writer_no_payload"),
)
"""What a writer does, and the reason for which its slot then comes to nothing."""


def taking_turns() -> Script:
    """Return a model that has another habit with each thing it is to write."""
    asked: list[str] = []

    def answer(call: Call) -> Reply | str:
        if call.tools[0] not in WRITES:
            return "I am not sure."
        prompt = call.text.partition(AGAIN)[0]
        if prompt not in asked:
            asked.append(prompt)
        habit, _ = HABITS[asked.index(prompt) % len(HABITS)]
        return habit(call)

    return answer


def writes_well(call: Call) -> Reply:
    """Return what a model says that is good in every role."""
    return Reply(arguments=well(call.text, call.tools[0]))


def well(prompt: str, tool: str) -> dict[str, Any]:
    if tool == "submit_queries":
        field = part(prompt, "FIELD")
        return {"queries": [field, f"report of {field.split()[-1]}"]}
    if tool == "submit_question":
        return sourced_question(part(prompt, "TOPIC"), part(prompt, "PASSAGE"))
    if "numbered sources" in prompt:
        return verdict_on_sources("missing")
    answer = scripted(prompt)
    assert isinstance(answer, dict)
    return answer


def sourced_question(topic: str, passage: str) -> dict[str, Any]:
    """Return a question of the bundled data, answered by a word of the passage."""
    question = QUESTIONS[topic]
    support = sentences(passage)[0]
    words = [word for word in re.findall(r"[A-Za-z]+", support) if word not in question]
    return {
        "question": question,
        "answer": max(words, key=len),
        "support": support,
        "aliases": [],
        "neighbour_query": "tides and moons",
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file of drafts."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def replaying(rows: list[dict[str, Any]]) -> Script:
    """Return a model that writes what is recorded, in its order, and judges nothing."""
    left = iter(rows)

    def answer(call: Call) -> Reply | str:
        if call.tools[0] not in WRITES:
            return "I am not sure."
        row = next(left)
        assert row["tool"] == call.tools[0]
        calls = row.get("calls")
        arguments = calls[0]["arguments"] if calls else None
        return Reply(row["reply"], arguments, STOPS.get(row["stop_reason"], "stop"))

    return answer


def before_votes(row: dict[str, Any]) -> tuple[str, list[str]]:
    """Return a slot with the reasons for which it was not put to a vote."""
    reasons = [reason for reason in row["reasons"] if not VOTED.search(reason)]
    return row["slot"], reasons


def tried(script: Script, folder: Path) -> list[dict[str, Any]]:
    """Run all runs with a scripted model, and return the rows of its drafts."""
    kept = folder / "drafts.jsonl"
    with Server(script) as server:
        assert run_all(MODEL, server.openai_url, folder / "logs", kept)
    return rows_of(kept)


def test_each_bad_habit_has_its_reason_which_names_the_writer(
    folder: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    head, *rows = tried(taking_turns(), folder)
    runs = {facts["run"]: facts for facts in head["recorded"]["runs"]}
    assert head["recorded"]["model"] == MODEL.title
    assert [facts["slots"] for facts in runs.values()] == [6, 6, 6, 2]
    assert all(facts["status"] == "success" for facts in runs.values())
    expected = [reason for _, reason in HABITS]
    for name in ("perturb", "question"):
        seen = [row for row in rows if row["run"] == name]
        # each is asked twice, does the same again, and its slot is given its reason
        assert sorted(row["reading"] for row in seen) == sorted(expected * 2)
        assert all(row["reasons"] == [row["reading"]] for row in seen)
    first = [row for row in rows if row["run"] == "perturb" and row["call"] == 1]
    assert [row["reading"] for row in first] == expected
    assert all(reading_of(row) == row["reading"] for row in rows)
    assert set(runs["perturb-together"]["reasons"]) <= set(expected)
    assert runs["collect"]["reasons"] == {
        "queries/writer_no_payload": 1,
        "queries/writer_truncated": 1,
    }
    printed = capsys.readouterr().out.splitlines()
    lines = [line for line in printed if " slots, " in line]
    assert len(lines) == len(RUNS)
    came = "6 slots, 0 accepted; writer_no_payload 3, "
    assert re.match(rf"perturb: success, [\d.]+ minutes, {came}", lines[0])
    closing = [text for text in caplog.messages if "nothing was accepted" in text]
    assert len(closing) == len(RUNS)
    assert all("A writer has to call a tool" in text for text in closing)


def test_drafts_of_a_good_writer_are_read_and_accepted(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen = [one for one in RUNS if one.name in ("perturb-together", "collect")]
    monkeypatch.setattr(writers, "RUNS", chosen)
    head, *rows = tried(writes_well, folder)
    together, collected = head["recorded"]["runs"]
    assert (together["slots"], together["accepted"], together["reasons"]) == (6, 6, {})
    assert {row["reading"] for row in rows} == {READ}
    levels = [row["intensities"] for row in rows if "intensities" in row]
    assert levels == [["LOW", "MEDIUM", "HIGH"]] * 2
    # the local web has all that a record takes: its readers were asked
    assert collected["reasons"] == {"panel/settled_arm_missing": 2}


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.stem)
def test_recorded_drafts_come_to_what_they_came_to(kept: Path, folder: Path) -> None:
    _, *rows = rows_of(kept)
    _, *again = tried(replaying(rows), folder)
    assert [row["reading"] for row in again] == [row["reading"] for row in rows]
    assert [before_votes(row) for row in again] == [before_votes(row) for row in rows]
