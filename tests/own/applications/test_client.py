"""Where a question and its headers may go, and what is shown of them nowhere."""

import asyncio
import json
import zipfile
from typing import Any

import pytest
from aiohttp import web

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.applications.client import headers_from
from refusalbench_tasks.own.applications.reply import (
    ApplicationFailed,
)
from tests.own.applications.asking import ask, ask_at, run
from tests.own.applications.running import Answer, Application, in_turn, saying


@pytest.mark.parametrize("status", [302, 307, 308])
def test_a_redirect_is_not_followed_and_says_where_it_leads_without_a_secret(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAG_TOKEN", "very-secret-token")
    with Application(saying({"answer": "stolen"})) as other:
        there = f"{other.url}?key=very-secret-token"
        with (
            Application(saying({}, status, location=there)) as app,
            pytest.raises(ApplicationFailed) as error,
        ):
            ask_at(app, headers="X-Key:RAG_TOKEN")
    assert (
        error.value.message
        == f"the application redirects ({status}); give its address:"
        f" {other.url}?key=[hidden]"
    )
    assert (len(app.got), other.got) == (1, [])


# secrets


def test_headers_come_from_the_environment_and_no_message_shows_them() -> None:
    found = headers_from(
        "Authorization:Bearer TOKEN,X-Tenant:TENANT",
        {"TOKEN": "s3cret-value", "TENANT": "t"},
    )
    assert found.values == {"Authorization": "Bearer s3cret-value", "X-Tenant": "t"}
    assert "s3cret" not in repr(found)
    for given, environment in (
        ("Authorization:sk-pasted-by-mistake", {}),
        ("A:TOKEN", {"TOKEN": "bad\nvalue"}),
        ("A:B", {}),
    ):
        with pytest.raises(DataError) as error:
            headers_from(given, environment)
        assert "pasted" not in str(error.value)
        assert "bad" not in str(error.value)


SECRET = 'ab+c/d"e\\f'


@pytest.mark.parametrize(
    "written",
    [
        json.dumps(SECRET)[1:-1],
        "ab%2Bc%2Fd%22e%5Cf",
    ],
)
def test_a_secret_is_hidden_in_whatever_escapes_it_is_echoed(written: str) -> None:
    found = headers_from("X-Key:TOKEN", {"TOKEN": SECRET})
    assert (
        found.hide(f'{{"answer": "It is {written}."}}')
        == '{"answer": "It is [hidden]."}'
    )
    assert found.hide("ab+c/d and no more") == "ab+c/d and no more"


def test_a_secret_that_escapes_hide_from_bytes_is_hidden_in_what_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RAG_TOKEN", "very-secret-token")
    answer = saying(
        {"answer": ["It is very-sec", "ret-token."], "found": ["very-secret-token"]}
    )
    said = ask(
        answer, reply="$.answer[*]", passages="reply:$.found", headers="X-Key:RAG_TOKEN"
    )
    assert (said.text, said.passages) == ("It is [hidden].", ["[hidden]"])


def test_a_secret_that_escapes_hide_from_bytes_is_hidden_in_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("RAG_TOKEN", "abcdef/ghijk")

    async def answer(request: web.Request, got: Any) -> web.StreamResponse:
        # as PHP escapes
        return web.json_response(text='{"error": "bad key abcdef\\/ghijk"}')

    with pytest.raises(ApplicationFailed) as error:
        ask(answer, headers="X-Key:RAG_TOKEN")
    assert "bad key [hidden]" in str(error.value)


# in a run


async def echo(request: web.Request, got: Any) -> web.StreamResponse:
    return web.json_response(
        {
            "answer": f"REFUSE_OTHER {request.headers['X-Key']}",
            "all": dict(request.headers),
        }
    )


async def refused(request: web.Request, got: Any) -> web.StreamResponse:
    return web.json_response({"error": dict(request.headers)}, status=400)


def test_the_secret_is_in_no_byte_of_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_TOKEN", "very-secret-token")
    log, app = run(in_turn(refused, echo), headers="X-Key:RAG_TOKEN", limit=2)
    assert {headers["X-Key"] for headers in app.headers} == {"very-secret-token"}
    assert {sample.error is None for sample in log.samples or []} == {True, False}
    with zipfile.ZipFile(log.location.removeprefix("file://")) as members:
        content = b"".join(members.read(name) for name in members.namelist())
    assert b"RAG_TOKEN" in content
    assert b"[hidden]" in content
    assert b"very-secret-token" not in content


@pytest.mark.parametrize(
    "answer",
    [refused, saying({}, 307, location="http://far.example/"), saying("no object")],
)
def test_no_variable_of_a_traceback_holds_a_secret(
    answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Inspect writes them to the log with --traceback-locals
    monkeypatch.setenv("RAG_TOKEN", "very-secret-token")
    with pytest.raises(ApplicationFailed) as error:
        ask(answer, headers="X-Key:RAG_TOKEN")
    shown = [
        repr(entry.frame.f_locals)
        for entry in error.traceback
        if "refusalbench_tasks" in str(entry.path)
    ]
    who = ("Client(address=", "Endpoint object")
    assert any(name in variables for variables in shown for name in who)
    assert not [variables for variables in shown if "very-secret" in variables]


def test_latency_is_that_of_the_attempt_that_was_answered() -> None:
    async def slow(request: web.Request, got: Any) -> web.StreamResponse:
        await asyncio.sleep(0.2)
        return web.json_response({"answer": "Paul"})

    log, _ = run(in_turn(saying({}, 503), slow), limit=2, backoff=1.0)
    assert log.samples
    assert all(0.2 <= (sample.output.time or 0) < 1 for sample in log.samples)


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
