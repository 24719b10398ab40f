"""Conversations of real models with the task `search`: from a log to a file of turns,
and from such a file to a log again.

`python -m benchmarks.real.conversations LOGS FOLDER` writes a file for each finished
log of an agent.
"""

import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai import eval
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolCall
from inspect_ai.util import store

from benchmarks.real.record import header
from benchmarks.real.weights import open_models
from refusalbench_tasks.datasets.rows import RECORDED
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.search.search_agents import search_lines
from refusalbench_tasks.search.search_tool import ROW
from refusalbench_tasks.tasks.search import search

CONVERSATIONS = Path(__file__).parents[2] / "examples" / "replies" / "search"
LINES = "search_lines"


def record(logs: Path, folder: Path) -> list[Path]:
    """Write a file of turns for each finished log of a real model; return the files."""
    models = {model.inspect_name: model for model in open_models()}
    written = []
    for info in list_eval_logs(str(logs)):
        # a long text of an event is kept apart
        log = read_eval_log(info, resolve_attachments=True)
        if log.status != "success" or log.eval.model not in models:
            continue
        model = models[log.eval.model]
        agent = (log.eval.solver or "react").rpartition("/")[2]
        about = header(log, model) | {
            "rows": agent,
            "server": "llama.cpp",
            "message_limit": log.eval.config.message_limit,
        }
        path = folder / f"{model.name}-{agent}.jsonl"
        rows = [conversation(sample) for sample in log.samples or []]
        write_rows(path, [{RECORDED: about}, *rows])
        written.append(path)
    return written


def conversation(sample: EvalSample) -> dict[str, Any]:
    """Return what a model wrote in a sample, turn by turn."""
    turns = []
    for event in sample.events:
        if not isinstance(event, ModelEvent):
            continue
        message, usage = event.output.message, event.output.usage
        turn: dict[str, Any] = {"text": message.text}
        if message.tool_calls:
            turn["calls"] = [
                {"function": call.function, "arguments": call.arguments}
                for call in message.tool_calls
            ]
        turn["stop_reason"] = event.output.stop_reason
        if usage is not None:
            cached = usage.input_tokens_cache_read or 0
            turn["tokens"] = [usage.input_tokens + cached, usage.output_tokens]
        turns.append(turn)
    return {"id": sample.id, "turns": turns}


def replayed(path: Path, logs: Path) -> EvalLog:
    """Return the log of recorded conversations that are held again: the model's turns
    are those of the file, searches and scores are made anew.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    first, *rest = map(json.loads, lines)
    about = first[RECORDED]
    recorded = {row["id"]: row for row in rest}
    [log] = eval(
        search(**about["arguments"]),
        solver=search_lines() if about["rows"] == LINES else None,
        model=_speaking(about["model"], recorded),
        sample_id=list(recorded),
        message_limit=about["message_limit"],
        log_dir=str(logs),
        display="none",
        log_realtime=False,
        score_display=False,
    )
    return log


def _speaking(name: str, recorded: dict[str, Any]) -> Model:
    def turn(
        messages: list[ChatMessage],
        tools: Any,
        tool_choice: Any,
        config: GenerateConfig,
    ) -> ModelOutput:
        turns = recorded[store().get(ROW)]["turns"]
        taken = sum(message.role == "assistant" for message in messages)
        return _output(name, turns[taken])

    return get_model(f"mockllm/{name}", custom_outputs=turn, memoize=False)


def _output(name: str, turn: dict[str, Any]) -> ModelOutput:
    calls = []
    for number, call in enumerate(turn.get("calls", ())):
        calls.append(ToolCall(id=f"call-{number}", **call))
    message = ChatMessageAssistant(content=turn["text"], tool_calls=calls or None)
    output = ModelOutput.from_message(message, stop_reason=turn["stop_reason"])
    read, written = turn.get("tokens", (0, 0))
    output.model = name
    output.usage = ModelUsage(
        input_tokens=read,
        output_tokens=written,
        total_tokens=read + written,
    )
    return output


if __name__ == "__main__":
    for file in record(Path(sys.argv[1]), Path(sys.argv[2])):
        print(file)
