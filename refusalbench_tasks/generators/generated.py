"""Candidates as generation logs hold them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log, read_eval_log_samples

from refusalbench_tasks.datasets.errors import DataError
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.verification import ItemVote

SCORER = "consensus_scores"


@dataclass(frozen=True)
class Generated:
    """One candidate: who wrote it, for which slot, how the verifiers voted, and what followed (None is undecided)."""

    writer: str
    slot: Slot
    candidate: Candidate | None
    votes: tuple[ItemVote, ...]
    accepted: bool | None

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """Return what a model would be shown."""
        assert self.candidate is not None
        return self.candidate.query, self.candidate.passages


@dataclass(frozen=True)
class Run:
    """A generation log: its header and its candidates."""

    header: EvalLog
    items: tuple[Generated, ...]


def read_runs(paths: Iterable[str]) -> list[Run]:
    """Return the generation runs in files and folders. Raises DataError if there is none, or one is not finished."""
    headers = [header for header in finished_logs(paths) if header.eval.task.rpartition("/")[2] == "perturb"]
    if not headers:
        raise DataError("no generation logs there; they are made by `inspect eval refusalbench_tasks/perturb`")
    return [Run(header, tuple(_items(header.location, header.eval.model))) for header in headers]


def finished_logs(paths: Iterable[str]) -> list[EvalLog]:
    """Return the header of the newest finished log of each task run in files and folders.

    A run that was killed and continued has a log of each attempt, under one task id. Raises DataError for a run without
    a finished log.
    """
    names = sorted({info.name for path in paths for info in list_eval_logs(path)})
    attempts: dict[str, list[EvalLog]] = {}
    for name in names:
        header = read_eval_log(name, header_only=True)
        attempts.setdefault(header.eval.task_id, []).append(header)
    newest = []
    for logs in attempts.values():
        finished = [log for log in logs if log.status == "success"]
        if not finished:
            raise DataError(f"{logs[-1].location}: status {logs[-1].status}; finish it with `inspect eval-retry` first")
        newest.append(max(finished, key=lambda log: log.eval.created))
    return sorted(newest, key=lambda log: log.location)


def _items(name: str, writer: str) -> Iterator[Generated]:
    for sample in read_eval_log_samples(name, all_samples_required=False):
        score = (sample.scores or {}).get(SCORER)
        if score is None:
            continue
        about: dict[str, Any] = score.metadata or {}
        candidate = Candidate.model_validate(about["candidate"]) if about.get("candidate") else None
        votes = tuple(ItemVote.model_validate(vote) for vote in about.get("votes", ()))
        accepted = None if score.answer is None else score.answer == "accepted"
        yield Generated(writer, Slot.model_validate(sample.metadata), candidate, votes, accepted)
