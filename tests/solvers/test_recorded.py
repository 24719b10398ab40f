"""Files of replies are read into one form, and each finds its row, by id or by
question, or it is said why not.
"""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from inspect_ai.model import ModelUsage

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.solvers.recorded import read_replies, record
from refusalbench_tasks.solvers.recorded_reply import RecordedReply

ROW: dict[str, Any] = {
    "id": "q1",
    "reply": "It was so.",
    "stop_reason": "length",
    "confidence": 0.5,
    "logprobs": {"A": -0.1},
    "passages": ["one", "two"],
    "usage": {"prompt_tokens": 3, "output_tokens": 4, "details": {"cached": 1}},
    "epoch": 2,
    "model": "ours",
    "place": "a column of the user's",
}
EXPECTED = RecordedReply(
    id="q1",
    reply="It was so.",
    stop_reason="length",
    confidence=0.5,
    logprobs={"A": -0.1},
    passages=("one", "two"),
    usage={"input_tokens": 3, "output_tokens": 4},
    epoch=2,
    model="ours",
    place="row 1",
)


def test_every_format_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(json.dumps([ROW]))
    pq.write_table(pa.Table.from_pylist([ROW]), tmp_path / "r.parquet")
    cells = {
        name: json.dumps(v) if isinstance(v, list | dict) else str(v)
        for name, v in ROW.items()
    }
    quoted = ['"' + cell.replace('"', '""') + '"' for cell in cells.values()]
    (tmp_path / "r.csv").write_text(",".join(cells) + "\n" + ",".join(quoted) + "\n")
    for name in ("r.json", "r.parquet", "r.csv"):
        assert read_replies(tmp_path / name) == [EXPECTED], name
    assert EXPECTED.usage == ModelUsage(input_tokens=3, output_tokens=4, total_tokens=7)


def written(tmp_path: Path, *rows: dict[str, Any]) -> Path:
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path / "r.jsonl"


def test_an_empty_reply_is_one_and_a_missing_one_is_none(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"id": 1, "reply": ""},
        {"id": 2.0, "reply": None},
        {"id": "c", "stop_reason": "refusal"},
    ]
    assert [(r.id, r.text, r.stop) for r in read_replies(written(tmp_path, *rows))] == [
        ("1", "", "unknown"),
        ("2", None, "unknown"),
        ("c", "", "content_filter"),
    ]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"id": None}, "field 'id': missing; add a column 'id', or 'question'"),
        ({"id": None, "ID": "q1"}, "(there are: 'id', 'reply', 'stop_reason', "),
        (
            {"reply": 1987},
            "field 'reply': Input should be a valid string, found '1987'",
        ),
        ({"stop_reason": "bored"}, "field 'stop_reason': unknown reason 'bored'"),
        (
            {"confidence": True},
            (
                "field 'confidence': expected a number from 0 to 1 or one of"
                " VERY_CONFIDENT"
            ),
        ),
        (
            {"epoch": 1_700_000_000},
            "field 'epoch': Input should be less than or equal to 1000",
        ),
        (
            {"logprobs": {"A": 0.9}},
            (
                "field 'logprobs.A': Input should be less than or equal to 0.001, found"
                " '0.9'"
            ),
        ),
        ({"logprobs": "{"}, "field 'logprobs': the cell, line 1: not valid JSON"),
        (
            {"usage": {"input_tokens": -1}},
            "field 'usage': expected whole numbers of at least 0, found -1",
        ),
        (
            {"passages": [["x"]]},
            "field 'passages': expected passages: texts",
        ),
        ({"reply": "\ud800"}, "field 'reply': half of a surrogate pair"),
        (
            {"response": "no"},
            "field 'reply': 'response' says something else; drop one of the two",
        ),
    ],
)
def test_what_is_wrong_is_named(
    wrong: dict[str, Any], told: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError) as error:
        read_replies(written(tmp_path, ROW | {"id": "q0", "epoch": 1}, ROW | wrong))
    assert "r.jsonl, line 2, " in error.value.message
    assert told in error.value.message
    assert "\n" not in error.value.message


def test_a_file_without_replies_is_an_error(tmp_path: Path) -> None:
    for more in ({"answer": "gold"}, {"text": "so"}):
        with pytest.raises(
            DataError,
            match=r"no row has a reply; add a column 'reply' .* \(there are: 'id', ",
        ):
            read_replies(written(tmp_path, {"id": "q1"} | more))


ROWS = {"a": "Who is it?", "b": "When was it?", "c": "Who  is\nit?"}


def reply(
    id: str = "", question: str = "", epoch: int = 1, place: str = "line 1"
) -> RecordedReply:
    facts = {"id": id, "question": question, "epoch": epoch, "reply": "so"}
    return RecordedReply(
        **{name: value for name, value in facts.items() if value}, place=place
    )


def test_replies_are_found_by_id_or_by_question_whatever_its_spaces(
    caplog: pytest.LogCaptureFixture,
) -> None:
    recorded = record(
        [reply("a"), reply(question=" When was\n it?"), reply("a", epoch=2)], "f"
    )
    found = recorded.match(ROWS)
    assert sorted(found) == [("a", 1), ("a", 2), ("b", 1)]
    assert not caplog.messages
    # a task of another's does not tell its rows
    assert recorded.find("b", ROWS["b"], 1) is found["b", 1]
    assert recorded.find("c", ROWS["c"], 1) is None


@pytest.mark.parametrize(
    ("replies", "told"),
    [
        (
            [reply(question="Who is it?")],
            r"f, line 1: 2 rows have the question 'Who is it\?' \('a', 'c'\); name the",
        ),
        (
            [reply("a"), reply("a", place="line 7")],
            "f: 'a' has two replies, at line 1 and at line 7; drop one, or num",
        ),
        ([reply("b"), reply(question="When was it?")], "has two replies"),
        (
            [reply("x")],
            (
                "no reply is to a row of this run; it has replies to 'x', the rows are"
                " 'a', 'b', 'c'"
            ),
        ),
        (
            [reply("a", "When was it?")],
            "f, line 1: the id is that of row 'a' and the question that of 'b'",
        ),
    ],
)
def test_what_names_no_row_or_several_is_an_error(
    replies: list[RecordedReply], told: str
) -> None:
    with pytest.raises(DataError, match=told):
        record(replies, "f").match(ROWS)


def test_replies_to_no_row_are_counted_and_the_first_are_named(
    caplog: pytest.LogCaptureFixture,
) -> None:
    record(
        [reply("a"), *(reply(f"x{k}") for k in range(4)), reply("x0", epoch=2)], "f"
    ).match(ROWS)
    assert caplog.messages == [
        "f: 4 replies are to no row of this run and are not used: 'x0', 'x1', 'x2', …"
    ]
