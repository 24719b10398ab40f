"""What a writer replied in runs that make data, from their logs."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log
from inspect_ai.scorer import Score

from benchmarks.real.draft_row import Row, asked_of, is_of_writer, reading_of, reply_row
from benchmarks.real.weights import open_models
from refusalbench_tasks.collect.record import COLLECT
from refusalbench_tasks.generators.perturb_record import PERTURB
from refusalbench_tasks.own.questions.question_scoring import QUESTION, NotedQuestions


def drafts(logs: Path) -> list[Row]:
    """Return what is known of the runs in a folder, and each reply of their writers.

    Of a run that was made again the last log counts.
    """
    latest: dict[str, EvalLog] = {}
    for info in list_eval_logs(str(logs), descending=False):
        log = read_eval_log(info, resolve_attachments=True)
        latest[run_name(log)] = log
    runs = list(latest.values())
    rows: list[Row] = [{"recorded": header(runs)}]
    for log in runs:
        rows += replies(log)
    return rows


def header(runs: list[EvalLog]) -> Row:
    """Return the model of some runs, when they were made, and what came of each."""
    name = runs[0].eval.model
    model = next((known for known in open_models() if known.inspect_name == name), None)
    described: Row = {"model": name}
    if model is not None:
        described = {
            "model": model.title,
            "quantization": model.quantization,
            "licence": model.licence,
            "weights_sha256": model.sha256,
            "server": "llama.cpp",
        }
    started = datetime.fromisoformat(runs[0].stats.started_at)
    described["date"] = started.date().isoformat()
    return described | {"temperature": 0.0, "runs": [facts_of(log) for log in runs]}


def run_name(log: EvalLog) -> str:
    """Return what a run is called: its task, where the run gave no name."""
    return str((log.eval.metadata or {}).get("run", log.eval.task))


def facts_of(log: EvalLog) -> Row:
    """Return a run's status, minutes, slots, accepted items and counts of reasons."""
    started = log.stats.started_at
    ended = log.stats.completed_at
    seconds = 0.0
    if started and ended:
        lasted = datetime.fromisoformat(ended) - datetime.fromisoformat(started)
        seconds = lasted.total_seconds()
    samples = log.samples or []
    reasons = Counter(reason for sample in samples for reason in reasons_of(sample))
    return {
        "run": run_name(log),
        "task_version": log.eval.task_version,
        "max_tokens": (log.eval.metadata or {}).get("longest"),
        "status": log.status,
        "minutes": round(seconds / 60, 1),
        "slots": len(samples),
        "accepted": sum(accepted_in(sample) for sample in samples),
        "reasons": dict(reasons.most_common()),
    }


def accepted_in(sample: EvalSample) -> int:
    """Return how many items of a sample were accepted."""
    score = score_of(sample)
    value = score.value if score else None
    number = value.get("accepted") if isinstance(value, dict) else None
    # NaN, of a sample in which nothing was decided, is not equal to itself
    return int(number) if isinstance(number, float) and number == number else 0


def reasons_of(sample: EvalSample) -> list[str]:
    """Return why items of a sample were not accepted, by the names of the metrics."""
    if sample.error:
        return ["error"]
    score = score_of(sample)
    if score is None:
        return ["not scored"]
    reasons = REASONS[next(iter(sample.scores or {}))]
    return list(reasons(score))


def score_of(sample: EvalSample) -> Score | None:
    """Return the score of a sample; None for one that ended in an error."""
    return next(iter((sample.scores or {}).values()), None)


def question_reasons(score: Score) -> list[str]:
    """Return why questions of a passage were not accepted, also where others were."""
    noted = NotedQuestions.model_validate(score.metadata or {}).questions
    if not noted:
        return [score.reason or "no question was given"]
    return [item.reason or "undecided" for item in noted if not item.accepted]


REASONS: Mapping[str, Callable[[Score], Iterable[str]]] = {
    PERTURB.scorer: PERTURB.why_not_accepted,
    QUESTION.scorer: question_reasons,
    COLLECT.scorer: COLLECT.why_not_accepted,
}
"""By scorer: why the items of a score were not accepted."""


def replies(log: EvalLog) -> Iterator[Row]:
    """Yield the replies of the writer in a log, in the order in which they came.

    What came of a slot stands beside each of its replies. A reply about several slots
    has the slot that asked for it.
    """
    samples = sorted(log.samples or [], key=lambda sample: str(sample.started_at))
    for sample in samples:
        calls: Counter[str] = Counter()
        for event in sample.events:
            if not isinstance(event, ModelEvent) or not is_of_writer(event):
                continue
            tool = event.tools[0]
            calls[tool.name] += 1
            row: Row = {"run": run_name(log), "slot": sample.id}
            row |= {"tool": tool.name, "call": calls[tool.name]}
            row |= asked_of(sample, tool) | reply_row(event.output)
            row |= {"reading": reading_of(row), "accepted": accepted_in(sample)}
            yield row | {"reasons": reasons_of(sample)}
