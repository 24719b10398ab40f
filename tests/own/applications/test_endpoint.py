"""A running application under test: what is sent, what is read, what fails, and what is
never shown.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from inspect_ai.model import Model

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.applications import reply
from refusalbench_tasks.own.applications.endpoint import filled, request_template
from refusalbench_tasks.own.applications.reply import (
    ApplicationFailed,
    ApplicationReply,
)
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from tests.models import fake, metrics_of
from tests.own.applications.asking import ask, ask_at, run
from tests.own.applications.running import Answer, Application, in_turn, saying

# what is sent


def test_slots_are_filled_in_texts_alone_and_outside_text_stays_text() -> None:
    made = request_template(
        '{"q": "Q: {{query}}", "docs": "{{passages}}", "all": ["<{{passages}}>"],'
        ' "{{k}}": 3}'
    )
    query = 'a "quoted" {{passages}} {0} \\ \ud83d\ude00'
    assert filled(made, query, ["one", "{{query}}"]) == {
        "q": f"Q: {query}",
        "docs": ["one", "{{query}}"],
        "all": ["<one\n\n{{query}}>"],
        "{{k}}": 3,
    }


def test_a_request_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "request.json").write_text('{"q": "{{query}}"}')
    assert filled(request_template("request.json"), "Who?", []) == {"q": "Who?"}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"q": "no slot"}, "has the slot"),
        ({"q": "{{query}} {{answers}}"}, "unknown slot 'answers'"),
        ('{"q": ', "not valid JSON"),
        ("nowhere.json", "nowhere.json"),
        (3, "expected a JSON object"),
    ],
)
def test_a_request_that_cannot_work_is_told_before_any_call(
    given: Any, problem: str
) -> None:
    with pytest.raises(DataError, match=problem):
        request_template(given)


def test_a_call_sends_the_question_and_reads_every_part() -> None:
    body = {
        "answer": "Paul",
        "why": "end_turn",
        "n": {"prompt_tokens": 3, "completion_tokens": 1},
        "sources": [{"text": "one"}, {"text": "two"}],
    }
    with Application(saying(body)) as app:
        got = ask_at(
            app,
            "Who?",
            ("p",),
            request={"q": "{{query}}", "d": "{{passages}}"},
            stop_reason="$.why",
            usage="$.n",
            passages="reply:$.sources[*].text",
        )
    assert app.got == [{"q": "Who?", "d": ["p"]}]
    assert got == ApplicationReply("Paul", ["one", "two"], "end_turn", body["n"])  # type: ignore[arg-type]


def test_latency_is_that_of_the_attempt_that_was_answered() -> None:
    async def slow(request: web.Request, got: Any) -> web.StreamResponse:
        await asyncio.sleep(0.2)
        return web.json_response({"answer": "Paul"})

    log, _ = run(in_turn(saying({}, 503), slow), limit=2, backoff=1.0)
    assert log.samples
    assert all(0.2 <= (sample.output.time or 0) < 1 for sample in log.samples)


def test_a_null_reply_is_empty_and_no_error() -> None:
    assert ask(saying({"answer": None})).text == ""


def test_nothing_retrieved_is_told_from_a_wrong_path() -> None:
    path = "reply:$.sources[*].text"
    assert ask(saying({"answer": "x", "sources": []}), passages=path).passages == []
    with pytest.raises(ApplicationFailed, match="finds nothing"):
        ask(saying({"answer": "x", "source": ["y"]}), passages=path)
    with pytest.raises(ApplicationFailed, match="are no texts"):
        ask(saying({"answer": "x", "sources": [{"a": 1}]}), passages="reply:$.sources")


@pytest.mark.parametrize(
    ("answer", "options"),
    [
        (saying({"answer": None, "error": "overloaded"}), {}),
        (
            saying({"answer": "I", "why": "Error", "x": "overloaded"}),
            {"stop_reason": "$.why"},
        ),
    ],
)
def test_an_error_that_the_application_tells_is_no_reply(
    answer: Answer, options: dict[str, Any]
) -> None:
    with pytest.raises(
        ApplicationFailed, match="error: .*overloaded|ended with an error"
    ):
        ask(answer, **options)
    assert ask(saying({"answer": "I", "error": {"code": 0}})).text == "I"


# what fails


def test_too_many_requests_are_asked_again() -> None:
    with Application(
        in_turn(saying({}, 429), saying({}, 503), saying({"answer": "x"}))
    ) as app:
        assert ask_at(app).text == "x"
    assert len(app.got) == 3


@pytest.mark.parametrize(
    ("answer", "problem", "calls"),
    [
        (
            saying({"detail": "broken"}, 500),
            "no reply after 3 attempts: status 500: .*broken",
            3,
        ),
        (saying({"detail": "no such model"}, 404), "status 404: .*no such model", 1),
        (saying({"other": 1}), r"the path '\$.answer' finds nothing", 1),
        (saying({"answer": 3}), "is no text", 1),
        (saying("just text"), "finds nothing", 1),
        (saying({"answer": "x" * 2000}), "more than 1,000 bytes", 1),
    ],
)
def test_no_usable_reply_is_an_error_that_says_why(
    answer: Answer, problem: str, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("refusalbench_tasks.own.applications.client.LARGEST", 1000)
    with Application(answer) as app, pytest.raises(ApplicationFailed, match=problem):
        ask_at(app)
    assert len(app.got) == calls


async def html(request: web.Request, got: Any) -> web.StreamResponse:
    return web.Response(text="<html>login</html>", content_type="text/html")


async def late(request: web.Request, got: Any) -> web.StreamResponse:
    await asyncio.sleep(0.3)
    return web.json_response({"answer": "late"})


async def dropped(request: web.Request, got: Any) -> web.StreamResponse:
    assert request.transport
    request.transport.abort()
    return web.Response()


def test_what_is_not_json_is_late_or_dropped_is_an_error() -> None:
    with pytest.raises(ApplicationFailed, match="not JSON"):
        ask(html)
    with pytest.raises(
        ApplicationFailed, match="after 2 attempts: no reply within 0.05 s"
    ):
        ask(late, timeout=0.05, attempts=2)
    with pytest.raises(
        ApplicationFailed, match="after 3 attempts: the connection failed"
    ):
        ask(dropped)


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


def test_no_more_calls_run_at_once_than_are_allowed() -> None:
    async def slow(request: web.Request, got: Any) -> web.StreamResponse:
        await asyncio.sleep(0.02)
        return web.json_response({"answer": "REFUSE_OTHER"})

    log, app = run(slow, max_connections=3)
    assert log.status == "success"
    assert len(app.got) == 18
    assert app.peak == 3


def test_a_run_has_one_client_and_no_cookie_tells_one_row_from_another() -> None:
    peers: set[object] = set()

    async def answer(request: web.Request, got: Any) -> web.StreamResponse:
        assert request.transport
        peers.add(request.transport.get_extra_info("peername"))
        return web.json_response(
            {"answer": "REFUSE_OTHER"}, headers={"Set-Cookie": "session=1"}
        )

    log, app = run(answer, max_connections=1)
    assert log.status == "success"
    assert (len(app.got), len(peers)) == (18, 1)
    assert not any("Cookie" in headers for headers in app.headers)


def test_an_application_is_warned_of_codes_that_it_does_not_know(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for codes in (False, True):
        reply._warn_once.cache_clear()
        caplog.clear()
        run(
            saying({"answer": "No."}),
            nq(data="sample", per_stratum=1, judge="offline", codes=codes),
            limit=2,
        )
        told = [
            one
            for one in caplog.records
            if "an application knows nothing of refusal codes" in one.message.lower()
        ]
        assert len(told) == codes


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
