"""Logs as tidy rows: one a sample and epoch, in typed columns."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from inspect_ai.log import EvalLog

from refusalbench_tasks.files.log_members import read_header
from refusalbench_tasks.results.logs.run import scorer_of
from refusalbench_tasks.results.logs.score_names import scores_of
from refusalbench_tasks.results.logs.show import REFUSAL
from refusalbench_tasks.results.logs.stored import read_summaries
from refusalbench_tasks.results.logs.system_name import system_of
from refusalbench_tasks.results.logs.task_facts import task_facts

Type = Literal["string", "int", "float", "bool"]
TidyRow = dict[str, Any]


@dataclass(frozen=True)
class Column:
    """A column: its name, type, unit, meaning, and when it has no value."""

    name: str
    type: Type
    meaning: str
    null: str = "never"
    unit: str = ""


_NOT = "no score of ours"
_RUN = (
    Column("log", "string", "file name of the log"),
    Column("task", "string", "`nq`, `garage` or `bluff`"),
    Column("model", "string", "the evaluated model; a solver of ours where it replied in place of one"),
    Column("created", "string", "when the run began", unit="ISO 8601"),
    Column("data_fingerprint", "string", "fingerprint of the rows that the run was given", "the log tells none"),
    Column("scorer", "string", "the newest of our scores in the log"),
)
_SAMPLE = (
    Column("id", "string", "id of the sample"),
    Column("epoch", "int", "which reply to the sample, from 1"),
    Column("error", "string", "how the sample failed", "it did not fail"),
    Column("base", "string", "base question, which rows share that are not independent", "unknown"),
    Column("expected", "string", "gold label", "`bluff`, unknown"),
    Column("perturbation", "string", "class of perturbation", "`bluff`, unknown"),
    Column("intensity", "string", "LOW, MEDIUM or HIGH; CLEAN for an original", "`bluff`, unknown"),
    Column("lever", "string", "lever that the row was made with", "`bluff`, unknown"),
    Column("generator", "string", "model that wrote the row", "`bluff`, unknown"),
    Column("domain", "string", "domain of the question", "unknown"),
    Column("control", "bool", "whether it is an unperturbed original beside the rows of the run", "`bluff`, unknown"),
    Column("arm", "string", "kind of sources", "`nq`, `garage`"),
    Column("topic", "string", "topic of the question", "`nq`, `garage`, unknown"),
    Column("ambiguity", "string", "kind of ambiguous sources", "`nq`, `garage`, unknown"),
)
_SCORE = (
    Column("predicted", "string", "label of the reply; in `bluff` refused, hedged or plain", f"unscored, {_NOT}"),
    Column("reason", "string", "why it is unscored", "it is scored"),
    Column("decided_by", "string", "what decided: a form, a list, or a grader", f"unscored, {_NOT}"),
    Column("graders", "string", "models that graded, joined by ` + `", "none did"),
    Column("self_graded", "bool", "whether the evaluated model graded itself", _NOT),
    Column("protocol", "string", "`paper` or `official-code`", _NOT),
    Column("level", "string", "confidence that the reply states, in words", "none asked for or stated"),
)
NUMBERS: Mapping[str, tuple[str, str]] = {
    "unscored": ("1 if nobody could decide what the reply is", "0 or 1"),
    "refused": ("1 for a refusal", "0 or 1"),
    "hit": ("1 for the gold code on an unanswerable row", "0 or 1"),
    "right": ("1 for a right reply: a correct attempt, or the gold code", "0 or 1"),
    "grade": ("quality of an attempt, by a grader", "1 to 5"),
    "confidence": ("confidence that the reply states, or that was measured", "0 to 1"),
    "eligible": ("1 if the answer meets what was asked (garage)", "0 or 1"),
    "factual_all": ("1 if all passages together support every claim (garage)", "0 or 1"),
    "factual_relevant": ("1 if the relevant passages support every claim (garage)", "0 or 1"),
    "citations": ("citations in an answer (garage)", "count"),
    "citations_existing": ("citations of passages that there are (garage)", "count"),
    "citations_signal": ("citations of relevant passages (garage)", "count"),
    "correctness": ("correctness of an answer, by a grader (bluff)", "0 to 1"),
    "hedges": ("hedge terms (bluff)", "count"),
    "hedge_strength": ("sum of the strengths of the hedge terms (bluff)", "strength"),
    "boosters": ("booster terms (bluff)", "count"),
    "words": ("words of the reply (bluff)", "count"),
    "overlap": ("overlap of answer and all sources (bluff)", "0 to 1"),
    "attribution": ("share of claims that a source supports (bluff)", "0 to 1"),
    "hallucination": ("share of claims that none supports (bluff)", "0 to 1"),
    "grounding": ("mean overlap with each source (bluff)", "0 to 1"),
    "faithfulness": ("weighted mean of the four (bluff)", "0 to 1"),
}
"""The numbers of our scores by name: meaning and unit."""
_UNKNOWN = "unknown, not of this task, or not measured"
COLUMNS = (
    *_RUN,
    *_SAMPLE,
    *_SCORE,
    *(Column(name, "float", meaning, _UNKNOWN, unit) for name, (meaning, unit) in NUMBERS.items()),
)


def tidy_rows(name: str, header: EvalLog | None = None) -> Iterator[TidyRow]:
    """Yield the rows of a log, each with a value or None for each of `COLUMNS`; nothing if it has none of our scores.

    A sample that failed has a row as well. Raises what a damaged log raises.
    """
    header = header or read_header(name)
    scorer = scorer_of(header)
    if scorer is None:
        return
    spec = header.eval
    of_run = {
        "log": name.rstrip("/").rpartition("/")[2],
        "task": spec.task.rpartition("/")[2],
        "model": system_of(spec).name,
        "created": spec.created,
        "data_fingerprint": task_facts(header).selected_fingerprint or None,
        "scorer": scorer,
    }
    refusal = bool(scores_of([scorer], REFUSAL.scorers))
    for summary in read_summaries(name):
        yield of_run | _of_sample(summary, refusal) | _of_score((summary.get("scores") or {}).get(scorer))


def _of_sample(summary: Mapping[str, Any], refusal: bool) -> TidyRow:
    facts = summary.get("metadata") or {}
    names = (
        ("expected", "perturbation", "intensity", "lever", "generator") if refusal else ("arm", "topic", "ambiguity")
    )
    told = {column.name: None for column in _SAMPLE} | {name: _text(facts.get(name)) for name in (*names, "domain")}
    base = facts.get("source_id") if refusal else facts.get("base") or facts.get("source_id")
    control = facts.get("control", facts.get("intensity") == "CLEAN") if refusal else None
    return told | {
        "id": str(summary["id"]),
        "epoch": int(summary["epoch"]),
        "error": _text(summary.get("error")),
        "base": _text(base),
        "control": None if control is None else bool(control),
    }


def _of_score(score: Mapping[str, Any] | None) -> TidyRow:
    if score is None or not isinstance(score.get("value"), Mapping):
        return dict.fromkeys((column.name for column in _SCORE), None) | dict.fromkeys(NUMBERS, None)
    notes, numbers = score.get("metadata") or {}, score["value"]
    return {
        # an unscored reply may have kept a label that did not count
        "predicted": None if numbers.get("unscored") else _text(score.get("answer")),
        "reason": _text(score.get("reason")),
        "decided_by": _text(notes.get("decided_by")),
        "graders": " + ".join(map(str, notes.get("graders") or ())) or None,
        "self_graded": bool(notes.get("self_graded")),
        "protocol": _text(notes.get("protocol")),
        "level": _text(notes.get("level")),
        **{name: _number(numbers.get(name)) for name in NUMBERS},
    }


def _text(value: Any) -> str | None:
    return None if value is None or value == "" else str(value)


def _number(value: Any) -> float | None:
    """Return a number; None for NaN, which is how our scores say that it is not known."""
    # NaN alone differs from itself
    return None if value is None or value != value else float(value)
