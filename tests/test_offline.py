"""A reply is judged without Inspect as a run with `judge=offline` judges it."""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from refusalbench_tasks.datasets.rows import bundled_rows
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.refusal import every_number
from refusalbench_tasks.metrics.reply_table import BLANK, reply_table
from refusalbench_tasks.offline import judge_offline
from refusalbench_tasks.results.table import Run, run_of
from refusalbench_tasks.taxonomy import Label
from tests.results.recorded_replies import replies, score

ROW = {"query": "When did it open?", "context": "It opened in 1987."}
ANSWERABLE = ROW | {"answers": ["1987"]}
UNANSWERABLE = ROW | {"context": "It is a bridge.", "answers": []}


def test_it_is_imported_and_used_without_inspect() -> None:
    program = (
        "import sys\n"
        "from refusalbench_tasks.offline import judge_offline\n"
        f"judge_offline({ANSWERABLE!r}, 'It does not say.')\n"
        "assert 'inspect_ai' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    ("row", "reply", "predicted", "right", "decided_by"),
    [
        (ANSWERABLE, "1987", Label.ANSWER, 1.0, "alias"),
        (ANSWERABLE, "1931", Label.ANSWER, 0.0, "type"),
        (ANSWERABLE, "I don't know.", "REFUSAL", 0.0, "reading"),
        (
            UNANSWERABLE,
            "REFUSE_INFO_MISSING_IN_CONTEXT",
            "REFUSE_INFO_MISSING_IN_CONTEXT",
            1.0,
            "parse",
        ),
        (UNANSWERABLE, "REFUSE_OTHER", "REFUSE_OTHER", 0.0, "parse"),
    ],
)
def test_a_decided_reply(
    row: dict[str, object], reply: str, predicted: str, right: float, decided_by: str
) -> None:
    judged = judge_offline(row, reply)
    assert judged["outcome"] == "decided"
    assert (judged["predicted"], judged["right"]) == (predicted, right)
    assert judged["decided_by"] == decided_by


def test_what_is_not_known_is_no_verdict() -> None:
    refusal = judge_offline(UNANSWERABLE, "I don't know.")
    assert math.isnan(refusal["right"])
    assert judge_offline(UNANSWERABLE, "I don't know.", codes=False)["right"] == 1
    undecided = judge_offline(ANSWERABLE, "Hmm.")
    assert (undecided["outcome"], undecided["predicted"]) == ("unscored", "")
    assert math.isnan(undecided["right"])
    empty = judge_offline(ANSWERABLE, " ")
    assert (empty["outcome"], empty["right"]) == ("no_reply", 0)
    cut = judge_offline(ANSWERABLE, "1987", stop_reason="max_tokens")
    assert (cut["outcome"], cut["reason"]) == ("no_reply", "truncated")


def test_phrases_of_a_systems_own_refuse() -> None:
    reply = "That is one for the front desk."
    judged = judge_offline(ANSWERABLE, reply, refusals=["front desk"])
    assert judged["predicted"] == "REFUSAL"


def test_a_bad_row_and_an_unknown_reader_end_in_one_line() -> None:
    with pytest.raises(DataError, match="row, r1, field 'intensity'"):
        judge_offline(ANSWERABLE | {"id": "r1", "intensity": "HUGE"}, "1987")
    with pytest.raises(DataError, match="reader: unknown 'x'; known: ngrams"):
        judge_offline(ANSWERABLE, "Hmm.", reader="x")


def scored_run(file: Path, task: str, log: Path) -> Run:
    done = score(str(file), "--task", task, "--data", "sample", "--log", str(log))
    assert done.exit_code == 0, done.output
    scored = read_eval_log(str(log))
    scorer = "grounded_scores" if task == "garage" else "refusal_scores"
    return run_of(scored, scored.samples or [], scorer)


@pytest.mark.parametrize("task", ["nq", "garage"])
def test_every_column_and_number_is_that_of_a_run(task: str, tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    lines = replies(task, file).read_text(encoding="utf-8").splitlines()
    recorded = [json.loads(line) for line in lines]
    for reply in recorded:
        # with what an application retrieved other citations count
        reply.pop("passages", None)
    file.write_text("".join(json.dumps(reply) + "\n" for reply in recorded))
    run = scored_run(file, task, tmp_path / "x.eval")
    bundled = bundled_rows(f"{task}_sample.jsonl")
    data = {row.values["id"]: row.values for row in bundled}
    stops = {"length": "max_tokens"}
    rows = []
    for reply in recorded:
        stop = stops.get(reply["stop_reason"], reply["stop_reason"])
        rows.append(judge_offline(data[reply["id"]], reply["reply"], stop_reason=stop))
    judged = reply_table(rows).sort_values("item")
    asked = run.replies[run.replies["reason"] != "not_in_file"].sort_values("item")
    assert len(judged) == len(asked) > 0
    for column in BLANK:
        mine, theirs = judged[column].map(repr), asked[column].map(repr)
        assert list(mine) == list(theirs), column
    numbers = every_number(judged, resamples=20)
    assert repr(numbers) == repr(every_number(asked, resamples=20))
