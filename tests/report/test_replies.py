"""The JSON of all replies, as the page holds it."""

import json
from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.report import replies
from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.report.question_counts import question_counts
from refusalbench_tasks.report.replies import STEPS, browsable
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.taxonomy import Label
from tests.report.own_runs import own_group
from tests.results.synthetic import row, write_log


def page_json(folder: Path) -> tuple[Any, str]:
    found = browsable(groups_of(read_logs([str(folder)], texts=True).runs))
    assert found is not None
    return json.loads(found.json), found.note


def test_no_text_ends_the_data_block(tmp_path: Path) -> None:
    evil = "</script><!-- & \u2028"
    write_log(tmp_path, "m", [row("1", Label.MISSING, reply=evil, passages=[evil])])
    found: Any = browsable(groups_of(read_logs([str(tmp_path)], texts=True).runs))
    assert not set("<>&\u2028") & set(found.json)
    assert json.loads(found.json)["tasks"][0]["replies"][0][0]["reply"] == evil


def test_a_passage_that_many_rows_have_is_held_once(tmp_path: Path) -> None:
    for model in ("a", "b"):
        write_log(
            tmp_path,
            model,
            [
                row(str(k), Label.MISSING, passages=["same", str(k % 2)])
                for k in range(4)
            ],
        )
    (task,) = page_json(tmp_path)[0]["tasks"]
    assert sorted(task["texts"]) == ["0", "1", "same"]
    assert (len(task["rows"]), [len(own) for own in task["replies"]]) == (4, [4, 4])


def test_a_reply_stands_beside_what_was_expected_given_and_why(tmp_path: Path) -> None:
    sample = row(
        "1", Label.MISSING, reply="No.", document="faq.md", answers=["42", "forty-two"]
    )
    sample.scores["refusal_scores"].explanation = "the grader's words"  # type: ignore[index]
    sample.store = {"refusalbench_retrieved": ["found"]}
    write_log(tmp_path, "m", [sample])
    (task,) = page_json(tmp_path)[0]["tasks"]
    (one,), ((reply,),) = task["rows"], task["replies"]
    code = Label.MISSING.value
    assert (one["question"], one["answers"], one["expected"]) == (
        "question 1",
        "42; forty-two",
        code,
    )
    assert (one["facts"]["class"], one["facts"]["document"]) == (
        "P-MissingInfo",
        "faq.md",
    )
    assert (reply["reply"], reply["given"], reply["why"]) == (
        "No.",
        code,
        "the grader's words",
    )
    assert [
        task["texts"][place] for place in (*one["passages"], *reply["retrieved"])
    ] == ["text", "found"]


def test_the_kinds_of_replies_are_called_as_the_bars_are() -> None:
    group = own_group()
    found: Any = browsable([group])
    replies_now, _ = json.loads(found.json)["tasks"][0]["replies"]
    listed = {reply["outcome"] for reply in replies_now}
    counts = question_counts(group.shown[0])
    assert listed == {*counts["answerable"], *counts["unanswerable"]}


def test_what_was_lost_is_there_with_its_error(tmp_path: Path) -> None:
    lost = row("2", Label.MISSING)
    lost.scores = None
    write_log(tmp_path, "m", [row("1", None), lost])
    (task,) = page_json(tmp_path)[0]["tasks"]
    assert [(one["outcome"], one["reason"]) for one in task["replies"][0]] == [
        ("undecided", "undecided offline"),
        ("ended in error", ""),
    ]


def test_texts_are_cut_until_they_fit_and_the_page_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_log(
        tmp_path,
        "m",
        [row("1", Label.MISSING, reply="x" * 9000, passages=["y" * 9000])],
    )
    found, note = page_json(tmp_path)
    assert len(found["tasks"][0]["replies"][0][0]["reply"]) == STEPS[0] + 2
    assert "cut" not in note
    monkeypatch.setattr(replies, "LARGEST", 1_500)
    found, note = page_json(tmp_path)
    assert len(found["tasks"][0]["replies"][0][0]["reply"]) == STEPS[-1] + 2
    assert found["tasks"][0]["texts"] == []
    assert note.endswith("texts are cut at 200 letters, and passages left out.")
    monkeypatch.setattr(replies, "LARGEST", 100)
    assert browsable(groups_of(read_logs([str(tmp_path)], texts=True).runs)) is None


def test_columns_of_ones_own_are_filters_where_they_have_few_values(
    tmp_path: Path,
) -> None:
    samples = []
    for k in range(61):
        columns = {"team": "blue" if k % 2 else "red", "ticket": f"t{k}"}
        samples.append(row(str(k), Label.MISSING, columns=columns))
    write_log(tmp_path, "m", samples)
    found: Any = browsable(groups_of(read_logs([str(tmp_path)], texts=True).runs))
    assert found.filters[-1] == "team"
    assert "ticket" not in found.filters
    facts = json.loads(found.json)["tasks"][0]["rows"][1]["facts"]
    assert (facts["team"], facts["ticket"]) == ("blue", "t1")
