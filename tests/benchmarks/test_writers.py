"""Writers with the habits of small models are named as the culprit."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.real import writers
from benchmarks.real.draft_row import READ, reading_of
from benchmarks.real.weights import open_models
from benchmarks.real.writers import DEFAULT, RUNS, run_all
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


def tried(script: Script, folder: Path) -> list[dict[str, Any]]:
    """Run all runs with a scripted model, and return the rows of its drafts."""
    kept = folder / "drafts.jsonl"
    with Server(script) as server:
        assert run_all(MODEL, server.openai_url, folder / "logs", kept)
    return [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]


def test_each_bad_habit_has_its_reason_which_names_the_writer(
    folder: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    head, *rows = tried(taking_turns(), folder)
    runs = {facts["run"]: facts for facts in head["recorded"]["runs"]}
    assert head["recorded"]["model"] == MODEL.title
    assert [facts["slots"] for facts in runs.values()] == [6, 6, 6, 2]
    assert all(facts["status"] == "success" for facts in runs.values())
    for name in ("perturb", "question"):
        seen = [row for row in rows if row["run"] == name]
        slots = list(dict.fromkeys(row["slot"] for row in seen))
        assert len(seen) == 2 * len(slots)
        for slot, (_, reason) in zip(slots, HABITS, strict=True):
            of_slot = [row for row in seen if row["slot"] == slot]
            assert [row["reading"] for row in of_slot] == [reason, reason]
            assert [row["reasons"] for row in of_slot] == [[reason], [reason]]
    assert all(reading_of(row) == row["reading"] for row in rows)
    assert set(runs["perturb-together"]["reasons"]) <= {reason for _, reason in HABITS}
    assert runs["collect"]["reasons"] == {
        "queries/writer_no_payload": 1,
        "queries/writer_schema_mismatch": 1,
    }
    printed = capsys.readouterr().out.splitlines()
    lines = [line for line in printed if " accepted; " in line]
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
