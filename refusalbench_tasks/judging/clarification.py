"""The grader of a question back: whether it is about what makes the row ambiguous."""

from collections.abc import Sequence

from inspect_ai.model import Model
from inspect_ai.util import collect
from pydantic import BaseModel, Field, StrictBool

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.judging.graders import ask_grader, grading_prompt
from refusalbench_tasks.prompting import numbered


class ClarificationVerdict(BaseModel, extra="forbid"):
    """Whether a question back is about the ambiguity of its row."""

    explanation: str = Field(description="One sentence: what in the reply decides.")
    asks_about_the_ambiguity: StrictBool = Field(
        description="Whether a plain answer to it would tell which reading is meant."
    )


def clarification_prompt(item: RefusalItem, reply: str) -> str:
    """Return the prompt about a reply that asks back on an ambiguous row.

    It shows what the row says of its ambiguity, the lever and an explanation. It is
    sent after the reply was sorted, so it tells no grader the label of a row before.
    """
    known = (item.lever, item.ambiguity_explanation)
    parts = {
        "QUESTION": item.query,
        "PASSAGES": numbered(item.passages),
        "AMBIGUITY": "\n".join(filter(None, known)) or "(not known)",
        "REPLY": reply,
    }
    return grading_prompt(ClarificationVerdict, ["clarification.txt"], parts)


async def asks_about_ambiguity(
    graders: Sequence[Model],
    item: RefusalItem,
    reply: str,
) -> bool | None:
    """Return whether a reply that asks back does so about the ambiguity of its row.

    What more than half of the valid verdicts say; None if there is no such majority.
    Raises CallFailed with the provider's error.
    """
    prompt = clarification_prompt(item, reply)
    calls = [ask_grader(grader, prompt, ClarificationVerdict) for grader in graders]
    verdicts = []
    for asked in await collect(*calls):
        if asked.answer is not None:
            verdicts.append(asked.answer.asks_about_the_ambiguity)
    return majority(verdicts)


def majority(verdicts: Sequence[bool | None]) -> bool | None:
    """Return what more than half of the verdicts that are known say; None for a tie, or
    where none is known.
    """
    known = [verdict for verdict in verdicts if verdict is not None]
    agreeing = sum(known)
    if 2 * agreeing == len(known):
        return None
    return 2 * agreeing > len(known)
