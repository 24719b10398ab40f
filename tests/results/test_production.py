"""Replies from production: refusals by slice, a sheet to label, and what labels
correct.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.reading import ReplyReading
from refusalbench_tasks.results import production
from refusalbench_tasks.results.audit.sheet import Labels, read_labels, refuses
from refusalbench_tasks.results.production import (
    label_sheet,
    labelled_rates,
    read_production,
    refusal_rates,
    uneven_slices,
)
from refusalbench_tasks.sheets import read_sheet_rows, sheet_csv

REFUSALS = (
    "I could not find that in the documents.",
    "The provided sources don't mention the opening hours.",
)
ANSWERS = ("30 days.", "The warranty is two years.", "The fee is 25 euros.")


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A file of 60 replies: version v1 refuses each second one, v2 one in ten."""
    rows = []
    for k in range(60):
        version = "v1" if k < 30 else "v2"
        refuses = k % 2 == 0 if k < 30 else k % 10 == 0
        text = REFUSALS[k % 2 if k < 30 else 0] if refuses else ANSWERS[k % 3]
        rows.append(
            {
                "question": f"Question {k}?",
                "reply": text,
                "version": version,
                "latency": k / 10,
            }
        )
    path = tmp_path / "logs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def labels_of(sheet: Path) -> Labels:
    return read_labels(sheet, "expected", refuses)


def of(lines: list[dict[str, Any]], value: str) -> dict[str, Any]:
    return next(line for line in lines if line["value"] == value)


def test_passages_may_be_objects_with_a_text(tmp_path: Path) -> None:
    text = "Vellia marina was described by the botanist Ruth Okello."
    kinds = []
    for passages in ([], [text], [{"text": text, "id": 1}, {"score": 2}]):
        row = {"question": "Who?", "reply": "Ruth Okello", "passages": passages}
        path = tmp_path / "one.jsonl"
        path.write_text(json.dumps(row))
        kinds += read_production(str(path))["kind"].to_list()
    assert kinds == ["undecided", "answer", "answer"]


def test_refusals_by_version(logs: Path) -> None:
    lines = refusal_rates(read_production(str(logs)), ["version"])
    assert (of(lines, "v1")["refused"], of(lines, "v2")["refused"]) == (0.5, 0.1)
    assert of(lines, "v1")["p"] == of(lines, "v2")["p"] < 0.01
    whole = lines[0]
    assert (whole["replies"], whole["n"], whole["undecided"]) == (60, 60, 0)
    assert whole["at least"] < whole["refused"] == 0.3 < whole["at most"]
    assert whole["latency p50"] == pytest.approx(2.95)
    assert "The reading's own errors: of " in run("score", str(logs)).output


def test_slices_of_which_less_is_decided_are_told_and_bounds_come_first(
    tmp_path: Path,
) -> None:
    file = tmp_path / "logs.jsonl"
    texts = {"de": ["Hmm."] * 4 + ["30 days."] * 6, "en": ["30 days."] * 10}
    rows = []
    for language, replies in texts.items():
        rows += [{"reply": reply, "language": language} for reply in replies]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = refusal_rates(read_production(str(file)), ["language"])
    names = list(lines[0])
    assert names.index("at least") < names.index("at most") < names.index("refused")
    [sentence] = uneven_slices(lines)
    assert sentence.startswith("language: The parts differ in how much of them is")
    assert "(60 to 100 %)" in sentence
    assert sentence in run("score", str(file), "--by", "language").output
    assert uneven_slices(lines[:1]) == []


def test_few_readable_replies_have_no_rate_and_an_empty_one_is_none(
    tmp_path: Path,
) -> None:
    path = tmp_path / "logs.csv"
    path.write_text(
        "response;language\nHmm.;de\nThanks!;de\nI don't know.;de\n'  ';en\n"
    )
    [line] = refusal_rates(read_production(str(path)))
    assert (line["refused"], line["n"], line["undecided"], line["empty"]) == (
        None,
        1,
        2,
        1,
    )
    assert 0 < line["at least"] < 1 / 3 < line["at most"] == 1


def test_replies_that_ask_back_are_refusals_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(text: str, **_: Any) -> ReplyReading:
        return ReplyReading("clarification" if "?" in text else "answer", text)

    monkeypatch.setattr(production, "find_reader", lambda _: read)
    path = tmp_path / "logs.jsonl"
    texts = ("Which of the two?", "The new one?", "30 days.", "Two years.")
    path.write_text("".join(json.dumps({"reply": text}) + "\n" for text in texts))
    replies = read_production(str(path))
    [line] = refusal_rates(replies)
    assert (line["refused"], line["n"], line["ask back"]) == (0.5, 4, 2)
    labels: Labels = dict.fromkeys(replies["id"], (True, None))
    assert labelled_rates(replies, labels)["refused"].corrected == 1


def test_a_systems_own_phrases(tmp_path: Path) -> None:
    path = tmp_path / "logs.jsonl"
    phrases = tmp_path / "phrases.txt"
    path.write_text(json.dumps({"reply": "That is one for the front desk."}) + "\n")
    phrases.write_text("one for the front desk\n")
    [line] = json.loads(
        run("score", str(path), "--refusals", str(phrases), "--format", "json").stdout
    )["refusals"]
    assert (line["n"], line["refused"]) == (1, 1)


def test_labels_correct_what_was_read(logs: Path, tmp_path: Path) -> None:
    replies = read_production(str(logs))
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(label_sheet(replies, 30))
    rows = read_sheet_rows(sheet)
    assert len(rows) == 30
    assert "kind" not in rows[0]
    # people find each reply about the fee no answer, and that all was to be answered
    for row in rows:
        row["label"] = (
            "refusal" if row["reply"] in (*REFUSALS, ANSWERS[2]) else "answer"
        )
        row["expected"] = "answer"
    sheet.write_text(sheet_csv(list(rows[0]), rows))
    truth = replies["reply"].isin([*REFUSALS, ANSWERS[2]]).mean()
    found = labelled_rates(replies, labels_of(sheet))
    assert found["refused"].low <= truth <= found["refused"].high
    assert found["refused wrongly"].corrected == pytest.approx(
        found["refused"].corrected
    )
    assert found["answered wrongly"].corrected == 0
    printed = run("score", str(logs), "--sheet", str(sheet)).output
    assert "refused wrongly" in printed


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--by", "team"], "--by team: no such column"),
        (["--data", "rows.jsonl"], "--data is for replies to a --task"),
        (["--task", "nq", "--by", "version"], "--by is for replies without a task"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    logs: Path, arguments: list[str], problem: str
) -> None:
    result = run("score", str(logs), *arguments)
    assert result.exit_code == 1
    assert problem in result.output


def test_a_row_without_a_reply_and_a_label_of_another_kind_are_named(
    logs: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("question,text\nWho?,Ada\n")
    with pytest.raises(DataError, match="bad.csv, row 1.*reply"):
        read_production(str(bad))
    bad.write_text("id,label,expected\n1-abc,maybe,\n")
    with pytest.raises(DataError, match="bad.csv, row 1.*label.*'maybe'"):
        labels_of(bad)
    bad.write_text("id,label,expected\n1-abc,answer,\n")
    with pytest.raises(DataError, match="no row of the sheet is one of these replies"):
        labelled_rates(read_production(str(logs)), labels_of(bad))


@pytest.mark.parametrize("field", ["stop_reason", "finish_reason"])
@pytest.mark.parametrize("reason", ["max_tokens", "length", "content_filter"])
def test_a_reply_that_was_cut_off_or_stopped_is_none(
    field: str, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "logs.jsonl"
    row = {"question": "How long?", "reply": "30 days.", field: reason}
    path.write_text(json.dumps(row) + "\n")
    assert list(read_production(str(path))["kind"]) == ["none"]
