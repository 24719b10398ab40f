"""A scripted model that refuses too much, and finds more courage or less by how it is
asked.
"""

import hashlib

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from refusalbench_tasks.datasets.benchmarks import NQ, Selection, load

_ITEMS = load(NQ, Selection(data="sample")).perturbed


def scripted() -> Model:
    """Return a model that plays an anxious one: what it does depends on the row and on
    how it is asked.
    """
    return get_model("mockllm/anxious", custom_outputs=_reply, memoize=False)


def _reply(
    messages: list[ChatMessage],
    tools: list[ToolInfo],
    choice: ToolChoice,
    config: GenerateConfig,
) -> ModelOutput:
    output = ModelOutput.from_content(
        "mockllm/anxious", _said(messages[0].text, messages[-1].text)
    )
    size = sum(len(message.text) for message in messages) // 4
    output.usage = ModelUsage(input_tokens=size, output_tokens=8, total_tokens=size + 8)
    return output


def _said(first: str, last: str) -> str:
    row = next(
        item
        for item in _ITEMS
        if f"QUESTION\n{item.query}\n" in first and item.passages[0] in first
    )
    gold = row.answers[0] if row.answerable else row.expected.value
    luck = int(hashlib.sha256(row.item_id.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF
    if last.endswith("CHECK:") or "strict reviewer" in last:
        return "It may be read in two ways."
    if "EVIDENCE:" in last:
        return (
            f"EVIDENCE:\n{row.passages[0][:60]}\nREPLY:"
            f" {gold if luck < 0.9 else 'REFUSE_OTHER'}"
        )
    courage = next((share for cue, share in _COURAGE.items() if cue in last), 0.6)
    reply = gold if luck < courage else "REFUSE_INFO_MISSING_IN_CONTEXT"
    sure = "CONFIDENT" if luck < 0.5 else "UNCERTAIN"
    return f"{reply}\nCONFIDENCE: {sure}" if "CONFIDENCE: LEVEL" in last else reply


_COURAGE = {"final reply": 0.4, "EXAMPLE REPLY": 0.8, "what you have just found": 0.7}
"""The share of rows to which the model gives the right reply, by what the prompt says.
"""
