"""A Python function under test: how it is found and called, and what may come back."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.applications.function import function_named, reply_of_value
from refusalbench_tasks.own.applications.reply import (
    ApplicationFailed,
    ApplicationReply,
)
from refusalbench_tasks.own.applications.solvers import application_callable
from refusalbench_tasks.tasks.nq import nq
from tests.logged import numbers_of

APP = """
import threading

main = threading.main_thread()

def plain(question):
    assert threading.current_thread() is not main
    return "REFUSE_OTHER"

async def reading(question, passages):
    return {
        "reply": passages[0],
        "passages": passages + ["more"],
        "usage": {"input_tokens": 1},
    }

def optional(question, k=3):
    return f"{question} {k}"

def broken(question):
    raise RuntimeError("the index is\\ngone")

def nothing(question):
    return {"something": "else"}

class Bot:
    async def __call__(self, question):
        return f"bot: {question}"

bot, number = Bot(), 3
"""


@pytest.fixture(autouse=True)
def _application(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "my_rag", raising=False)
    (tmp_path / "my_rag.py").write_text(APP)


def ask(name: str, *passages: str) -> ApplicationReply:
    return asyncio.run(function_named(f"my_rag:{name}").ask("Who?", passages))


def run(name: str) -> EvalLog:
    (log,) = eval(
        nq(data="sample", per_stratum=1, judge="offline"),
        solver=application_callable(f"my_rag:{name}"),
        model="none/none",
        limit=2,
        log_dir="logs",
        display="none",
        fail_on_error=False,
    )
    return log


def test_a_function_gets_the_question_and_the_passages_if_it_asks_for_them() -> None:
    assert ask("plain", "p") == ApplicationReply("REFUSE_OTHER")
    assert ask("reading", "p").passages == ["p", "more"]
    assert ask("optional", "p").text == "Who? 3"
    assert ask("bot").text == "bot: Who?"
    assert 0 < (ask("bot").seconds or 0) < 5


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("broken", r"my_rag:broken: RuntimeError: the index is$"),
        ("nothing", "returned a dict without a reply"),
    ],
)
def test_an_exception_and_no_reply_are_failures(name: str, problem: str) -> None:
    with pytest.raises(ApplicationFailed, match=problem):
        ask(name)


@pytest.mark.parametrize(
    "name", ["my_rag", "my_rag:absent", "no.such:thing", 3, "my_rag:number"]
)
def test_what_is_no_function_is_told_before_any_sample(name: Any) -> None:
    with pytest.raises(DataError, match="function"):
        application_callable(name)


@pytest.mark.parametrize(
    ("value", "reply", "passages"),
    [
        ("text", "text", None),
        ({"reply": None}, "", None),
        ({"reply": "r", "passages": []}, "r", []),
        ({"reply": "t", "passages": ["p"]}, "t", ["p"]),
    ],
)
def test_a_reply_is_a_text_or_stands_in_a_mapping(
    value: Any, reply: str, passages: list[str] | None
) -> None:
    assert reply_of_value(value) == ApplicationReply(reply, passages)


def test_a_run_scores_its_replies_and_counts_exceptions_as_errors() -> None:
    m = numbers_of(run("plain"))
    assert (m["n"], m["n_unscored"]) == (2, 0)
    failed = run("broken").samples or []
    assert [bool(sample.error and not sample.scores) for sample in failed] == [
        True,
        True,
    ]
    assert "the index is" in failed[0].error.message  # type: ignore[union-attr]
