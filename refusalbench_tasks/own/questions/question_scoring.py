"""How the readers' panel judges the questions that were written about a chunk."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from inspect_ai.model import get_model
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState
from inspect_ai.util import collect

from refusalbench_tasks.datasets.refusal_rows import PASSAGES
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.breaker import require_alive
from refusalbench_tasks.generators.kit.call_cache import cache_policy
from refusalbench_tasks.own.documents.corpus import load_corpus
from refusalbench_tasks.own.questions.kinds import kind_of
from refusalbench_tasks.own.questions.outcome import NotedQuestions, Outcome
from refusalbench_tasks.own.questions.passage import passage_of
from refusalbench_tasks.own.questions.question import question_of
from refusalbench_tasks.own.questions.question_scorer import SCORER
from refusalbench_tasks.own.questions.question_writing import Writing
from refusalbench_tasks.own.questions.readers import ROLE, readers
from refusalbench_tasks.own.questions.reading_panel import Corpus, ReadingPanel
from refusalbench_tasks.own.questions.slot import ChunkSlot


@dataclass
class QuestionScoring:
    """Who reads, and how: the arguments of `question_scores`."""

    corpus: str | None
    passages: int
    rivals: int
    closed_book: bool
    keep_known: bool
    self_reads: bool
    cache: bool
    seed: int
    max_failures: int

    def __post_init__(self) -> None:
        if self.passages == PASSAGES and self.corpus is None:
            raise DataError("question_scores: passages=10 needs corpus=FILE, from which the other passages come")

    @cached_property
    def searched(self) -> Corpus | None:
        """Return the corpus with its index, made when the first questions are judged; None with one passage."""
        return open_corpus(self.corpus) if self.corpus is not None and self.passages == PASSAGES else None

    async def score(self, state: TaskState) -> Score:
        """Return the score of a chunk's questions, each accepted, rejected with a reason, or undecided."""
        slot, stored = state.metadata_as(ChunkSlot), state.store_as(Writing)
        models = readers(self.self_reads)
        policy = cache_policy(self.cache, self.seed)
        panel = ReadingPanel(
            models, slot.chunk, policy, self.closed_book, self.keep_known, self.searched, self.rivals, self.seed
        )
        earlier = {one.question.id: one for one in _earlier(state, stored) if one.question is not None}
        questions = [question_of(draft, slot.chunk) for draft in stored.written.kept]
        judged = await collect(*(panel.judge(one, earlier.get(one.id)) for one in questions)) if questions else []
        stored.outcomes = [*judged, *_broken(stored)]
        # here, and not where it failed: what is raised in one of several questions reaches the log as a group
        require_alive(models, self.max_failures, ROLE, "readings")
        return _score(stored, [str(model) for model in models])


def open_corpus(path: str) -> Corpus:
    """Return the chunks of a corpus file and a BM25 search of them. Raises DataError if it cannot be read."""
    from refusalbench_tasks.generators.kit.search import Index  # numpy: not for every `inspect` command

    chunks = load_corpus(path)
    return Corpus(chunks, Index([passage_of(chunk) for chunk in chunks]).nearest)


def _broken(stored: Writing) -> list[Outcome]:
    """Return the drafts that broke a rule, as rejected: the first rule names the reason."""
    return [
        Outcome(
            text=one.draft.question,
            kind=kind_of(one.draft.question),
            accepted=False,
            reason=next(iter(one.rules)),
            broken=tuple(one.rules),
        )
        for one in stored.written.broken
    ]


def _earlier(state: TaskState, stored: Writing) -> Sequence[Outcome]:
    """Return the outcomes of the newest earlier scoring; those of the store if there was none."""
    named = [score for name, score in (state.scores or {}).items() if name.rstrip("-0123456789") == SCORER]
    noted: dict[str, Any] = (named[-1].metadata or {}) if named else {}
    return NotedQuestions.model_validate(noted).questions if noted else stored.outcomes


def _score(stored: Writing, names: Sequence[str]) -> Score:
    written, outcomes = stored.written, stored.outcomes
    spent = sum((one.spent for one in outcomes), written.spent)
    accepted = sum(one.accepted is True for one in outcomes)
    undecided = sum(one.accepted is None for one in outcomes)
    unscored = written.failure is not None
    return Score(
        value={
            "accepted": float("nan") if unscored else float(accepted),
            "rejected": float("nan") if unscored else float(len(outcomes) - accepted - undecided),
            "undecided": float("nan") if unscored else float(undecided),
            "calls": float(spent.calls),
            "tokens": float(spent.tokens),
            "unscored": float(unscored),
        },
        answer=None if unscored else f"{accepted} of {len(outcomes)}",
        explanation="\n".join(f"{one.reason or 'accepted'}: {one.text}" for one in outcomes) or None,
        reason=written.failure,
        metadata=NotedQuestions(
            questions=tuple(outcomes),
            repaired=tuple(name for one in written.first for name in one.rules),
            withdrawn=written.withdrawn,
            repair_failure=written.repair_failure,
            writer=str(get_model()),
            readers=tuple(names),
        ).model_dump(mode="json"),
    )
