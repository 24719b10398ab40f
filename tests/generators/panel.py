"""Scripted writers and verifiers for generation runs: they answer by what the prompt says."""

import re
from collections.abc import Callable
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, get_model

from refusalbench_tasks.generators.breaker import PREFLIGHT
from tests.models import Answer, output, part


def named(name: str, answer: Callable[[str], Answer]) -> Model:
    """Return a model called `mockllm/NAME` that answers the last user message by a function, and is ready for it."""

    def reply(messages: list[ChatMessage], tools: Any, tool_choice: Any, config: GenerateConfig) -> ModelOutput:
        said = {"ready": True} if messages[-1].text == PREFLIGHT else answer(messages[-1].text)
        return output(said, model=f"mockllm/{name}", tool=tools[0].name if tools else "")

    return get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False)


def field(prompt: str, name: str) -> str:
    """Return the value of a line `NAME: value` of a prompt."""
    found = re.search(rf"^{name}: (.*)$", prompt, re.MULTILINE)
    assert found, name
    return found[1]


def write_well(prompt: str) -> dict[str, Any]:
    """Return a draft that keeps to the plan's form: it changes what the target names."""
    query, passages = part(prompt, "QUESTION"), part(prompt, "PASSAGES")
    answers = part(prompt, "ANSWERS").split("\n")
    target, constraint = field(prompt, "Target"), field(prompt, "Answer constraint")
    may_change_query = target.startswith("Change the question")
    draft: dict[str, Any] = {"lever": field(prompt, "Lever"), "reasoning": "As planned."}
    draft["perturbed_query"] = f"In what follows, {query[0].lower()}{query[1:]}" if may_change_query else query
    if "PASSAGES THAT BEAR ON THE QUESTION" in prompt:
        return draft | {"edits": _edits(prompt, passages, answers, target, constraint)}
    if "only. The passage stays" in target:
        return draft | {"perturbed_context": passages}
    return draft | {"perturbed_context": changed(passages, answers, constraint)}


def changed(text: str, answers: list[str], constraint: str) -> str:
    """Return a changed passage: with the answers at LOW, without them otherwise."""
    if "must stay right" in constraint:
        return f"{text} So it was noted."
    for answer in sorted(answers, key=len, reverse=True):
        text = re.sub(re.escape(answer), "someone", text, flags=re.IGNORECASE)
    return f"{text} So it was told."


def _edits(prompt: str, passages: str, answers: list[str], target: str, constraint: str) -> list[dict[str, Any]]:
    texts = dict(re.findall(r"^\[(\d+)\] (.*?)(?=\n\n\[|\Z)", passages, re.MULTILINE | re.DOTALL))
    numbers = re.search(r"numbers: ([\d, ]+)", target)
    if not numbers or target.startswith("Change the question only"):
        return []
    chosen = numbers[1].split(", ")[:1] if "exactly one passage" in target else numbers[1].split(", ")
    return [{"passage": int(k), "text": changed(texts[k], answers, constraint)} for k in chosen]


def verdict(passed: bool = True, **changes: Any) -> dict[str, Any]:
    """Return a verifier's verdict."""
    criteria = ("lever_fidelity", "intensity", "target", "uncertainty", "quality", "answer_constraint", "behaviour")
    made: dict[str, Any] = {"own_reading": "I would refuse."} | dict.fromkeys(criteria, True)
    made |= {"issues": [] if passed else ["It is too easy."], "verdict": "PASS" if passed else "FAIL"}
    if not passed:
        made["intensity"] = False
    return made | changes
