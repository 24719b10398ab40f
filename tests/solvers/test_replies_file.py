"""Files of replies are read into one form, and what is wrong is named by file, row and field."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from refusalbench_tasks.datasets.rows import Row
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.confidence import Level
from refusalbench_tasks.solvers.recorded_reply import Reply, alternatives_in, confidence_in
from refusalbench_tasks.solvers.replies_file import read_replies, reply_in

ROW: dict[str, Any] = {
    "id": "q1",
    "reply": "It was so.",
    "stop_reason": "length",
    "confidence": 0.5,
    "logprobs": {"A": -0.1},
    "passages": ["one", "two"],
    "usage": {"input_tokens": 3, "output_tokens": 4},
    "epoch": 2,
    "model": "ours",
}
EXPECTED = Reply(
    place="row 1",
    text="It was so.",
    id="q1",
    epoch=2,
    stop="max_tokens",
    confidence=0.5,
    alternatives=(("A", -0.1),),
    passages=("one", "two"),
    usage={"input_tokens": 3, "output_tokens": 4},
    model="ours",
)


def test_every_format_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(json.dumps([ROW]))
    pq.write_table(pa.Table.from_pylist([ROW]), tmp_path / "r.parquet")
    cells = {name: json.dumps(v) if isinstance(v, list | dict) else str(v) for name, v in ROW.items()}
    quoted = ['"' + cell.replace('"', '""') + '"' for cell in cells.values()]
    (tmp_path / "r.csv").write_text(",".join(cells) + "\n" + ",".join(quoted) + "\n")
    for name in ("r.json", "r.parquet", "r.csv"):
        assert read_replies(tmp_path / name) == [EXPECTED], name


def test_an_empty_reply_is_one_and_a_missing_one_is_none(tmp_path: Path) -> None:
    rows = [{"id": 1, "reply": ""}, {"id": 2.0, "reply": None}, {"id": "c", "stop_reason": "refusal"}]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert [(r.id, r.text, r.stop) for r in read_replies(tmp_path / "r.jsonl")] == [
        ("1", "", "unknown"),
        ("2", None, "unknown"),
        ("c", "", "content_filter"),
    ]


def test_a_question_is_read_whatever_its_spaces() -> None:
    assert reply_in(Row("f", "row 1", {"question": " Who\n is it? ", "reply": "so"})).question == "Who is it?"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"id": None}, "field 'id': missing; add a column 'id', or 'question'"),
        ({"id": None, "ID": "q1"}, "(there are: 'id', 'reply', 'stop_reason', "),
        ({"reply": 1987}, "field 'reply': expected text, found int; put it in quotes"),
        ({"stop_reason": "bored"}, "field 'stop_reason': unknown reason 'bored'"),
        ({"confidence": 2}, "field 'confidence': expected a number from 0 to 1 or one of VERY_CONFIDENT"),
        ({"confidence": True}, "field 'confidence': expected"),
        (
            {"epoch": 0},
            "field 'epoch': expected a whole number from 1 to 1000, found '0'; number repetitions from 1, or",
        ),
        ({"epoch": 1_700_000_000}, "field 'epoch': expected a whole number from 1 to 1000"),
        ({"epoch": "two"}, "field 'epoch': expected"),
        ({"logprobs": [1]}, "field 'logprobs': expected pairs"),
        (
            {"logprobs": {"A": 0.9, "B": 0.1}},
            "field 'logprobs': expected a log-probability, which is at most 0",
        ),
        ({"logprobs": "{"}, "field 'logprobs': the cell, line 1: not valid JSON"),
        ({"usage": {"input_tokens": -1}}, "field 'usage': input_tokens"),
        ({"usage": [1]}, "field 'usage': expected an object"),
        ({"passages": [["x"]]}, "field 'passages': expected a list of strings"),
        ({"reply": "\ud800"}, "field 'reply': half of a surrogate pair"),
        ({"response": "no"}, "field 'reply': 'response' says something else; drop one of the two"),
        ({"sample_id": "q2"}, "field 'id': 'sample_id' says something else"),
    ],
)
def test_what_is_wrong_is_named(wrong: dict[str, Any], told: str, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text(json.dumps(ROW | {"id": "q0", "epoch": 1}) + "\n" + json.dumps(ROW | wrong))
    with pytest.raises(DataError) as error:
        read_replies(tmp_path / "r.jsonl")
    assert "r.jsonl, line 2, " in error.value.message
    assert told in error.value.message
    assert "\n" not in error.value.message


def test_a_file_without_replies_says_which_column_is_missing(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"id": "q1", "text": "so"}')
    with pytest.raises(DataError, match=r"add a column 'reply' \(or 'response'\) \(there are: 'id', 'text'\)"):
        read_replies(tmp_path / "r.jsonl")


def test_a_column_answer_is_a_reply_where_no_other_can_be(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"id": "q1", "answer": "so"}')
    assert [one.text for one in read_replies(tmp_path / "r.jsonl")] == ["so"]
    (tmp_path / "r.jsonl").write_text('{"id": "q1", "answer": "gold", "reply": "so"}')
    assert [one.text for one in read_replies(tmp_path / "r.jsonl")] == ["so"]
    (tmp_path / "r.jsonl").write_text('{"id": "q1", "answer": "gold", "context": "It is gold."}')
    with pytest.raises(DataError, match="no row has a reply"):
        read_replies(tmp_path / "r.jsonl")


def test_a_confidence_is_a_share_a_percentage_or_a_level() -> None:
    assert [confidence_in(v) for v in (0, 1.0, "0.25", "85%")] == [0.0, 1.0, 0.25, 0.85]
    assert confidence_in("somewhat confident") is Level.SOMEWHAT_CONFIDENT
    wrong: object
    for wrong in (-0.1, float("nan"), "sure", [], "1.5"):
        with pytest.raises(ValueError, match="expected a number"):
            confidence_in(wrong)


def test_the_tokens_of_a_whole_reply_are_no_alternatives() -> None:
    token = {"token": "It", "logprob": -0.1, "top_logprobs": [{"token": "A", "logprob": -0.2}]}
    assert alternatives_in({"content": [token]}) == alternatives_in([token]) == ()
    assert alternatives_in({"A": 1e-7}) == (("A", 1e-7),)
    assert alternatives_in([["A", -0.5], {"token": "B", "logprob": -1}]) == (("A", -0.5), ("B", -1.0))
