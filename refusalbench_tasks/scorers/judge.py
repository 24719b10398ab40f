"""The judge: what a reply does that its form does not tell, and how good an answer is."""

import hashlib
from collections.abc import Mapping

from inspect_ai.model import Model

from refusalbench_tasks.scorers.rubric import Rubric
from refusalbench_tasks.scorers.structured import ask, how_to_submit
from refusalbench_tasks.scorers.vote import Vote
from refusalbench_tasks.solvers.template import bundled, fill
from refusalbench_tasks.taxonomy import Label


async def judge_reply(grader: Model, query: str, reply: str, rubric: Rubric) -> Vote:
    """Return one grader's vote on a reply.

    The grader sees the question, the reply and the rubric's material; never the expected label. A verdict that lacks a
    number which the rubric asks for is invalid.
    """
    answer = await ask(grader, judge_prompt(query, reply, rubric), rubric.schema)
    if answer.answer is None:
        return Vote(str(grader), None, {}, answer.raw, answer.failure)
    verdict = answer.answer
    attempt = verdict.as_label() is Label.ANSWER
    return Vote(str(grader), verdict.as_label(), verdict.numbers() if attempt else {}, verdict.explanation, None)


def judge_prompt(query: str, reply: str, rubric: Rubric) -> str:
    """Return the judge's prompt: fixed instructions first, the material last."""
    instructions = [bundled("refusalbench_tasks.scorers", "label.txt")]
    if rubric.instructions:
        instructions.append(rubric.instructions)
    instructions.append(how_to_submit(rubric.schema))
    return "\n\n".join([*instructions, material({"QUESTION": query, "REPLY": reply, **rubric.parts})])


def material(parts: Mapping[str, str]) -> str:
    """Return outside text in marked parts.

    The key of the marks is a digest of the text itself, so no text can contain its own mark.
    """
    key = hashlib.sha256("\x1f".join(parts.values()).encode()).hexdigest()[:16]
    blocks = [f"BEGIN {name} {key}\n{text}\nEND {name} {key}" for name, text in parts.items()]
    return "\n\n".join([fill(bundled("refusalbench_tasks.scorers", "material.txt"), {"key": key}), *blocks])
