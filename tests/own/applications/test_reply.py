"""What becomes of an application's reply."""

import sys
from pathlib import Path

import pytest

from refusalbench_tasks.own.applications import reply
from refusalbench_tasks.own.applications.reply import (
    usage_of,
)
from refusalbench_tasks.tasks.nq import nq
from tests.own.applications.asking import run
from tests.own.applications.running import saying


def test_an_application_is_warned_of_codes_that_it_does_not_know(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for codes in (False, True):
        reply._warn_of_codes.cache_clear()
        caplog.clear()
        run(
            saying({"answer": "No."}),
            nq(data="sample", per_stratum=1, judge="offline", codes=codes),
            limit=2,
        )
        told = [
            one
            for one in caplog.records
            if "an application knows nothing of refusal codes" in one.message.lower()
        ]
        assert len(told) == codes


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


def test_tokens_are_read_by_either_names_and_nothing_is_made_up() -> None:
    both = usage_of({"prompt_tokens": 2, "completion_tokens": 3})
    assert both
    assert both.total_tokens == 5
    assert usage_of({"tokens": 3}) is None
    assert usage_of(None) is None
