"""All replies of a section, as the page reads them."""

import base64
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from refusalbench_tasks.report import replies
from refusalbench_tasks.report.build import write_report
from refusalbench_tasks.report.replies import STEPS, Browsable, Limits, browsed, packed, replies_note
from refusalbench_tasks.report.reply_texts import read_texts, texts_of
from refusalbench_tasks.results.logs.find import read_logs
from refusalbench_tasks.results.logs.parallel import each_of
from refusalbench_tasks.results.logs.run import RefusalRun
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.logs.synthetic import hedging_sample, row, write_log

LIMITS = Limits(100, 10, 10)


def logs_of(folder: Path) -> dict[str, RefusalRun]:
    samples = [
        row("1", Label.ANSWER, reply="</script>" + "x" * 20, passages=["text", "other"], source_id="s"),
        row("2", None, source_id="s"),
        row("3", Label.ANSWER, intensity=Intensity.CLEAN, passages=["text", "before"], control=True, source_id="s",
            query="the original"),
    ]  # fmt: skip
    write_log(folder, "p/a", samples)
    write_log(folder, "p/b", samples[:1])
    return {run.model: run for run in read_logs([str(folder)]).refusal}


def test_rows_are_written_once_and_replies_by_run(tmp_path: Path) -> None:
    runs = logs_of(tmp_path)
    texts = texts_of([run.name for run in runs.values()])
    # what was asked is read once
    assert [bool(texts[run.name]["1", 1].question) for run in runs.values()] == [True, False]
    data = browsed(Browsable("nq", runs, {"p/a": 0, "p/b": 1}), texts, LIMITS)
    assert [one["id"] for one in data["rows"]] == ["1", "2", "3"]
    assert data["texts"] == ["text", "other", "before"]
    assert data["rows"][0]["p"] == [0, 1]
    assert data["rows"][0]["g"] == "gold"
    # what leads to the sample in the viewer
    assert (data["rows"][1]["s"], data["models"][0]["log"]) == (("2", 1), "0.eval")
    # the control of the same question is the original
    assert (data["rows"][0]["oq"], data["rows"][0]["op"]) == ("the original", [0, 2])
    assert "op" not in data["rows"][2]
    verdicts = data["names"]["verdict"]
    assert [[one and verdicts[one[0]] for one in some] for some in data["replies"]] == [
        ["missed refusal", "undecided unanswerable", "good answer"],
        ["missed refusal", None, None],
    ]
    assert data["replies"][0][0][1:4] == ["ANSWER_CORRECTLY", "parse", "</script>x …"]
    assert data["replies"][0][1][2] == "undecided_offline"


def test_texts_are_cut_until_the_page_is_small_enough(tmp_path: Path) -> None:
    runs = logs_of(tmp_path)
    sections = [Browsable("nq", runs, {"p/a": 0, "p/b": 1})]
    [whole] = packed(sections, 100_000)
    assert whole.limits == STEPS[0]
    assert replies_note([whole]) == "Every reply of these runs."
    pieces = [json.loads(gzip.decompress(base64.b64decode(line))) for line in whole.data.splitlines()]
    assert pieces[0]["key"] == "nq"
    assert [list(piece) for piece in pieces[1:]] == [["rows"], ["texts"], ["replies"], ["replies"]]
    assert [len(piece["rows"]) for piece in pieces if "rows" in piece] == [3]
    [cut] = packed(sections, len(whole.data) - 1)
    assert cut.limits in STEPS[1:]
    assert "are left out" in replies_note([cut])
    assert packed(sections, 10) == []


def test_of_too_many_replies_none_is_read_and_the_page_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logs_of(tmp_path)  # three replies of one model, one of the other
    monkeypatch.setattr(replies, "MOST", 4)
    assert "<template data-replies=" in write_report([str(tmp_path)], tmp_path / "all").page.read_text()
    monkeypatch.setattr(replies, "MOST", 3)
    monkeypatch.setattr(replies, "texts_of", None)
    page = write_report([str(tmp_path)], tmp_path / "few").page.read_text()
    assert "more replies than a page can hold" in page
    assert "<template data-replies=" not in page


def test_no_log_is_read_again_for_a_page_that_is_full_without_replies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replies, "texts_of", None)
    assert replies.packed([Browsable("nq", {}, {})], 0) == replies.packed([Browsable("nq", {}, {})], -5) == []


def test_replies_of_bluff_are_told_by_their_grade(tmp_path: Path) -> None:
    samples = [hedging_sample("q", "clear"), hedging_sample("q", "ambiguous", correctness=0.2),
               hedging_sample("r", "clear", refused=1.0)]  # fmt: skip
    write_log(tmp_path, "m", samples, "bluff", "hedging_scores")
    [run] = read_logs([str(tmp_path)]).hedging
    data = browsed(Browsable("bluff", {"m": run}, {"m": 0}), texts_of([run.name]), LIMITS)
    told = {one["id"]: data["names"]["verdict"][data["replies"][0][k][0]] for k, one in enumerate(data["rows"])}
    assert told == {"q-clear": "right answer", "q-ambiguous": "wrong answer", "r-clear": "refusal"}


def test_a_log_that_is_gone_has_no_texts(tmp_path: Path) -> None:
    assert read_texts(str(tmp_path / "gone.eval")) == {}


def test_all_sections_are_cut_at_one_step_whichever_of_them_is_large(tmp_path: Path) -> None:
    runs = logs_of(tmp_path)
    small = Browsable("small", {"p/b": runs["p/b"]}, {"p/b": 0})
    large = Browsable("large", runs, {"p/a": 0, "p/b": 1})
    whole = packed([small, large], 100_000)
    cut = packed([small, large], sum(len(one.data) for one in whole) - 1)
    assert [one.key for one in cut] == ["small", "large"]
    assert cut[0].limits == cut[1].limits != STEPS[0]
    assert len(cut[0].data) + len(cut[1].data) < sum(len(one.data) for one in whole)


def test_the_step_of_many_replies_is_told_by_a_few_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # what no packing makes smaller: 2,000 letters a reply
    samples = [row(f"{k:03}", Label.MISSING, reply=Random(k).randbytes(1_000).hex()) for k in range(120)]
    write_log(tmp_path, "p/a", samples)
    (run,) = read_logs([str(tmp_path)]).refusal
    sections = [Browsable("nq", {"p/a": run}, {"p/a": 0})]
    whole = packed(sections, 1_000_000)
    packs: list[int] = []
    monkeypatch.setattr(replies, "_MANY", 100)
    monkeypatch.setattr(replies, "_PROBED", 30)

    def packing(function: Any, given: Any, places: Sequence[int], what: str, worth_it: bool) -> list[str]:
        packs.append(given[1])
        return each_of(function, given, places, what, worth_it=False)

    monkeypatch.setattr(replies, "each_of", packing)
    assert packed(sections, 1_000_000) == whole
    [cut] = packed(sections, len(whole[0].data) // 2)
    assert len(cut.data) <= len(whole[0].data) // 2
    # steps at which half of the letters can't stand were not packed
    assert packs[0] == 0
    assert all(STEPS[step].reply < 1_000 for step in packs[1:])
    assert len(read_texts(run.name, most=30)) in range(30, 41)
