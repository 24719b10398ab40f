"""Records as the logs of `collect` hold them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspect_ai.log import EvalLog

from refusalbench_tasks.collect.outcome import NotedRecord
from refusalbench_tasks.generators.kit.chosen_logs import Logs
from refusalbench_tasks.generators.kit.log_samples import Unreadable
from refusalbench_tasks.generators.kit.run_logs import FoundRuns, find_task_runs, last_score, read_noted

TASK = "collect"
SCORER = "collection_scores"


@dataclass(frozen=True)
class CollectionRun:
    """A log of `collect`: its header, and what came of each planned record that has a score."""

    header: EvalLog
    records: tuple[NotedRecord, ...]


CollectionRuns = FoundRuns[CollectionRun]


def find_collection_runs(logs: Logs) -> CollectionRuns:
    """Return the finished runs of `collect` in files and folders; what cannot be read is left out and named."""
    return find_task_runs(logs, TASK, _run)


def _run(header: EvalLog) -> tuple[CollectionRun | None, list[Unreadable]]:
    found, unread = read_noted(header.location, _noted)
    records = tuple(noted for noted in found if noted is not None)
    return CollectionRun(header, records) if records or not unread else None, unread


def _noted(sample: Mapping[str, Any]) -> NotedRecord | None:
    """Return what a record's last score notes; None for a sample that ended in an error."""
    score = last_score(sample, SCORER)
    return None if score is None else NotedRecord.model_validate(score.get("metadata") or {})
