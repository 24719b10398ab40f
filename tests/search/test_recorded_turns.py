"""What a small open model did in conversations by `search_lines` and by `react`, turn
by turn, and what is made of each.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval

from refusalbench_tasks.search.search_agents import search_lines
from refusalbench_tasks.tasks.search import search
from tests.search.searching import acting, in_turn, says

RECORDED: dict[str, Any] = json.loads(
    Path(__file__).with_name("recorded_turns.json").read_text(encoding="utf-8")
)
CONVERSATIONS: list[dict[str, Any]] = RECORDED["conversations"]


@pytest.mark.parametrize(
    "conversation", CONVERSATIONS, ids=lambda conversation: conversation["explanation"]
)
def test_a_recorded_conversation_comes_to_what_it_came_to(
    conversation: dict[str, Any], tmp_path: Path
) -> None:
    turns = [says(text) for text in conversation["turns"]]
    by_tool = conversation.get("agent") == "react"
    (log,) = eval(
        search(data="sample", judge="offline"),
        model=acting(in_turn(*turns)),
        solver=None if by_tool else search_lines(),
        message_limit=2 + 2 * len(turns) if by_tool else None,
        sample_id=conversation["id"],
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.samples
    (sample,) = log.samples
    assert sample.scores
    score = sample.scores["search_scores"]
    assert str(score.explanation).partition(";")[0] == conversation["explanation"]
    value: Any = score.value
    for name, number in conversation["values"].items():
        assert value[name] == number
    taken = [turn.text for turn in sample.messages if turn.role == "assistant"]
    assert taken == conversation["turns"]


def test_the_recorded_conversations_are_of_five_kinds() -> None:
    kinds = {conversation["explanation"] for conversation in CONVERSATIONS}
    assert len(kinds) == 5
