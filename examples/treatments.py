"""All treatments on one model and the same rows, with paired differences: `python -m examples.treatments LOGS [MODEL]`.

Without a model a scripted one replies, and nobody grades: it refuses too much, finds more courage when it quotes its
evidence, sees examples or checks the question first, and loses right answers when it is made to doubt them. With one,
`python -m examples.treatments logs openai/gpt-4o` runs the 72 bundled rows nine times; give `ROWS` another value for
other data.
"""

import hashlib
import sys
from pathlib import Path

from inspect_ai import eval
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import Solver
from inspect_ai.tool import ToolChoice, ToolInfo

from refusalbench_tasks import nq
from refusalbench_tasks.datasets.benchmarks import NQ, Selection, load
from refusalbench_tasks.outcome import JudgeMode
from refusalbench_tasks.solvers.refusal_prompt import refusal_prompt
from refusalbench_tasks.solvers.treatments.by_confidence import self_consistency, threshold
from refusalbench_tasks.solvers.treatments.by_prompt import (
    check_then_answer,
    codes_last,
    evidence_first,
    no_codes,
    self_check,
)
from refusalbench_tasks.solvers.treatments.few_shot import few_shot

ROWS = "sample"
ARMS: tuple[Solver, ...] = (
    refusal_prompt(), evidence_first(), check_then_answer(), self_check(), self_consistency(samples=3), threshold(0.7),
    few_shot(), codes_last(), no_codes(),
)  # fmt: skip
_ITEMS = load(NQ, Selection(data="sample")).perturbed


def run(logs: Path, model: str | Model, judge: JudgeMode = "cascade") -> None:
    """Write a log for the plain prompt and for each treatment."""
    for arm in ARMS:
        task = nq(data=ROWS, judge=judge)
        eval(task, model=model, solver=arm, log_dir=str(logs), display="none", log_realtime=False)


def scripted() -> Model:
    """Return a model that plays an anxious one: what it does depends on the row and on how it is asked."""
    return get_model("mockllm/anxious", custom_outputs=_reply, memoize=False)


def _reply(
    messages: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
) -> ModelOutput:
    output = ModelOutput.from_content("mockllm/anxious", _said(messages[0].text, messages[-1].text))
    size = sum(len(message.text) for message in messages) // 4
    output.usage = ModelUsage(input_tokens=size, output_tokens=8, total_tokens=size + 8)
    return output


def _said(first: str, last: str) -> str:
    row = next(item for item in _ITEMS if f"QUESTION\n{item.query}\n" in first and item.passages[0] in first)
    gold = row.answers[0] if row.answerable else row.expected.value
    luck = int(hashlib.sha256(row.item_id.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF
    if last.endswith("CHECK:") or "strict reviewer" in last:
        return "It may be read in two ways."
    if "EVIDENCE:" in last:
        return f"EVIDENCE:\n{row.passages[0][:60]}\nREPLY: {gold if luck < 0.9 else 'REFUSE_OTHER'}"
    courage = next((share for cue, share in _COURAGE.items() if cue in last), 0.6)
    reply = gold if luck < courage else "REFUSE_INFO_MISSING_IN_CONTEXT"
    sure = "CONFIDENT" if luck < 0.5 else "UNCERTAIN"
    return f"{reply}\nCONFIDENCE: {sure}" if "CONFIDENCE: LEVEL" in last else reply


_COURAGE = {"final reply": 0.4, "EXAMPLE REPLY": 0.8, "what you have just found": 0.7}
"""The share of rows to which the model gives the right reply, by what the prompt says."""


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    if len(sys.argv) > 2:
        run(folder, sys.argv[2])
    else:
        run(folder, scripted(), "offline")
    print(f"Compare them: refusalbench compare {folder}")
