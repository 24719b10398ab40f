"""What a writer replied in runs that make data, from their logs: how each reply is read, and what came of it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log
from inspect_ai.model import ChatMessageAssistant, ModelOutput
from inspect_ai.scorer import Score
from inspect_ai.tool import ToolCall, ToolInfo
from pydantic import BaseModel

from benchmarks.real.weights import open_models
from refusalbench_tasks.collect import collect_task, queries
from refusalbench_tasks.collect import question as collected
from refusalbench_tasks.collect.queries import QueryList
from refusalbench_tasks.collect.question import SourcedQuestion
from refusalbench_tasks.generators import perturb_run, writing
from refusalbench_tasks.generators.draft import drafts_schema
from refusalbench_tasks.generators.kit.calls import WRITER_FAILURES
from refusalbench_tasks.judging.ask import Form, Invalid, read_payload
from refusalbench_tasks.own.questions import draft
from refusalbench_tasks.own.questions.draft import Drafts
from refusalbench_tasks.own.questions.judging import NotedQuestions
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

READ = "read"
"""The reading of a reply that fits its schema."""
FORMS: tuple[Form, ...] = (writing.FORM, draft.FORM, queries.FORM, collected.FORM)
Row = dict[str, Any]


def drafts(logs: Path) -> list[Row]:
    """Return what is known of the runs in a folder, and then each reply of their writers.

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
            "server": "llama.cpp (xllamacpp)",
        }
    started = datetime.fromisoformat(runs[0].stats.started_at)
    described["date"] = started.date().isoformat()
    return described | {"temperature": 0.0, "runs": [facts_of(log) for log in runs]}


def run_name(log: EvalLog) -> str:
    """Return what a run is called: its task, where the run gave no name."""
    return str((log.eval.metadata or {}).get("run", log.eval.task))


def facts_of(log: EvalLog) -> Row:
    """Return a run's status, minutes, slots, accepted items and counts of reasons."""
    started, ended = log.stats.started_at, log.stats.completed_at
    seconds = 0.0
    if started and ended:
        seconds = (datetime.fromisoformat(ended) - datetime.fromisoformat(started)).total_seconds()
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
    """Return why the items of a sample were not accepted, by the names of the metrics."""
    if sample.error:
        return ["error"]
    score = score_of(sample)
    if score is None:
        return ["not scored"]
    return REASONS[next(iter(sample.scores or {}))](score)


def score_of(sample: EvalSample) -> Score | None:
    """Return the score of a sample; None for one that ended in an error."""
    return next(iter((sample.scores or {}).values()), None)


def question_reasons(score: Score) -> list[str]:
    """Return why questions of a passage were not accepted, also where others were."""
    noted = NotedQuestions.model_validate(score.metadata or {}).questions
    if not noted:
        return [score.reason or "no question was given"]
    return [item.reason or "undecided" for item in noted if not item.accepted]


REASONS: Mapping[str, Callable[[Score], list[str]]] = {
    perturb_run.SCORER: perturb_run.why_not_accepted,
    "question_scores": question_reasons,
    collect_task.SCORER: collect_task.why_not_accepted,
}
"""By scorer: why the items of a score were not accepted."""


def replies(log: EvalLog) -> Iterator[Row]:
    """Yield the replies of the writer in a log, in the order in which they came.

    What came of a slot stands beside each of its replies. A reply about several slots has
    the slot that asked for it.
    """
    tools = {form.tool for form in FORMS}
    samples = sorted(log.samples or [], key=lambda sample: str(sample.started_at))
    for sample in samples:
        calls: Counter[str] = Counter()
        for event in sample.events:
            if isinstance(event, ModelEvent) and event.tools and event.tools[0].name in tools:
                tool = event.tools[0]
                calls[tool.name] += 1
                row = {"run": run_name(log), "slot": sample.id}
                row |= {"tool": tool.name, "call": calls[tool.name]}
                row |= asked_of(sample, tool) | reply_row(event.output)
                outcome = {"reading": reading_of(row), "accepted": accepted_in(sample)}
                yield row | outcome | {"reasons": reasons_of(sample)}


def asked_of(sample: EvalSample, tool: ToolInfo) -> Row:
    """Return the class and the intensities that a writer of `perturb` was asked for."""
    if tool.name != writing.FORM.tool:
        return {}
    items = tool.parameters.properties["items"].items
    several = (items.properties or {})["intensity"].enum if items else None
    # a schema lists no choice where there is only one
    levels = several or [sample.metadata["intensity"]]
    return {"class": sample.metadata["perturbation"], "intensities": levels}


def reply_row(output: ModelOutput) -> Row:
    """Return a reply as it came: its text, the calls of tools, why it ended."""
    row: Row = {"reply": output.completion, "stop_reason": output.stop_reason}
    calls = output.message.tool_calls if output.choices else None
    if calls:
        row["calls"] = [_plain(call) for call in calls]
    return row


def _plain(call: ToolCall) -> Row:
    """Return a call of a tool as a row has it."""
    row: Row = {"function": call.function, "arguments": call.arguments}
    return row | ({"parse_error": call.parse_error} if call.parse_error else {})


def output_of(row: Row) -> ModelOutput:
    """Return the output that a row keeps."""
    output = ModelOutput.from_content("recorded", row["reply"], row["stop_reason"])
    if row.get("calls"):
        calls = [ToolCall(id=str(k), **call) for k, call in enumerate(row["calls"])]
        message = ChatMessageAssistant(content=row["reply"], tool_calls=calls)
        output = ModelOutput.from_message(message, row["stop_reason"])
    return output


def reading_of(row: Row) -> str:
    """Return how a writer's reply is read: `read`, or the failure that its task names."""
    form = next(form for form in FORMS if form.tool == row["tool"])
    answer = read_payload(output_of(row), schema_of(row), form)
    return WRITER_FAILURES[answer.failure] if isinstance(answer, Invalid) else READ


def schema_of(row: Row) -> type[BaseModel]:
    """Return the schema that a writer was asked to keep."""
    if row["tool"] == writing.FORM.tool:
        levels = tuple(Intensity(level) for level in row["intensities"])
        # the bundled bases of `nq` have one passage each
        return drafts_schema(PerturbationClass(row["class"]), levels, False, "edits")
    others: dict[str, type[BaseModel]] = {
        draft.FORM.tool: Drafts,
        queries.FORM.tool: QueryList,
        collected.FORM.tool: SourcedQuestion,
    }
    return others[row["tool"]]
