"""Which logs are read, and how."""

import json
import math
import os
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai.log import read_eval_log_sample_summaries

from refusalbench_tasks.cli import main
from refusalbench_tasks.results.logs.find import newest_run, read_logs
from refusalbench_tasks.results.logs.run_labels import labels
from refusalbench_tasks.results.logs.stored import read_summaries
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.logs.synthetic import row, write_log


def test_a_finished_run_stands_for_its_attempts_and_an_unfinished_one_says_so(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    write_log(logs, "m", [row("1", Label.MISSING)], status="cancelled")
    write_log(logs, "m", [row("1", Label.MISSING), row("2", Label.MISSING)])
    write_log(logs, "n", [row("1", Label.MISSING)], status="error")
    write_log(logs, "other", [row("1", Label.MISSING)], task="mmlu", scorer="match")
    found = read_logs([str(logs)])
    assert [(run.model, len(run.rows)) for run in found.refusal] == [("m", 2), ("n", 1)]
    assert [reason for _, reason in found.left_out] == ["a later log continues this run", "not a log of this suite"]


def test_runs_of_one_model_get_names_that_differ(tmp_path: Path) -> None:
    for _ in range(2):
        write_log(tmp_path, "m", [row("1", Label.MISSING)])
    runs = read_logs([str(tmp_path)]).refusal
    assert labels(runs, {"m": "m"}) == ["m (no grader) #1", "m (no grader) #2"]


def test_summaries_are_those_of_inspect(tmp_path: Path) -> None:
    lost = row("2", Label.MISSING)
    lost.scores = None
    write_log(tmp_path, "m", [row("0", Label.ANSWER, reply="x" * 3000), row("1", None), lost])
    for path in tmp_path.iterdir():
        ours = {(one["id"], one["epoch"]): one for one in read_summaries(str(path))}
        theirs = read_eval_log_sample_summaries(str(path))
        assert len(ours) == len(theirs)
        for summary in theirs:
            own = ours[summary.id, summary.epoch]
            assert own["metadata"] == summary.metadata
            for name, score in (summary.scores or {}).items():
                assert own["scores"][name].get("answer") == score.answer
                assert own["scores"][name]["metadata"] == score.metadata
                assert repr(own["scores"][name]["value"]) == repr(score.value)


def test_logs_that_are_not_eval_files_are_read_too(tmp_path: Path) -> None:
    from inspect_ai.log import read_eval_log, write_eval_log

    path = write_log(tmp_path / "a", "m", [row(str(k), Label.MISSING) for k in range(3)])
    (tmp_path / "b").mkdir()
    write_eval_log(read_eval_log(str(path)), str(tmp_path / "b/2026-01-01T00-00-00-00-00_nq_abc.json"))
    one, two = (read_logs([str(tmp_path / name)]).refusal[0] for name in "ab")
    assert [row.outcome for row in one.rows.values()] == [row.outcome for row in two.rows.values()]


@pytest.mark.parametrize("content", [b"", b"garbage", b"PK\x03\x04 half of an archive"])
def test_an_unreadable_log_does_not_lose_the_others(tmp_path: Path, content: bytes) -> None:
    write_log(tmp_path, "m", [row("1", Label.MISSING)])
    (tmp_path / "bad.eval").write_bytes(content)
    found = read_logs([str(tmp_path)])
    assert len(found.refusal) == 1
    ((name, reason),) = found.left_out
    assert name.endswith("bad.eval")
    assert reason.startswith("not a readable log of this suite")
    result = CliRunner().invoke(main, ["compare", str(tmp_path / "0.eval"), str(tmp_path / "bad.eval")])
    assert result.exit_code == 1
    assert "bad.eval: not a readable log" in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_a_stranger_with_our_score_names_is_left_out(tmp_path: Path) -> None:
    alien = row("1", Label.MISSING)
    alien.metadata = {}
    write_log(tmp_path, "alien", [alien])
    write_log(tmp_path, "m", [row("1", Label.MISSING)], task="bluff")
    found = read_logs([str(tmp_path)])
    assert [run.model for run in found.refusal] == ["m"]
    assert "KeyError" in found.left_out[0][1]


def test_the_newest_scores_of_a_rescored_log_are_read(tmp_path: Path) -> None:
    old, new = row("1", Label.MISSING), row("1", Label.ANSWER)
    assert old.scores
    assert new.scores
    both = {"refusal_scores": next(iter(old.scores.values())), "refusal_scores1": next(iter(new.scores.values()))}
    path = write_log(tmp_path, "m", [old])
    from inspect_ai.log import EvalScore, read_eval_log, write_eval_log

    log = read_eval_log(str(path))
    assert log.samples
    assert log.results
    log.samples[0].scores = both
    log.results.scores = [EvalScore(name=name, scorer=name) for name in both]
    write_eval_log(log, str(path))
    (run,) = read_logs([str(path)]).refusal
    assert [one.outcome.predicted for one in run.rows.values()] == [Label.ANSWER]
    shown = CliRunner().invoke(main, ["show", str(path)])
    assert "m (judge: none)" in shown.output


def test_a_line_break_in_a_name_forges_no_line(tmp_path: Path) -> None:
    write_log(tmp_path, "m\nWarning: forged", [row("1", Label.MISSING)])
    assert read_logs([str(tmp_path)]).refusal[0].model == "m Warning: forged"


def test_show_leaves_out_what_it_cannot_read_and_says_so(tmp_path: Path) -> None:
    from inspect_ai.log import EvalMetric, EvalScore, read_eval_log, write_eval_log

    path = write_log(tmp_path, "m", [row("1", Label.MISSING)])
    log = read_eval_log(str(path))
    assert log.results
    metrics = {"refusal_accuracy": EvalMetric(name="refusal_accuracy", value=1.0)}
    log.results.scores = [EvalScore(name="refusal_scores", scorer="refusal_scores", metrics=metrics)]
    write_eval_log(log, str(path))
    write_log(tmp_path, "other", [row("1", Label.MISSING)], task="other", scorer="match")
    (tmp_path / "bad.eval").write_bytes(b"garbage")
    shown = CliRunner().invoke(main, ["show", str(tmp_path)])
    assert shown.exit_code == 0, shown.output
    assert "refusal_accuracy" in shown.output
    assert "bad.eval: not a readable log" in shown.output
    assert "no scores of ours (task: refusalbench_tasks/other" in shown.output
    nothing = CliRunner().invoke(main, ["show", str(tmp_path / "bad.eval")])
    assert nothing.exit_code == 1
    assert len(nothing.output.strip().splitlines()) == 1
    assert CliRunner().invoke(main, ["reproduce", str(tmp_path)]).exit_code == 0


def test_a_number_that_another_tool_wrote_as_null_stays_unknown(tmp_path: Path) -> None:
    path = write_log(tmp_path, "m", [row("1", Label.ANSWER, intensity=Intensity.LOW)])
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    (summary,) = json.loads(parts["summaries.json"])
    summary["scores"]["refusal_scores"]["value"]["right"] = None
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in (parts | {"summaries.json": json.dumps([summary]).encode()}).items():
            archive.writestr(name, content)
    (run,) = read_logs([str(path)]).refusal
    (found,) = run.rows.values()
    assert found.outcome.predicted is Label.ANSWER
    assert found.outcome.right is None
    assert math.isnan(found.numbers["right"])


def test_a_folder_stands_for_its_newest_log_that_can_be_read(tmp_path: Path) -> None:
    log = write_log(tmp_path, "m", [row("1", Label.MISSING)])
    damaged = tmp_path / "2027-01-01T00-00-00_nq_damaged.eval"
    damaged.write_bytes(b"PK\x03\x04 begun")
    os.utime(log, (1, 1))
    newest = newest_run(str(tmp_path))
    assert newest.run is not None
    assert newest.run.model == "m"
    assert [damaged.name in problem for problem in newest.damaged] == [True]
    assert newest_run(str(log)).damaged == ()
    alone = newest_run(str(damaged))
    assert alone.run is None
    assert len(alone.damaged) == 1


def test_a_folder_with_a_damaged_newest_log_is_compared_and_the_log_is_named(tmp_path: Path) -> None:
    for model in ("a", "b"):
        log = write_log(tmp_path / model, model, [row(str(k), Label.MISSING) for k in range(3)])
        os.utime(log, (1, 1))
    (tmp_path / "b" / "2027-01-01T00-00-00_nq_damaged.eval").write_bytes(b"PK\x03\x04 begun")
    result = CliRunner().invoke(main, ["compare", str(tmp_path / "a"), str(tmp_path / "b")])
    assert result.exit_code == 0, result.output
    assert "3 samples of 3 questions are decided in both" in result.output
    assert "nq_damaged.eval: not a readable log of this suite (damaged" in result.output
