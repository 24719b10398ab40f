"""Questions as the logs of `question` hold them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from inspect_ai.log import EvalLog

from refusalbench_tasks.documents.chunk import Chunk
from refusalbench_tasks.generators.chosen_logs import LeftOut, choose_logs, unusable
from refusalbench_tasks.generators.log_samples import Unreadable, read_samples
from refusalbench_tasks.questions.outcome import NotedQuestions, Outcome, Shown
from refusalbench_tasks.questions.question import Question
from refusalbench_tasks.questions.slot import ChunkSlot

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


@dataclass(frozen=True)
class QuestionRuns:
    """The runs that files and folders hold, and what was left out, by log."""

    runs: tuple[QuestionRun, ...]
    left_out: tuple[LeftOut, ...]


def find_question_runs(paths: Iterable[str]) -> QuestionRuns:
    """Return the finished runs of `question` in files and folders; what cannot be read is left out and named."""
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
        if run.chunks or not unread:
            runs.append(run)
    return QuestionRuns(tuple(runs), tuple(left_out))


def _run(header: EvalLog) -> tuple[QuestionRun, list[str]]:
    accepted: list[Accepted] = []
    outcomes: list[Outcome] = []
    unread: list[str] = []
    chunks = 0
    for sample in read_samples(header.location):
        if isinstance(sample, Unreadable):
            unread.append(f"{sample.member}: {sample.why}")
            continue
        try:
            slot = ChunkSlot.model_validate(sample["metadata"])
            noted = _noted(sample)
        except (LookupError, TypeError, ValueError) as error:
            unread.append(" ".join(f"{sample.get('id')}: {type(error).__name__}: {error}".split())[:200])
            continue
        if noted is None:
            continue
        chunks += 1
        outcomes += noted.questions
        accepted += [
            Accepted(one.question, slot.chunk, one.shown, one.known, noted.writer, noted.readers)
            for one in noted.questions
            if one.accepted and one.question is not None
        ]
    return QuestionRun(header, tuple(accepted), tuple(outcomes), chunks), unread


def _noted(sample: Mapping[str, Any]) -> NotedQuestions | None:
    """Return what a chunk's last score notes; None for a sample that ended in an error."""
    scores = sample.get("scores") or {}
    named = [name for name in scores if name.rstrip("-0123456789") == SCORER]
    return NotedQuestions.model_validate(scores[named[-1]].get("metadata") or {}) if named else None
