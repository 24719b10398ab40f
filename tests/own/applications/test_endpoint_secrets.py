"""Where a question and its headers may go, and what is shown of them nowhere."""

import json
import logging
import zipfile
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.applications.call_limits import CallLimits, redirected
from refusalbench_tasks.own.applications.endpoint import endpoint
from refusalbench_tasks.own.applications.failed import ApplicationFailed
from refusalbench_tasks.own.applications.headers import headers_from
from tests.own.applications.asking import ASKS, ask, ask_at, run
from tests.own.applications.running import Answer, Application, in_turn, saying, streaming


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_redirect_is_followed_at_home_and_nowhere_else() -> None:
    home = in_turn(saying({}, 307, location="/other"), saying({"answer": "x"}))
    assert ask(home).text == "x"
    with Application(saying({"answer": "stolen"})) as other, pytest.raises(ApplicationFailed, match="another host"):
        ask(saying({}, 307, location=other.url))
    assert other.got == []
    with pytest.raises(ApplicationFailed, match="redirects with 302"):
        ask(saying({}, 302, location="/other"))
    with pytest.raises(ApplicationFailed, match="more than 5 times"):
        ask(saying({}, 308, location="/again"))


def test_a_redirect_that_is_allowed_takes_the_question_along_and_no_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_TOKEN", "very-secret-token")
    limits = CallLimits(attempts=1, redirects=("localhost",))
    with Application(saying({"answer": "x"})) as other:
        there = f"http://localhost:{other.port}/"
        with Application(saying({}, 307, location=there)) as app:
            assert ask_at(app, limits=limits, headers="Authorization:Bearer RAG_TOKEN").text == "x"
    assert app.headers[0]["Authorization"] == "Bearer very-secret-token"
    assert other.got == [{"question": "Who?"}]
    assert "Authorization" not in other.headers[0]


def test_a_redirect_never_leaves_encryption() -> None:
    with pytest.raises(ApplicationFailed, match="another host"):
        redirected("https://a.example/", "http://a.example/", 307, ("a.example",))
    assert redirected("http://a.example/", "https://a.example/x", 308, ()) == "https://a.example/x"


def test_a_redirect_that_repeats_a_secret_is_neither_followed_nor_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_TOKEN", "very-secret-token")
    for location in ("http://very-secret-token.example/", "/other?key=very-secret-token"):
        with Application(saying({}, 307, location=location)) as app, pytest.raises(ApplicationFailed) as error:
            ask_at(app, headers="X-Key:RAG_TOKEN")
        assert "with a secret" in error.value.message
        assert "very-secret" not in error.value.message
        assert len(app.got) == 1


# secrets


def test_headers_come_from_the_environment_and_no_message_shows_them() -> None:
    found = headers_from("Authorization:Bearer TOKEN,X-Tenant:TENANT", {"TOKEN": "s3cret-value", "TENANT": "t"})
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
        json.dumps(SECRET)[1:-1].replace("/", "\\/"),
        json.dumps(SECRET)[1:-1].replace("+", "\\u002B").replace('\\"', "\\u0022"),
        "ab%2bc%2Fd%22e%5Cf",
    ],
)
def test_a_secret_is_hidden_in_whatever_escapes_it_is_echoed(written: str) -> None:
    found = headers_from("X-Key:TOKEN", {"TOKEN": SECRET})
    assert found.hide(f'{{"answer": "It is {written}."}}'.encode()) == b'{"answer": "It is [hidden]."}'
    assert found.hide(b"ab+c/d and no more") == b"ab+c/d and no more"


def test_a_secret_that_a_stream_cuts_in_two_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_TOKEN", "very-secret-token")
    parts = [{"text": "It is very-sec"}, {"text": "ret-token.", "found": ["very-\u0073ecret-token"]}]
    answer = streaming(*parts)
    said = ask(answer, stream="$.text", passages="reply:$.found", headers="X-Key:RAG_TOKEN")
    assert said.text == "It is [hidden]."
    assert said.passages == ["[hidden]"]


@pytest.mark.parametrize("url", ["http://a/?monkey=1&page_token_count=2", "http://a/ask?keyword=x&lang=de"])
def test_an_address_with_other_parameters_is_taken(url: str) -> None:
    assert endpoint(url, request=ASKS, reply="$.a")


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a/",
        "nowhere",
        3,
        "http://user:pass@host/",
        "http://[broken",
        "http://a/?api_key=pass@",
        "http://a/?q=1&Token=pass@",
    ],
)
def test_an_address_that_is_none_or_holds_a_password_is_refused(url: Any) -> None:
    with pytest.raises(DataError, match="url") as error:
        endpoint(url, request=ASKS, reply="$.a")
    assert "pass@" not in str(error.value)


@pytest.mark.parametrize(
    "options",
    [
        {"reply": None}, {"request": None}, {"reply": "$["}, {"passages": "$.x"}, {"timeout": 0}, {"attempts": 0},
        {"rate": 0}, {"max_connections": 0}, {"preset": "other"}, {"max_bytes": True},
    ],
)  # fmt: skip
def test_an_argument_that_cannot_work_is_told_before_any_sample(options: dict[str, Any]) -> None:
    with pytest.raises(DataError):
        endpoint(**{"url": "http://localhost/", "request": ASKS, "reply": "$.a"} | options)


# in a run


async def echo(request: web.Request, got: Any) -> web.StreamResponse:
    return web.json_response({"answer": f"REFUSE_OTHER {request.headers['X-Key']}", "all": dict(request.headers)})


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


def test_no_header_is_logged_whatever_the_level(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("RAG_TOKEN", "very-secret-token")

    async def cookie(request: web.Request, got: Any) -> web.StreamResponse:
        return web.json_response({"answer": "x"}, headers={"Set-Cookie": f"of={request.headers['X-Key']}"})

    with caplog.at_level(logging.DEBUG):
        logging.getLogger("httpcore.http11").debug("of another call")
        assert ask(cookie, headers="X-Key:RAG_TOKEN").text == "x"
    assert "of another call" in caplog.text
    assert "very-secret-token" not in caplog.text
    assert "Set-Cookie" not in caplog.text


@pytest.mark.parametrize("answer", [refused, saying({}, 307, location="http://far.example/"), saying("no object")])
def test_no_variable_of_a_traceback_holds_a_secret(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    # Inspect writes them to the log with --traceback-locals
    monkeypatch.setenv("RAG_TOKEN", "very-secret-token")
    with pytest.raises(ApplicationFailed) as error:
        ask(answer, headers="X-Key:RAG_TOKEN")
    shown = [repr(entry.frame.f_locals) for entry in error.traceback if "refusalbench_tasks" in str(entry.path)]
    assert any("limits=CallLimits(" in variables for variables in shown)
    assert not [variables for variables in shown if "very-secret" in variables]
