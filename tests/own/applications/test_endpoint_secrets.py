"""Where a question and its headers may go, and what is shown of them nowhere."""

import json
import zipfile
from typing import Any

import pytest
from aiohttp import web

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.applications.headers import headers_from
from refusalbench_tasks.own.applications.reply import ApplicationFailed
from refusalbench_tasks.own.applications.solvers import endpoint
from tests.own.applications.asking import ASKS, ask, ask_at, run
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


@pytest.mark.parametrize(
    "url", ["http://a/?monkey=1&page_token_count=2", "http://a/ask?keyword=x&lang=de"]
)
def test_an_address_with_other_parameters_is_taken(url: str) -> None:
    assert endpoint(url=url, request=ASKS, reply="$.a")


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
        endpoint(url=url, request=ASKS, reply="$.a")
    assert "pass@" not in str(error.value)


@pytest.mark.parametrize(
    "options",
    [
        {"reply": None},
        {"request": None},
        {"reply": "$["},
        {"passages": "$.x"},
        {"timeout": 0},
        {"attempts": 0},
        {"max_connections": 0},
        {"timeout": True},
    ],
)
def test_an_argument_that_cannot_work_is_told_before_any_sample(
    options: dict[str, Any],
) -> None:
    with pytest.raises(DataError):
        endpoint(
            **{"url": "http://localhost/", "request": ASKS, "reply": "$.a"} | options
        )


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
    assert any("Client(address=" in variables for variables in shown)
    assert not [variables for variables in shown if "very-secret" in variables]
