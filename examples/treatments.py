"""All treatments on one model and the same rows, with paired differences: `python -m examples.treatments LOGS [MODEL]`.

Without a model a scripted one replies: it refuses too much, mends itself when it must quote its evidence, and loses
right answers when it is made to doubt them. With one, `python -m examples.treatments logs openai/gpt-4o` runs the 72
bundled rows nine times; give `ROWS` another value for other data.
"""

import hashlib
import sys
from pathlib import Path

from inspect_ai import eval
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import Solver
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from refusalbench_tasks import nq
from refusalbench_tasks.datasets.benchmarks import NQ
from refusalbench_tasks.datasets.loading import load
from refusalbench_tasks.datasets.selection import Selection
from refusalbench_tasks.solvers.refusal_prompt import refusal_prompt
from refusalbench_tasks.solvers.treatments.by_confidence import self_consistency, threshold
from refusalbench_tasks.solvers.treatments.few_shot import few_shot
from refusalbench_tasks.solvers.treatments.prompt_forms import codes_last, evidence_first, no_codes
from refusalbench_tasks.solvers.treatments.second_looks import check_then_answer, self_check

ROWS = "sample"
ARMS: tuple[Solver, ...] = (
    refusal_prompt(), evidence_first(), check_then_answer(), self_check(), self_consistency(samples=3), threshold(0.7),
    few_shot(), codes_last(), no_codes(),
)  # fmt: skip
_ITEMS = load(NQ, Selection(data="sample")).perturbed


def run(logs: Path, model: str | Model, grader: str | Model | None = None) -> None:
    """Write a log for the plain prompt and for each treatment."""
    roles = {"grader": grader} if grader else None
    for arm in ARMS:
        eval(nq(data=ROWS), model=model, model_roles=roles, solver=arm, log_dir=str(logs), display="none")


def scripted() -> Model:
    """Return a model that plays an anxious one: what it does depends on the row and on how it is asked."""
    return get_model("mockllm/anxious", custom_outputs=_reply, memoize=False)


def _reply(
    messages: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
) -> ModelOutput:
    text = _said("\n".join(message.text for message in messages), messages[-1].text) if not tools else ""
    output = ModelOutput.from_content("mockllm/anxious", text)
    if tools:
        graded = {"grade": 5} if "BEGIN REFERENCES" in messages[-1].text else {}
        verdict = {"explanation": "says something of its own", "label": "ANSWER_ATTEMPT"} | graded
        output.message.tool_calls = [ToolCall(id="1", function=tools[0].name, arguments=verdict)]
    size = sum(len(message.text) for message in messages) // 4
    output.usage = ModelUsage(input_tokens=size, output_tokens=8, total_tokens=size + 8)
    return output


def _said(conversation: str, last: str) -> str:
    row = next(
        item for item in _ITEMS if f"QUESTION\n{item.query}\n" in conversation and item.passages[0] in conversation
    )
    gold = row.answers[0] if row.answerable else row.expected.value
    luck = int(hashlib.sha256(row.item_id.encode()).hexdigest()[:8], 16) / 0xFFFFFFFF
    if "EVIDENCE:" in last:
        return f"EVIDENCE:\n{row.passages[0][:60]}\nREPLY: {gold if luck < 0.9 else 'REFUSE_OTHER'}"
    if "final reply" in last:
        return gold if luck < 0.4 else "REFUSE_INFO_MISSING_IN_CONTEXT"
    if last.endswith("CHECK:") or "strict reviewer" in last:
        return "It may be read in two ways."
    anxious = gold if luck < 0.6 else "REFUSE_INFO_MISSING_IN_CONTEXT"
    return (
        f"{anxious}\nCONFIDENCE: {'CONFIDENT' if luck < 0.5 else 'UNCERTAIN'}"
        if "CONFIDENCE: LEVEL" in last
        else anxious
    )


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    if len(sys.argv) > 2:
        run(folder, sys.argv[2])
    else:
        run(folder, scripted(), scripted())
    print(f"Compare them: refusalbench compare {folder}")
