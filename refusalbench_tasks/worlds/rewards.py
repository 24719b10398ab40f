"""A reward for reinforcement learning: whether a reply does what is right for a row."""

from collections.abc import Mapping
from typing import Any

from refusalbench_tasks.replies.code import parse_visible, visible_text
from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.short_replies.typed_answer import Typed, visible_verdict


def reward(reply: str, row: Mapping[str, Any], wrong_code: float = 0.0) -> float | None:
    """Return 1 for the right behaviour, 0 for another, None if it cannot be told without a judge.

    Right is the answer on an answerable row and the code of the row on another. A refusal of an unanswerable row with
    another code earns `wrong_code`. `row` is one of `worlds.rows`, in either layout. None (free text that refuses, a
    doubt, several values, nothing) is no reward: leave such a reply out, or give it to a judge. Pure: no model, no
    network, no state. Our definition.
    """
    due = Label(row["expected_rag_behavior"])
    text = visible_text(reply)
    said = parse_visible(text)
    if said.label is not None and said.label is not Label.ANSWER:
        if said.label is due:
            return 1.0
        return 0.0 if due is Label.ANSWER else wrong_code
    if said.form != "free text":
        return None
    right = visible_verdict(text, typed(row))
    if right is None:
        return None
    return float(right and due is Label.ANSWER)


def typed(row: Mapping[str, Any]) -> Typed:
    """Return what a reply to a row is compared with."""
    question = row.get("perturbed_query") or row["query"]
    passages = row.get("grounding") or [{"text": row["perturbed_context"]}]
    return Typed(row["answer_type"], tuple(row["original_answers"]), question, tuple(one["text"] for one in passages))
