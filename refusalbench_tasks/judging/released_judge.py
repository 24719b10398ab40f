"""The authors' own judge prompts, asked as they ask them, with a verdict that is read strictly.

In garage the released prompt for unanswerable rows shows the judge the gold code. A verdict that does not have each of
its lines once, with a value of the released format, is a failure of the grader: the released script takes it for an
answer.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from inspect_ai.model import Model

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.judging.ask import CallFailed, stopped_grader
from refusalbench_tasks.judging.graders import check_options, grading_config
from refusalbench_tasks.judging.label import Vote
from refusalbench_tasks.prompting import fill, numbered
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.solvers.released_prompts import OFFICIAL, released_constant, released_prompt
from refusalbench_tasks.taxonomy import REFUSALS, Label

_LABELS = {"answer_attempt": Label.ANSWER} | {code.value: code for code in REFUSALS}
_GRADES = {str(grade): float(grade) for grade in range(1, 6)}
_FLAGS = {"0": 0.0, "1": 1.0}
_GROUNDED = {
    "eligible": "ELIGIBILITY",
    "factual_all": "FACTUALITY_ALL",
    "factual_relevant": "FACTUALITY_RELEVANT",
}


async def released_vote(
    grader: Model,
    item: RefusalItem,
    reply: str,
    grounded: bool,
    name: str = OFFICIAL,
    check: bool = False,
) -> Vote:
    """Return one grader's vote on a reply, asked by the released prompt. `check`: the reply is a known one.

    Raises CallFailed with the provider's error, and DataError for a file without the prompt.
    """
    prompt = released_judge_prompt(item, reply, grounded, name)
    failed = partial(Vote, str(grader), None, {})
    config = grading_config(grader)
    options: dict[str, Any] = {"config": config} if config else {}
    try:
        output = await grader.generate(prompt, **(check_options(grader) if check else options))
    except Exception as error:
        raise CallFailed(error) from error
    text = reply_of(output)
    if stopped := stopped_grader(output):
        return failed(text, stopped)
    wanted = {} if not item.answerable else _GROUNDED if grounded else {"grade": "QUALITY_SCORE"}
    try:
        label, numbers, explanation = read_verdict(text, wanted)
    except ValueError:
        return failed(text, "grader_schema_mismatch")
    return Vote(str(grader), label, numbers, explanation, None)


def released_judge_prompt(item: RefusalItem, reply: str, grounded: bool, name: str = OFFICIAL) -> str:
    """Return the message that the released script sends to its judge."""
    values = {"query": item.query, "reply": reply, "passages": numbered(item.passages), "expected": item.expected.value}
    if not grounded:
        use = "nq judge"
        known = item.answers if item.answerable else ()
        values["references"] = "\n".join(known) or released_constant(use, "formatted_correct", name)
    else:
        use = f"garage judge, {'answerable' if item.answerable else 'unanswerable'}"
        relevant = [item.passages[at] for at in item.signal]
        values["references"] = item.references[0] if item.references else ""
        if item.answerable:
            values["relevant"] = numbered(relevant) if relevant else released_constant(use, "relevant_context", name)
    return fill(released_prompt(use, name).template, values)


def read_verdict(text: str, wanted: Mapping[str, str]) -> tuple[Label, dict[str, float], str]:
    """Return the label, the numbers of an attempt and the explanation of a verdict in the released format.

    `wanted` are the lines of numbers, by our name. Raises ValueError unless each line is there once, with a known label
    and, for an attempt, with a number from 1 to 5, or 0 or 1.
    """
    lines = [line.strip() for line in text.splitlines()]

    def value(key: str) -> str:
        [found] = [line[len(key) + 1 :].strip() for line in lines if line.startswith(f"{key}:")]
        return found

    label = _LABELS.get(value("CLASSIFICATION"))
    if label is None:
        raise ValueError("CLASSIFICATION: an unknown label")
    numbers = {}
    for name, key in wanted.items() if label is Label.ANSWER else ():
        known = _GRADES if name == "grade" else _FLAGS
        if value(key) not in known:
            raise ValueError(f"{key}: expected one of {', '.join(known)}")
        numbers[name] = known[value(key)]
    return label, numbers, value("EXPLANATION")
