"""The scored replies of one log of `nq` or `garage`, read through sample summaries."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log, read_eval_log_sample_summaries

from refusalbench_tasks.datasets.errors import DataError
from refusalbench_tasks.metrics.outcome import Outcome, Protocol
from refusalbench_tasks.report.summary import REFUSAL
from refusalbench_tasks.taxonomy import Intensity, Label

Key = tuple[str, int]


@dataclass(frozen=True)
class Replies:
    """One log: what was evaluated on which data, who graded, and one outcome per sample id and epoch.

    Unperturbed controls are left out. `missing` counts samples without our score (errors).
    """

    name: str
    model: str
    task: str
    fingerprint: str
    protocol: Protocol
    graders: frozenset[str]
    outcomes: Mapping[Key, Outcome]
    missing: int
    judged: frozenset[Key] = frozenset()
    """The replies that a grader decided."""
    grades: Mapping[Key, float] = field(default_factory=dict)
    """Quality grades, where a grader gave one."""


def read_replies(path: str) -> Replies:
    """Return the replies of a log file, or of the newest log in a folder, without loading whole samples.

    Raises DataError if there is no log, or the log is not a finished run of `nq` or `garage`.
    """
    found = list_eval_logs(path, descending=True)
    if not found:
        raise DataError(f"{path}: no log there")
    name = found[0].name
    header = read_eval_log(name, header_only=True)
    scorers = {score.scorer for score in header.results.scores} if header.results else set()
    scorer = next((one for one in REFUSAL.scorers if one in scorers), None)
    if header.status != "success" or scorer is None:
        raise DataError(f"{name}: not a finished run of nq or garage (status: {header.status})")
    return _replies(name, header, scorer)


def _replies(name: str, header: EvalLog, scorer: str) -> Replies:
    outcomes: dict[Key, Outcome] = {}
    graders: set[str] = set()
    judged: set[Key] = set()
    grades: dict[Key, float] = {}
    protocol, missing = "paper", 0
    for summary in read_eval_log_sample_summaries(name):
        score = (summary.scores or {}).get(scorer)
        facts = summary.metadata or {}
        if score is None:
            missing += 1
            continue
        about = score.metadata or {}
        graders.update(map(str, about.get("graders", ())))
        protocol = about.get("protocol", protocol)
        if facts.get("intensity", Intensity.CLEAN) == Intensity.CLEAN:
            continue
        key, numbers = (str(summary.id), summary.epoch), cast(Mapping[str, float], score.value)
        outcomes[key] = _outcome(facts, numbers, score.answer)
        if about.get("decided_by") == "judge":
            judged.add(key)
        grade = numbers.get("grade", math.nan)
        if not math.isnan(grade):
            grades[key] = grade
    data = header.eval.metadata or {}
    model = header.eval.model
    if model == "none/none" and header.eval.solver:
        model = header.eval.solver.rpartition("/")[2]
    task = header.eval.task.rpartition("/")[2]
    fingerprint = str(data.get("selected_fingerprint", ""))
    return Replies(
        name=name,
        model=model,
        task=task,
        fingerprint=fingerprint,
        protocol=cast(Protocol, protocol),
        graders=frozenset(graders),
        outcomes=outcomes,
        missing=missing,
        judged=frozenset(judged),
        grades=grades,
    )


def _outcome(facts: Mapping[str, Any], numbers: Mapping[str, float], answer: str | None) -> Outcome:
    predicted = Label(answer) if answer and not numbers["unscored"] else None
    expected, right = Label(facts["expected"]), numbers["right"]
    attempt = predicted is Label.ANSWER and expected is Label.ANSWER
    correct = bool(right) if attempt and right == right else None
    return Outcome(expected, predicted, correct, str(facts["source_id"]))


def distinct_graders(logs: Iterable[Replies]) -> set[frozenset[str]]:
    """Return the different panels of graders among logs; a log that no model graded counts as its own."""
    return {log.graders for log in logs}
