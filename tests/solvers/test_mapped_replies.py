"""Rows of replies in other layouts, and traces as each project's own library exports
them.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.solvers.mapped_replies import mapped_rows, opened
from refusalbench_tasks.solvers.recorded import read_replies

TRACES = Path(__file__).parent / "traces"
SATURDAYS = "When does the pool open on Saturdays?"
KEY = "And what does a lost locker key cost?"
READY = [
    ("openinference.jsonl", "openinference"),
    ("openinference.parquet", "openinference"),
    ("langfuse.jsonl", "langfuse"),
    ("otel.jsonl", "otel"),
    ("otel_otlp.jsonl", "otel"),
]


@pytest.mark.parametrize(("file", "name"), READY)
def test_traces_of_each_project_are_replies(file: str, name: str) -> None:
    replies = {reply.question: reply for reply in read_replies(TRACES / file, name)}
    first = replies[SATURDAYS]
    assert first.text == "The Lindqvist pool opens at 9:00 on Saturdays."
    assert [passage["text"][:16] for passage in first.passages or ()] == [
        "The Lindqvist po",
        "A day ticket for",
    ]
    assert not first.earlier
    last = replies[KEY]
    assert last.text == "A lost locker key costs 15 euros."
    assert last.earlier == (
        f"user: {SATURDAYS}\nassistant: It opens at 9:00 on Saturdays."
    )


@pytest.mark.parametrize(("file", "name"), READY[:3])
def test_a_call_without_a_span_of_the_application_is_a_trace_too(
    file: str, name: str
) -> None:
    replies = read_replies(TRACES / file, name)
    [bare] = [reply for reply in replies if reply.text == "6.20 euros"]
    # of the model's prompt where nothing else says what was asked
    assert bare.question.endswith("How much is a day ticket for adults?")


def test_what_traces_say_of_an_application_is_a_column() -> None:
    rows = mapped_rows(TRACES / "langfuse.jsonl", ["langfuse"])
    assert [row.values.get("language") for row in rows] == ["en", "en", None]
    paths = ["langfuse", "version=$.root.name", "reply=$.root.output.answer"]
    [first, second, third] = mapped_rows(TRACES / "langfuse.jsonl", paths)
    assert first.values["version"] == "ask"
    assert second.values["reply"] == "A lost locker key costs 15 euros."
    assert third.values["reply"] is None


def written(tmp_path: Path, *rows: dict[str, Any]) -> Path:
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path / "r.jsonl"


def test_fields_are_where_paths_lead_and_other_columns_stay(tmp_path: Path) -> None:
    rows = (
        {"run.out": '{"answer": "Noon."}', "asked": "When?", "lang": "de", "c": ["x"]},
        {"run.out": '{"text": "[3]"}', "asked": "Who?", "lang": "en", "c": []},
    )
    paths = [
        "reply=$.run.out.answer",
        "reply=$.run.out.text",
        "question=$.asked",
        "passages=$.c",
    ]
    first, second = mapped_rows(written(tmp_path, *rows), paths)
    assert first.values["reply"] == "Noon."
    assert second.values["reply"] == "[3]"
    assert [row.values["lang"] for row in (first, second)] == ["de", "en"]
    assert [row.values["passages"] for row in (first, second)] == [["x"], []]


def test_a_column_of_replies_needs_no_path(tmp_path: Path) -> None:
    file = written(tmp_path, {"response": "Noon.", "asked": "When?"})
    [reply] = read_replies(file, "question=$.asked")
    assert (reply.question, reply.text) == ("When?", "Noon.")


@pytest.mark.parametrize(
    "part",
    [
        "It is closed.",
        [{"type": "text", "text": "It is closed."}],
        [{"type": "image_url", "image_url": {}}, {"text": "It is closed."}],
    ],
)
def test_of_a_conversation_the_last_turn_is_scored(part: Any, tmp_path: Path) -> None:
    turns = [
        {"role": "system", "content": "Be short."},
        {"role": "user", "content": "Is it open?"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
        {"role": "tool", "content": "Yes."},
        {"role": "assistant", "content": "Yes."},
        {"role": "user", "content": "And on Sundays?"},
        {"role": "assistant", "content": part},
    ]
    file = written(tmp_path, {"messages": turns})
    [reply] = read_replies(file, "messages=$.messages")
    assert (reply.question, reply.text) == ("And on Sundays?", "It is closed.")
    assert reply.earlier == "user: Is it open?\nassistant: Yes."


def test_a_trace_without_a_reply_has_none_and_one_without_a_question_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rows = (
        {"traceId": "a", "input": "When?", "output": "Noon.", "metadata": "a text"},
        {"traceId": "b", "startTime": "2", "input": "Who?", "output": None},
        {"traceId": "c", "startTime": "3", "name": "health"},
    )
    replies = read_replies(written(tmp_path, *rows), "langfuse")
    assert [(reply.question, reply.text) for reply in replies] == [
        ("When?", "Noon."),
        ("Who?", None),
    ]
    assert "1 traces have neither question nor reply" in caplog.text


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("phoenix", "one of openinference, langfuse, otel, got 'phoenix'"),
        ("reply=answer[", "map: reply: 'answer.' is no JSONPath"),
        ("reply=$.output", "no row has 'reply' there"),
        ("messages=$.output.parts", "no reply; name its column|no row has a reply"),
        (["reply=$.output.text", "lang=$.l"], "no row has 'lang' there"),
        ("langfuse", "no row has 'reply' there"),
    ],
)
def test_a_mapping_that_finds_nothing_is_told(
    given: Any, problem: str, tmp_path: Path
) -> None:
    file = written(tmp_path, {"output": {"text": "Noon.", "parts": [{"a": 1}]}})
    if given == "langfuse":
        file = TRACES / "otel.jsonl"
    with pytest.raises(DataError, match=problem):
        read_replies(file, given)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("[3]", "[3]"),
        ('{"a.b": 1}', {"a": {"b": 1}}),
        ('{"a": 1', '{"a": 1'),
        ({"a": "text", "a.b": 1}, {"a": "text"}),
        ([{"key": "a.b", "value": {"intValue": "1"}}], {"a": {"b": "1"}}),
        ([{"key": 1, "value": {"b": 1}}, {}], [{"key": 1, "value": {"b": 1}}, {}]),
        ([{"key": 1, "value": {"b": 1}}], {"1": 1}),
        ([{"key": "a", "value": {}}], [{"key": "a", "value": {}}]),
        ("[" * 100_000, "[" * 100_000),
        ([], []),
    ],
)
def test_json_and_dotted_names_are_opened(value: Any, expected: Any) -> None:
    assert opened(value) == expected
