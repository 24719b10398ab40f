"""Fake models for tests: mockllm outputs with usage, so that no
tokenizer is fetched.
"""

import json
from collections.abc import Callable
from typing import Any

from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    StopReason,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall

from refusalbench_tasks.judging.grader_check import known_replies
from refusalbench_tasks.solvers.baselines import oracle

Answer = str | dict[str, Any] | ModelOutput


def output(
    answer: Answer,
    stop: StopReason = "stop",
    model: str = "mockllm/fake",
    tool: str = "submit_verdict",
) -> ModelOutput:
    """Return an output: text, or a dict as the arguments of the tool."""
    if isinstance(answer, ModelOutput):
        made = answer
    elif isinstance(answer, str):
        made = ModelOutput.from_content(model, answer, stop_reason=stop)
    else:
        call = ToolCall(id="1", function=tool, arguments=answer)
        made = ModelOutput.from_message(
            ChatMessageAssistant(content="", tool_calls=[call]),
            stop_reason="tool_calls",
        )
    made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return made


def fake(answer: Callable[[str], Answer], checked: bool = True) -> Model:
    """Return a model that answers the text of the last user message by a function.

    `checked`: as a grader it sorts the replies of the check rightly, and the function
    never hears of them.
    """

    def reply(
        messages: list[ChatMessage],
        tools: Any,
        tool_choice: Any,
        config: GenerateConfig,
    ) -> ModelOutput:
        prompt = messages[-1].text
        known = right_verdict(prompt) if checked else None
        return output(answer(prompt) if known is None else known)

    return get_model("mockllm/fake", custom_outputs=reply, memoize=False)


def right_verdict(prompt: str) -> dict[str, Any] | str | None:
    """Return the right verdict on a known reply of the grader's check; None for a
    prompt that is about none.
    """
    about = [
        known
        for known in known_replies()
        if known.item.query in prompt and known.reply in prompt
    ]
    if not about:
        return None
    refuses = about[0].refuses
    code = about[0].item.expected.value
    announced = "as one JSON object with the keys "
    if announced not in prompt:  # the authors' prompt
        flags = "ELIGIBILITY: 1\nFACTUALITY_ALL: 1\nFACTUALITY_RELEVANT: 1"
        label = code if refuses else "answer_attempt"
        return f"CLASSIFICATION: {label}\nQUALITY_SCORE: 5\n{flags}\nEXPLANATION: known"
    refusal = code if code in prompt else "REFUSAL"
    verdict = {
        "explanation": "known",
        "label": refusal if refuses else "ANSWER_ATTEMPT",
        "behaviour": "REFUSAL" if refuses else "ANSWER",
        "correctness": 0.0 if refuses else 1.0,
    }
    keys = prompt.partition(announced)[2].partition(" and nothing else")[0].split(", ")
    if (
        "explanation" not in keys
    ):  # a reader of the question, and no grader of the reply
        return None
    return {key: verdict[key] for key in keys if key in verdict}


def scripted(*answers: Answer) -> Model:
    """Return a model that gives the answers in turn."""
    left = list(answers)
    return fake(lambda _: left.pop(0))


def part(prompt: str, name: str) -> str:
    """Return one marked part of a prompt, found by the keys that the
    prompt announces.
    """
    announced = "carry the key "
    for told in prompt.split(announced)[1:]:
        key = told[:16]
        begin = f"BEGIN {name} {key}\n"
        end = f"\nEND {name} {key}"
        if begin in prompt:
            start = prompt.index(begin) + len(begin)
            return prompt[start : prompt.index(end, start - 1)]
    raise ValueError(f"no part {name}")


def metrics_of(log: EvalLog, scorer: str) -> dict[str, float]:
    """Return the metrics of one scorer of a log that ended well."""
    assert log.status == "success", log.error
    assert log.results
    found = [score for score in log.results.scores if score.name == scorer]
    return {
        name: metric.value for score in found for name, metric in score.metrics.items()
    }


def as_json(**fields: Any) -> str:
    """Return a JSON object as text."""
    return json.dumps(fields)


@solver
def confident_oracle() -> Solver:
    """Say behind the right reply that it is CONFIDENT."""
    gold = oracle()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state = await gold(state, generate)
        state.output.completion += "\nCONFIDENCE: CONFIDENT"
        return state

    return solve
