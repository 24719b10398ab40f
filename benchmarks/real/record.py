"""Replies of real models, from logs to files that `replay` reads: `python -m
benchmarks.real.record LOGS FOLDER`.
"""

import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log

from benchmarks.real.runs import MAX_TOKENS
from benchmarks.real.weights import OpenModel, open_models
from refusalbench_tasks.replies.ab_probability import first_written, letter_of
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.safe_writing import write_rows

ASKING = "-ask"
"""The end of a run's name in which the model may ask back."""
TWINS = "-languages"
"""The end of the name of a run in several languages."""
CROSSED = "-crossed-"
"""Stands in a run's name before the language of questions on passages in another."""


def record(logs: Path, folder: Path) -> list[Path]:
    """Write a file for each finished log of a real model; return the files."""
    written = []
    for info in list_eval_logs(str(logs)):
        log = read_eval_log(info)
        model = next(
            (m for m in open_models() if m.inspect_name == log.eval.model), None
        )
        if log.status != "success" or model is None:
            continue
        path = folder / f"{model.name}-{run_name(log)}.jsonl"
        write_rows(path, [{"recorded": header(log, model)}, *replies(log)])
        written.append(path)
    return written


def run_name(log: EvalLog) -> str:
    """Return what a run is called in its file's name: its task, or the rows where those
    are synthetic.
    """
    name = (
        "worlds"
        if log.eval.task_args.get("data") == "worlds"
        else log.eval.task.split("/")[-1]
    )
    arguments = log.eval.task_args
    if arguments.get("ask"):
        name += ASKING
    if arguments.get("question_language"):
        name += CROSSED + arguments["question_language"]
    elif arguments.get("language"):
        name += TWINS
    return f"{name}-varied" if log.eval.config.epochs not in (None, 1) else name


def header(log: EvalLog, model: OpenModel) -> dict[str, Any]:
    """Return what is known of a run: the model, its settings, its prompt, when and how
    long it ran.
    """
    stats = log.stats
    started, ended = (
        datetime.fromisoformat(time) for time in (stats.started_at, stats.completed_at)
    )
    metadata = log.eval.metadata or {}
    ids = log.eval.config.sample_id
    chosen = len(ids) if isinstance(ids, list) else None
    return {
        "model": model.title,
        "quantization": model.quantization,
        "licence": model.licence,
        "weights_sha256": model.sha256,
        "server": "llama.cpp",
        "rows": run_name(log),
        "task": log.eval.task.split("/")[-1],
        "task_version": log.eval.task_version,
        "arguments": log.eval.task_args_passed,
        "limit": log.eval.config.limit or chosen,
        "epochs": log.eval.config.epochs or 1,
        "prompt_sha256": metadata.get("prompt_sha256"),
        "temperature": log.plan.config.temperature or 0.0,
        "max_tokens": log.plan.config.max_tokens or MAX_TOKENS,
        "date": started.date().isoformat(),
        "minutes": round((ended - started).total_seconds() / 60, 1),
    }


def replies(log: EvalLog) -> Iterator[dict[str, Any]]:
    """Yield the replies of a log, by id and epoch."""
    samples = sorted(
        log.samples or [], key=lambda sample: (sample.epoch, str(sample.id))
    )
    for sample in samples:
        row: dict[str, Any] = {"id": sample.id}
        if sample.epoch != 1:
            row["epoch"] = sample.epoch
        row |= {
            "reply": reply_of(sample.output),
            "stop_reason": sample.output.stop_reason,
        }
        usage = sample.output.usage
        if usage is not None:
            cached = usage.input_tokens_cache_read or 0
            row["usage"] = {
                "input_tokens": usage.input_tokens + cached,
                "output_tokens": usage.output_tokens,
            }
        letters = letter_logprobs(sample)
        yield row | ({"logprobs": letters} if letters else {})


def letter_logprobs(sample: EvalSample) -> dict[str, float]:
    """Return the log-probabilities of the letters of p(true), and of the token written
    where neither letter is listed.

    They are those of the last call with log-probabilities; empty without one.
    """
    asked = [
        event
        for event in sample.events
        if isinstance(event, ModelEvent) and event.config.logprobs
    ]
    choices = asked[-1].output.choices if asked else []
    logprobs = choices[0].logprobs if choices else None
    tokens = logprobs.content if logprobs else []
    position = first_written([token.token for token in tokens])
    if position is None:
        return {}
    first = tokens[position]
    listed = {first.token: first.logprob}
    listed |= {top.token: top.logprob for top in first.top_logprobs or []}
    letters = {token: value for token, value in listed.items() if letter_of(token)}
    return letters or {first.token: first.logprob}


if __name__ == "__main__":
    for file in record(Path(sys.argv[1]), Path(sys.argv[2])):
        print(file)
