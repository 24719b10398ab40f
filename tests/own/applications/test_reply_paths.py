"""Where an application's JSON reply has its parts."""

from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.applications.reply import (
    ApplicationFailed,
)
from refusalbench_tasks.solvers.retrieved import passages_in
from tests.own.applications.asking import ask
from tests.own.applications.running import Answer, saying


def test_a_null_reply_is_empty_and_no_error() -> None:
    assert ask(saying({"answer": None})).text == ""


def test_nothing_retrieved_is_told_from_a_wrong_path() -> None:
    path = "reply:$.sources[*].text"
    assert ask(saying({"answer": "x", "sources": []}), passages=path).passages == []
    with pytest.raises(ApplicationFailed, match="finds nothing"):
        ask(saying({"answer": "x", "source": ["y"]}), passages=path)


def test_passages_may_be_objects_whose_parts_stand_under_other_names() -> None:
    hits = [{"body": "Noon.", "meta": {"file": "a.md", "ends": "2026-12-31"}}]
    reply = ask(
        saying({"answer": "x", "hits": [*hits, "Plain."]}),
        passages="reply:$.hits[*]",
        passage={"text": "$.body", "source": "$.meta.file", "valid_until": "$..ends"},
    )
    assert passages_in(reply.passages) == [
        {"text": "Noon.", "source": "a.md", "valid_until": "2026-12-31"},
        {"text": "Plain."},
    ]
    with pytest.raises(DataError, match="source: '.*' is no JSONPath"):
        ask(saying({}), passage={"source": "meta file"})


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
