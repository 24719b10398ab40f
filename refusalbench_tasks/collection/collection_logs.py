"""Records as the logs of `collect` hold them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from inspect_ai.log import EvalLog

from refusalbench_tasks.collection.outcome import NotedRecord
from refusalbench_tasks.generators.chosen_logs import LeftOut, choose_logs, unusable
from refusalbench_tasks.generators.log_samples import Unreadable, read_samples

TASK = "collect"
SCORER = "collection_scores"


@dataclass(frozen=True)
class CollectionRun:
    """A log of `collect`: its header, and what came of each planned record that has a score."""

    header: EvalLog
    records: tuple[NotedRecord, ...]


@dataclass(frozen=True)
class CollectionRuns:
    """The runs that files and folders hold, and what was left out, by log."""

    runs: tuple[CollectionRun, ...]
    left_out: tuple[LeftOut, ...]


def find_collection_runs(paths: Iterable[str]) -> CollectionRuns:
    """Return the finished runs of `collect` in files and folders; what cannot be read is left out and named."""
    chosen = choose_logs(paths, (TASK,))
    runs, left_out = [], list(chosen.left_out)
    for header in chosen.headers:
        try:
            run, unread = _run(header)
        except Exception as error:  # anything can be wrong with a file, and one must not lose the others
            left_out.append((header.location, unusable(header.location, error)))
            continue
        if unread:
            left_out.append((header.location, f"{len(unread)} samples cannot be read, the first {unread[0]}"))
        if run.records or not unread:
            runs.append(run)
    return CollectionRuns(tuple(runs), tuple(left_out))


def _run(header: EvalLog) -> tuple[CollectionRun, list[str]]:
    records: list[NotedRecord] = []
    unread: list[str] = []
    for sample in read_samples(header.location):
        if isinstance(sample, Unreadable):
            unread.append(f"{sample.member}: {sample.why}")
            continue
        try:
            noted = _noted(sample)
        except (LookupError, TypeError, ValueError) as error:
            unread.append(" ".join(f"{sample.get('id')}: {type(error).__name__}: {error}".split())[:200])
            continue
        records += [noted] if noted else []
    return CollectionRun(header, tuple(records)), unread


def _noted(sample: Mapping[str, Any]) -> NotedRecord | None:
    """Return what a record's last score notes; None for a sample that ended in an error."""
    scores = sample.get("scores") or {}
    named = [name for name in scores if name.rstrip("-0123456789") == SCORER]
    return NotedRecord.model_validate(scores[named[-1]].get("metadata") or {}) if named else None
