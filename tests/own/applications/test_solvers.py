"""Runs in which an application is asked in place of a model."""

import json
from pathlib import Path
from typing import Any

from aiohttp import web
from inspect_ai.model import Model

from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from tests.models import fake, metrics_of
from tests.own.applications.asking import run
from tests.own.applications.running import in_turn, saying


def test_a_failed_call_is_an_error_and_an_empty_reply_is_unscored() -> None:
    empty = saying({"answer": ""})
    log, _ = run(in_turn(saying({}, 400), empty), limit=3)
    samples = log.samples or []
    failed = [sample for sample in samples if sample.error]
    assert (len(failed), len(samples)) == (1, 3)
    assert not any(sample.scores for sample in failed)
    scored = [
        (sample.scores or {})["refusal_scores"]
        for sample in samples
        if not sample.error
    ]
    assert {score.reason for score in scored} == {"no_response"}


def verdict(label: str) -> Model:
    """Return a judge that always says one label."""
    return fake(lambda _: {"explanation": "x", "label": label})


def test_a_question_that_the_index_does_not_answer_comes_without_a_passage(
    tmp_path: Path,
) -> None:
    row = {
        "id": "q",
        "query": "Who?",
        "context": "",
        "answers": [],
        "class": "P-MissingInfo",
        "intensity": "HIGH",
    }
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    for words, right in (("I don't know.", 1.0), ("Ada.", 0.0)):
        task = nq(data=str(tmp_path / "rows.jsonl"), codes=False)
        judge = verdict("REFUSAL" if right else "ANSWER_ATTEMPT")
        asked = {"q": "{{query}}", "p": "{{passages}}"}
        log, app = run(
            saying({"answer": words}), task, {"grader": judge}, request=asked
        )
        assert log.status == "success"
        assert app.got == [{"q": "Who?", "p": []}]
        assert metrics_of(log, "refusal_scores")["missed_refusal_rate"] == 1 - right


def test_the_judge_of_a_run_reads_what_the_application_retrieved() -> None:
    seen: list[str] = []

    def judge(prompt: str) -> dict[str, object]:
        seen.append(prompt)
        verdict: dict[str, object] = {"explanation": "x", "label": "ANSWER_ATTEMPT"}
        if "BEGIN PASSAGES" in prompt:
            verdict |= {"eligible": True, "factual_all": True, "factual_relevant": True}
        return verdict

    body = {
        "answer": "Yes [1].",
        "docs": ["A retrieved page."],
        "usage": {"input_tokens": 2, "output_tokens": 1},
    }
    task = garage(data="sample", per_stratum=1, intensities="LOW")
    log, _ = run(
        saying(body),
        task,
        {"grader": fake(judge)},
        2,
        passages="reply:$.docs",
        usage="$.usage",
    )
    assert log.status == "success"
    assert all("[1] A retrieved page." in prompt for prompt in seen)
    (usage,) = {
        sample.output.usage.total_tokens
        for sample in log.samples or []
        if sample.output.usage
    }
    assert usage == 3
    [asked] = read_logs([log.location], texts=True).runs
    tokens = RunView(asked).spending["tokens_per_row"]
    assert (tokens.value, tokens.n) == (3, 2)


def test_the_sources_of_bluff_can_be_sent_to_an_application() -> None:
    async def counting(request: web.Request, got: Any) -> web.StreamResponse:
        return web.json_response({"answer": "I don't know"})

    log, app = run(
        counting,
        bluff(data="sample", per_topic=1, judge="offline"),
        limit=4,
        request={"q": "{{query}}", "s": "{{passages}}"},
    )
    assert {len(got["s"]) for got in app.got} == {5}
    assert metrics_of(log, "hedging_scores")["unscored_rate"] == 0
