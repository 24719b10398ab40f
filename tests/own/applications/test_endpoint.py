"""A running application under test: what is sent, what is read, what fails, and what is
never shown.
"""

from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.applications.endpoint import (
    filled_request,
    request_template,
)
from refusalbench_tasks.own.applications.reply import (
    ApplicationReply,
)
from refusalbench_tasks.own.applications.solvers import endpoint
from tests.own.applications.asking import ASKS, ask_at
from tests.own.applications.running import Application, saying

# what is sent


def test_slots_are_filled_in_texts_alone_and_outside_text_stays_text() -> None:
    made = request_template(
        '{"q": "Q: {{query}}", "docs": "{{passages}}", "all": ["<{{passages}}>"],'
        ' "{{k}}": 3}'
    )
    query = 'a "quoted" {{passages}} {0} \\ \ud83d\ude00'
    assert filled_request(made, query, ["one", "{{query}}"]) == {
        "q": f"Q: {query}",
        "docs": ["one", "{{query}}"],
        "all": ["<one\n\n{{query}}>"],
        "{{k}}": 3,
    }


def test_a_request_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "request.json").write_text('{"q": "{{query}}"}')
    assert filled_request(request_template("request.json"), "Who?", []) == {"q": "Who?"}


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
