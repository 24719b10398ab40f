"""Recorded conversations of the search agents, held again."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.solver import Solver

from benchmarks.real.conversations import LINES, conversation, replayed
from refusalbench_tasks.datasets.rows import RECORDED
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.search.search_agents import search_lines
from tests.search.searching import acting, calls, in_turn, says, searched

LONG = (
    "The crossing of the Kelmar ferry takes half an hour, and more where it must. " * 3
)
BY_LINE = in_turn(says("SEARCH: Kelmar ferry"), says("Hm."), says(f"ANSWER: {LONG}"))
BY_TOOL = in_turn(
    calls("search", query="Kelmar ferry"),
    says('{"name": "submit"}'),
    calls("submit", answer="REFUSE_INFO_MISSING_IN_CONTEXT"),
)


def told(log: EvalLog) -> list[tuple[Any, ...]]:
    lines = []
    for sample in log.samples or []:
        assert sample.scores
        score = sample.scores["search_scores"]
        usage = sample.output.usage
        lines.append((sample.id, score.value, score.explanation, usage))
    return lines


@pytest.mark.parametrize(
    ("agent", "act", "solver"),
    [(LINES, BY_LINE, search_lines()), ("react", BY_TOOL, None)],
)
def test_a_conversation_held_again_comes_to_the_same_scores(
    agent: str, act: Any, solver: Solver | None, tmp_path: Path
) -> None:
    made = searched(tmp_path / "made", acting(act), solver=solver, limit=3)
    log = read_eval_log(made.location, resolve_attachments=True)
    about = {
        "model": "agent",
        "rows": agent,
        "arguments": {"data": "sample", "judge": "offline"},
        "message_limit": None,
    }
    path = tmp_path / "conversations.jsonl"
    rows = [conversation(sample) for sample in log.samples or []]
    write_rows(path, [{RECORDED: about}, *rows])
    again = replayed(path, tmp_path / "again")
    assert again.status == "success"
    assert str(told(again)) == str(told(log))
