"""A reward for reinforcement learning: what a reply to a row earns, decided without a
model.
"""

from typing import Annotated

from pydantic import BaseModel, Field

from refusalbench_tasks.taxonomy import Label

from .reply import Row, due_label, reply_verdict

Pay = Annotated[float, Field(ge=-1, le=1)]


class Payoffs(BaseModel):
    """What each kind of reply earns, from -1 to 1 (our definition).

    By default no policy that replies to every row alike earns more than 0: looking is
    what pays.
    """

    right_answer: Pay = 1.0
    wrong_answer: Pay = -1.0
    """Of an answerable row, as of any: a wrong answer, or a reply that is neither one
    answer nor one refusal.
    """
    refused_answerable: Pay = -1.0
    right_code: Pay = 1.0
    """A question back earns it where the row is ambiguous: it says that the question is
    unclear, and what it asks about can't be told without a grader.
    """
    other_refusal: Pay = 0.5
    """Of an unanswerable row: with another code or none."""
    answered_unanswerable: Pay = -1.0
    undecided: Pay = 0.0
    """What can't be told without a grader; count it with `shares`."""


DEFAULT_PAYOFFS = Payoffs()


def reward(
    row: Row,
    reply: str,
    payoffs: Payoffs = DEFAULT_PAYOFFS,
) -> float:
    """Return what a reply to a row, or to a sample of a log, earns: -1 to 1.

    The row needs its question, `expected_rag_behavior`, `answer_type` and
    `original_answers`; a sample's metadata has them under its own names. Pure.
    """
    verdict = reply_verdict(row, reply)
    is_answerable = due_label(row) is Label.ANSWER
    match verdict:
        case "undecided":
            return payoffs.undecided
        case "right answer":
            return payoffs.right_answer
        case "right code" | "right clarification":
            return payoffs.right_code
        case "wrong answer" | "wrong":
            if is_answerable:
                return payoffs.wrong_answer
            return payoffs.answered_unanswerable
    return payoffs.refused_answerable if is_answerable else payoffs.other_refusal
