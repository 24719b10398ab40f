"""Questions as the logs of `question` hold them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inspect_ai.log import EvalLog

from refusalbench_tasks.generators.kit.chosen_logs import Logs
from refusalbench_tasks.generators.kit.log_samples import Unreadable
from refusalbench_tasks.generators.kit.run_logs import FoundRuns, find_task_runs, last_score, read_noted
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.outcome import NotedQuestions, Outcome, Shown
from refusalbench_tasks.own.questions.question import Question
from refusalbench_tasks.own.questions.slot import ChunkSlot

TASK = "question"
SCORER = "question_scores"


@dataclass(frozen=True)
class Accepted:
    """An accepted question with its chunk, what is shown with it, and who wrote and read it."""

    question: Question
    chunk: Chunk
    shown: Shown | None = None
    known: bool | None = None
    writer: str = ""
    readers: tuple[str, ...] = ()


@dataclass(frozen=True)
class QuestionRun:
    """A log of `question`: its header, what it accepted, every outcome, and of how many chunks it holds a score."""

    header: EvalLog
    accepted: tuple[Accepted, ...]
    outcomes: tuple[Outcome, ...]
    chunks: int


QuestionRuns = FoundRuns[QuestionRun]


def find_question_runs(logs: Logs) -> QuestionRuns:
    """Return the finished runs of `question` in files and folders; what cannot be read is left out and named."""
    return find_task_runs(logs, TASK, _run)


def _run(header: EvalLog) -> tuple[QuestionRun | None, list[Unreadable]]:
    found, unread = read_noted(header.location, _noted)
    chunks = [(slot, noted) for slot, noted in found if noted is not None]
    accepted = tuple(
        Accepted(one.question, slot.chunk, one.shown, one.known, noted.writer, noted.readers)
        for slot, noted in chunks
        for one in noted.questions
        if one.accepted and one.question is not None
    )
    outcomes = tuple(one for _, noted in chunks for one in noted.questions)
    return QuestionRun(header, accepted, outcomes, len(chunks)) if chunks or not unread else None, unread


def _noted(sample: Mapping[str, Any]) -> tuple[ChunkSlot, NotedQuestions | None]:
    """Return a chunk with what its last score notes, which is nothing for a sample that ended in an error."""
    slot, score = ChunkSlot.model_validate(sample["metadata"]), last_score(sample, SCORER)
    return slot, None if score is None else NotedQuestions.model_validate(score.get("metadata") or {})
