"""The metrics of searching, by hand, and through what reads logs."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval, eval_retry
from inspect_ai.log import read_eval_log

from refusalbench_tasks.cli import main
from refusalbench_tasks.metrics.refusal import every_number
from refusalbench_tasks.metrics.reply_table import reply_table
from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.search import search_baselines
from refusalbench_tasks.search.search_baselines import search_once, search_oracle
from refusalbench_tasks.tasks.search import search
from refusalbench_tasks.taxonomy import Label
from tests.killing import dying
from tests.logged import numbers_of
from tests.search.searching import searched

ANSWER = Label.ANSWER.value
MISSING = Label.MISSING.value


def reply(
    item: str,
    expected: str,
    predicted: str,
    right: float,
    **changes: Any,
) -> dict[str, Any]:
    """Return a row of the table of replies."""
    return {
        "item": item,
        "cluster": "mill",
        "expected": expected,
        "predicted": predicted,
        "outcome": "decided",
        "right": right,
        "codes": True,
        "protocol": "paper",
        "searches": 2.0,
        "evidence_shown": 1.0,
        "shown_at": 1.0,
        "repeated_queries": 0.0,
        "malformed_calls": 0.0,
        "tokens": 100.0,
        **changes,
    }


UNSEEN: dict[str, Any] = {"evidence_shown": 0.0, "shown_at": float("nan")}


@pytest.fixture
def numbers() -> dict[str, Any]:
    rows = [
        # of five answerable rows: found and right, unseen and right, unseen and wrong,
        # refused before it was seen, refused although it was
        reply("a", ANSWER, ANSWER, 1),
        reply("b", ANSWER, ANSWER, 1, **UNSEEN),
        reply("c", ANSWER, ANSWER, 0, **UNSEEN),
        reply("d", ANSWER, MISSING, 0, **UNSEEN),
        reply("e", ANSWER, MISSING, 0),
        # of three others: refused, answered, ran out of searches
        reply("f", MISSING, MISSING, 1, searches=4.0),
        reply("g", MISSING, ANSWER, 0),
        reply(
            "h",
            MISSING,
            "",
            0,
            outcome="no_reply",
            reason="stopped_by_limit",
            repeated_queries=1.0,
        ),
    ]
    return dict(every_number(reply_table(rows), resamples=0))


def test_the_metrics_are_these_by_hand(numbers: dict[str, Any]) -> None:
    expected = {
        "evidence_found": (5 / 8, 8),
        "premature_refusal": (1 / 5, 5),
        "refusal_despite_evidence": (1 / 5, 5),
        "answer_without_evidence": (2 / 5, 5),
        "right_without_evidence": (1 / 5, 5),
        "wrong_without_evidence": (1 / 5, 5),
        "unsupported_answer": (1 / 3, 3),
        "limit_rate": (1 / 8, 8),
        "searches": (18 / 8, 8),
        "searches_after_evidence": (7 / 5, 5),
        "repeated_queries": (1 / 8, 8),
        # three replies were right, of all tokens
        "tokens_per_right": (800 / 3, 3),
        # two of five answerable rows are right, and one of three others
        "pair_accuracy": (2 / 15, 15),
    }
    for name, (value, n) in expected.items():
        assert (numbers[name].value, numbers[name].n) == pytest.approx((value, n)), name


def test_both_kinds_of_false_refusal_add_up(numbers: dict[str, Any]) -> None:
    parts = (
        numbers["premature_refusal"].value,
        numbers["refusal_despite_evidence"].value,
    )
    assert sum(parts) == pytest.approx(numbers["false_refusal_rate"].value)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("searched")
    for solver in (search_once(), search_oracle()):
        searched(folder / str(solver.__name__), solver=solver)  # type: ignore[attr-defined]
    return folder


def command(*args: str) -> str:
    done = CliRunner().invoke(main, [*args])
    assert done.exit_code in (0, 1), done.output
    return str(done.output)


def test_a_log_and_the_commands_tell_the_same_numbers(logs: Path) -> None:
    views = [RunView(run) for run in read_logs([str(logs)]).runs]
    for view in views:
        assert "premature_refusal" in view.main_names
        name = str(view.run.header.location)
        logged = numbers_of(read_eval_log(name), "search_scores")
        for metric in ("premature_refusal", "evidence_found", "searches"):
            assert view.numbers[metric].value == logged[metric]
            assert view.numbers[metric].n == logged[f"{metric}_n"]


def test_show_compare_and_gate_know_the_metrics(logs: Path) -> None:
    shown = command("show", str(logs))
    assert "premature_refusal" in shown
    assert "search_oracle" in shown
    first, second = sorted(map(str, logs.rglob("*.eval")))
    assert "evidence_found" in command("compare", first, second)
    gated = command("gate", second, "--max", "premature_refusal=0.99")
    assert "premature_refusal" in gated


def test_a_run_that_died_and_is_continued_has_the_numbers_of_one_that_did_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = searched(tmp_path / "whole", solver=search_once())
    with monkeypatch.context() as dies:
        dying(dies, (search_baselines, "best_match", 9))
        (broken,) = eval(
            search(data="sample", judge="offline"),
            model=None,
            solver=search_once(),
            log_dir=str(tmp_path / "broken"),
            display="none",
        )
    assert broken.status == "error"
    (continued,) = eval_retry(
        broken, log_dir=str(tmp_path / "continued"), display="none"
    )
    both = [numbers_of(log, "search_scores") for log in (whole, continued)]
    assert both[1] == pytest.approx(both[0], nan_ok=True)
