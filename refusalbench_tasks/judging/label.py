"""The judge: what a reply does that its form does not tell, and how good an answer is."""

from collections.abc import Mapping
from dataclasses import dataclass

from inspect_ai.model import Model

from refusalbench_tasks.judging.ask import ask, how_to_submit
from refusalbench_tasks.judging.graders import grading_config
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.judging.rubric import Rubric
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.taxonomy import Label


@dataclass(frozen=True)
class Vote:
    """One grader's verdict; label None, with the failure, if it gave no valid one."""

    grader: str
    label: Label | None
    numbers: Mapping[str, float]
    explanation: str
    failure: str | None


async def judge_reply(grader: Model, query: str, reply: str, rubric: Rubric) -> Vote:
    """Return one grader's vote on a reply.

    The grader sees the question, the reply and the rubric's material; never the expected label. A verdict that lacks a
    number which the rubric asks for is invalid.
    """
    prompt = judge_prompt(query, reply, rubric)
    answer = await ask(grader, prompt, rubric.schema, config=grading_config(grader))
    if answer.answer is None:
        return Vote(str(grader), None, {}, answer.raw, answer.failure)
    verdict = answer.answer
    attempt = verdict.as_label() is Label.ANSWER
    return Vote(str(grader), verdict.as_label(), verdict.numbers() if attempt else {}, verdict.explanation, None)


def judge_prompt(query: str, reply: str, rubric: Rubric) -> str:
    """Return the judge's prompt: fixed instructions first, the material last."""
    instructions = [bundled("refusalbench_tasks.judging", rubric.sorts)]
    if rubric.instructions:
        instructions.append(rubric.instructions)
    instructions.append(how_to_submit(rubric.schema))
    return "\n\n".join([*instructions, material({"QUESTION": query, "REPLY": reply, **rubric.parts})])
