"""What the commands say of replies of real models: recorded ones, scored anew."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from tests.recorded import recording, replayed_log

SMALL = "smollm2-135m-nq"
LARGE = "qwen2.5-coder-1.5b-nq"
CITES = "qwen2.5-coder-0.5b-garage"
LOOPS = "smollm2-135m-garage"
NAMES = (SMALL, LARGE, CITES, LOOPS)
RATES = (
    "false_refusal_rate",
    "missed_refusal_rate",
    "refusal_accuracy",
    "answer_accuracy",
)


def run(*words: str, status: int = 0) -> str:
    """Run a command to its end and return what it printed."""
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == status, done.output
    return done.stdout


@cache
def shown(name: str) -> dict[str, dict[str, Any]]:
    """Return the lines of `show` about a recording, by metric."""
    table = json.loads(run("show", replayed_log(name), "--format", "json"))
    return {line["metric"]: line for line in table["summary"]}


def gives_nothing(reply: Mapping[str, Any]) -> bool:
    """Return whether a person sees no reply: cut off, blank, or numbers in brackets
    alone.
    """
    if reply["stop_reason"] == "max_tokens":
        return True
    return not re.sub(r"\[\d+\]", "", reply["reply"]).strip()


@pytest.fixture(scope="module")
def replies(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """Return the table of `refusalbench rows` of all recordings."""
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    run("rows", *(replayed_log(name) for name in NAMES), "-o", str(path))
    return pd.read_parquet(path)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the text of a report on both models' replies to nq."""
    folder = tmp_path_factory.mktemp("report")
    run("report", replayed_log(SMALL), replayed_log(LARGE), "-o", str(folder))
    html = (folder / "index.html").read_text(encoding="utf-8")
    return unescape(re.sub(r"<[^>]*>", " ", html))


@pytest.mark.parametrize("name", NAMES)
def test_no_reply_is_what_a_person_counts_in_the_file(
    name: str, replies: pd.DataFrame
) -> None:
    expected = {row["id"] for row in recording(name).replies if gives_nothing(row)}
    rows = replies[replies["system"] == name]
    assert expected
    assert set(rows.loc[rows["outcome"] == "no_reply", "sample_id"]) == expected
    assert shown(name)["no reply"]["value"] == len(expected)


def test_rows_holds_each_reply_as_it_was_written(replies: pd.DataFrame) -> None:
    written = {
        (name, row["id"]): row["reply"]
        for name in NAMES
        for row in recording(name).replies
    }
    held = replies.set_index(["system", "sample_id"])["reply"]
    assert held.to_dict() == written


@pytest.mark.parametrize("name", NAMES)
def test_show_says_bounds_that_contain_the_value(name: str) -> None:
    lines = [shown(name)[metric] for metric in RATES]
    bounded = [line for line in lines if line["lowest"] is not None]
    assert bounded
    for line in bounded:
        assert 0 <= line["lowest"] <= line["highest"] <= 1
        if line["value"] is not None:
            assert line["lowest"] <= line["value"] <= line["highest"], line["metric"]


@pytest.mark.parametrize("name", [SMALL, LOOPS])
def test_show_quotes_the_most_frequent_undecided_reply(
    name: str, replies: pd.DataFrame
) -> None:
    rows = replies[replies["system"] == name]
    undecided = rows.loc[rows["outcome"] == "unscored", "reply"]
    times = Counter(" ".join(reply.split()) for reply in undecided)
    text, count = quoted(run("show", replayed_log(name)))
    assert count == max(times.values())
    assert any(reply.startswith(text) for reply in times if times[reply] == count)


def quoted(output: str) -> tuple[str, int]:
    """Return the reply that is quoted, without a cut's mark, and how often it came."""
    pattern = r"undecided most often: (?:once|(\d+) times) `([^`]*?)(?: …)?`"
    match = re.search(pattern, " ".join(output.split()))
    assert match is not None, output
    return match[2], int(match[1] or 1)


def test_the_report_says_bounds_and_quotes_the_reply_that_show_quotes(
    page: str,
) -> None:
    shown_text = run("show", replayed_log(SMALL))
    _, bounds = " ".join(shown_text.split()).split(f"{SMALL}: bounds: ")
    bounds, errors = bounds.split(" The reading's own errors: ")
    text = " ".join(page.split())
    assert bounds in text
    assert f"The reading's own errors: {errors}" in text


def test_the_report_says_first_that_replies_are_missing(page: str) -> None:
    missing = sum(map(gives_nothing, recording(SMALL).replies))
    share = round(100 * missing / len(recording(SMALL).replies))
    sentence = f"gives no reply to {share} % of rows; refuses "
    assert sentence in " ".join(page.split())


def test_compare_pairs_replies_by_the_row(replies: pd.DataFrame) -> None:
    made = json.loads(
        run("compare", replayed_log(SMALL), replayed_log(LARGE), "--format", "json")
    )
    (samples,) = made["samples"]
    (refused,) = [test for test in made["tests"] if test["reply is"] == "refused"]
    assert (samples["run A"], samples["run B"]) == (SMALL, LARGE)

    small, large = (replies[replies["system"] == name] for name in (SMALL, LARGE))
    pairs = small.merge(large, on="sample_id", suffixes=("_a", "_b"))
    known = (pairs["outcome_a"] != "unscored") & (pairs["outcome_b"] != "unscored")
    refuses_a = refuses(pairs, "_a") & known
    refuses_b = refuses(pairs, "_b") & known
    assert samples["n"] == known.sum()
    assert samples["undecided"] == 72 - known.sum()
    assert refused["A only"] == (refuses_a & ~refuses_b).sum()
    assert refused["B only"] == (refuses_b & ~refuses_a).sum()


def refuses(pairs: pd.DataFrame, side: str) -> "pd.Series[bool]":
    """Return which replies of a side are refusals."""
    answers = pairs[f"predicted{side}"] == "ANSWER_CORRECTLY"
    return (pairs[f"outcome{side}"] == "decided") & ~answers


@pytest.mark.parametrize("name", [SMALL, CITES, LOOPS])
def test_a_model_without_replies_fails_a_gate_on_them(name: str) -> None:
    limits = ("--max", "false_refusal_rate=1", "--max=unscored=1", "-n", "0")
    made = json.loads(
        run("gate", replayed_log(name), *limits, "--format", "json", status=1)
    )
    verdicts = {check["rule"]: check["verdict"] for check in made["runs"][0]["checks"]}
    assert verdicts["no_reply ≤ 0.05"] == "fail"
    assert verdicts["unscored ≤ 1"] == "pass"


@pytest.mark.parametrize("name", [CITES])
def test_production_logs_are_read_as_rows_are_without_gold(
    name: str, replies: pd.DataFrame, tmp_path: Path
) -> None:
    """Replies that were cut off are left out: `score` without a task reads their text.

    Of a model that answers in words, question, gold and passages decide other replies
    than this.
    """
    header, *replies_written = recording(name).path.read_text("utf-8").splitlines()
    uncut = [line for line in replies_written if '"max_tokens"' not in line]
    file = tmp_path / "production.jsonl"
    file.write_text("\n".join([header, *uncut]), encoding="utf-8")
    (scored,) = json.loads(run("score", str(file), "--format", "json"))["refusals"]
    rows = replies[(replies["system"] == name) & (replies["reason"] != "truncated")]
    decided = rows["outcome"] == "decided"
    assert scored["replies"] == len(rows)
    assert scored["undecided"] == (rows["outcome"] == "unscored").sum()
    assert scored["empty"] == (rows["outcome"] == "no_reply").sum()
    assert scored["n"] == decided.sum()
    refusals = (
        round(scored["refused"] * scored["n"]) if scored["refused"] is not None else 0
    )
    assert refusals == (decided & (rows["predicted"] != "ANSWER_CORRECTLY")).sum()
