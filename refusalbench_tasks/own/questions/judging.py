"""How the readers' panel judges the questions that were written about a chunk."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from inspect_ai.model import CachePolicy, Model, get_model
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState
from inspect_ai.util import collect
from pydantic import BaseModel, ConfigDict

from refusalbench_tasks.generators.kit.annotator import annotate
from refusalbench_tasks.generators.kit.calls import cache_policy, text_digest
from refusalbench_tasks.generators.kit.panel import (
    Ballot,
    ask_panel,
    consensus,
    earlier_note,
    panel_of,
    require_alive,
)
from refusalbench_tasks.judging.ask import Spent
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.documents.corpus import load_corpus
from refusalbench_tasks.own.questions.draft import Question, QuestionKind, question_of
from refusalbench_tasks.own.questions.passage import Searched, passage_of
from refusalbench_tasks.own.questions.question_settings import (
    ROLE,
    SCORER,
    ReadingSettings,
)
from refusalbench_tasks.own.questions.review import (
    Review,
    candidates_of,
    review_question,
)
from refusalbench_tasks.own.questions.slot import ChunkSlot
from refusalbench_tasks.own.questions.writing import Broken, Writing, WrittenQuestions
from refusalbench_tasks.taxonomy import Label

FAILED = "reader_failed"
TOP = 10
"""How many passages of the whole corpus a reader sees of a question that none of them
should answer.
"""


class BlindReading(Ballot):
    """One blind reader's label and answer; it passes if they are what the question's
    kind asks for.
    """

    label: str = ""
    answer: str = ""
    reason: str | None = None


class JudgedQuestion(BaseModel):
    """One question with all that was found of it.

    `accepted` is None where nothing was decided, with the reason.

    `question` is None for a draft that failed checks: these are in `broken`, and `text`
    is its question. `conflicts` are the sources of other passages that answer it
    otherwise.
    """

    model_config = ConfigDict(extra="ignore")

    text: str
    kind: QuestionKind
    question: Question | None = None
    accepted: bool | None = None
    reason: str | None = None
    broken: tuple[str, ...] = ()
    readings: tuple[BlindReading, ...] = ()
    review: Review | None = None
    conflicts: tuple[str, ...] = ()

    @property
    def spent(self) -> Spent:
        """Return what its readers took."""
        return sum(
            (
                one.spent
                for one in (*self.readings, *([self.review] if self.review else []))
            ),
            Spent(),
        )


class NotedQuestions(BaseModel):
    """The metadata of a chunk's score: every question with its outcome."""

    model_config = ConfigDict(extra="ignore")

    questions: tuple[JudgedQuestion, ...] = ()
    writer: str = ""
    readers: tuple[str, ...] = ()


@dataclass
class QuestionScoring:
    """Who reads, and how."""

    settings: ReadingSettings

    @cached_property
    def searched(self) -> Searched:
        """Return the corpus with its search."""
        return Searched(load_corpus(self.settings.corpus))

    async def score(self, state: TaskState) -> Score:
        """Return the score of a chunk's questions, each accepted, rejected with a
        reason, or undecided.
        """
        chunk = state.metadata_as(ChunkSlot).chunk
        stored = state.store_as(Writing)
        readers = self._readers()
        noted = NotedQuestions.model_validate(
            earlier_note(state, SCORER) or stored.noted
        )
        earlier = {one.text: one for one in noted.questions if one.question is not None}
        questions = [question_of(draft, chunk) for draft in stored.written.kept]
        judging = (
            self.judge(one, chunk, earlier.get(one.question)) for one in questions
        )
        judged = await collect(*judging) if questions else []
        # here, and not where it failed: what is raised in one of several questions
        # reaches the log as a group
        require_alive(readers, self.settings.max_failures, ROLE, "readings")
        outcomes = [*judged, *(_of_broken(one) for one in stored.written.broken)]
        found = _score(stored.written, outcomes, [str(model) for model in readers])
        stored.noted = found.metadata or {}
        return found

    async def judge(
        self, question: Question, chunk: Chunk, earlier: JudgedQuestion | None
    ) -> JudgedQuestion:
        """Return what came of a question.

        What an earlier outcome holds for the same texts is not asked for again.
        """
        passages = [passage_of(one) for one in self._shown_to_readers(question, chunk)]
        digest = _digest(question, passages)
        kept = [
            one for one in (earlier.readings if earlier else ()) if one.digest == digest
        ]
        readings = await ask_panel(
            self._readers(),
            lambda model: self._reading(model, question, passages, digest),
            kept,
            stop=True,
        )
        found = JudgedQuestion(
            text=question.question,
            kind=question.kind,
            question=question,
            readings=tuple(readings),
            **_verdict(readings, [str(model) for model in self._readers()]),
        )
        if found.accepted and question.kind == "answerable" and self.settings.rivals:
            changes = await self._reviewed(question, chunk, earlier)
            return found.model_copy(update=changes)
        return found

    def _readers(self) -> list[Model]:
        return panel_of(ROLE)

    def _shown_to_readers(self, question: Question, chunk: Chunk) -> list[Chunk]:
        """Return the chunk of an answerable question; of any other the nearest of the
        corpus, its chunk among them.
        """
        if question.kind == "answerable":
            return [chunk]
        near = self.searched.nearest(question.question, TOP)
        own = question.kind == "plainly outside" or any(
            one.id == chunk.id for one in near
        )
        return near if own else [*near[: TOP - 1], chunk]

    async def _reading(
        self, model: Model, question: Question, passages: Sequence[str], digest: str
    ) -> BlindReading:
        found = await annotate(
            model, question.question, passages, question.answers, self._policy
        )
        known: dict[str, Any] = {
            "verifier": str(model),
            "digest": digest,
            "spent": found.spent,
        }
        if found.label is None:
            return BlindReading(**known, failure=found.failure)
        reason = None
        if question.kind != "answerable":
            reason = "reader_answered" if found.label is Label.ANSWER else None
        elif found.label is not Label.ANSWER:
            reason = "reader_unanswered"
        elif not found.gold:
            # other words, of which no rule can tell whether they are the same answer:
            # what is kept is sure
            reason = "reader_undecided" if found.gold is None else "reader_other_answer"
        return BlindReading(
            **known,
            passed=not reason,
            label=found.label,
            answer=found.answer,
            reason=reason,
        )

    async def _reviewed(
        self, question: Question, chunk: Chunk, earlier: JudgedQuestion | None
    ) -> dict[str, Any]:
        """Return what the first reader says of a question beside the nearest other
        chunks, as changes.
        """
        candidates = candidates_of(question, chunk, self.searched, self.settings.rivals)
        digest = _digest(question, [passage_of(one) for one in candidates])
        kept = (
            [earlier.review]
            if earlier and earlier.review and earlier.review.digest == digest
            else []
        )
        (review,) = await ask_panel(
            self._readers()[:1],
            lambda model: review_question(
                model, question, candidates, digest, self._policy
            ),
            kept,
            stop=True,
        )
        conflicts = tuple(
            dict.fromkeys(candidates[place].source for place in review.another)
        )
        changes: dict[str, Any] = {"review": review, "conflicts": conflicts}
        if review.passed is None:
            return changes | {"accepted": None, "reason": FAILED}
        if not review.passed:
            return changes | {"accepted": False, "reason": "not_standalone"}
        if conflicts and self.settings.conflicts == "drop":
            return changes | {"accepted": False, "reason": "rival_answer"}
        return changes

    @cached_property
    def _policy(self) -> CachePolicy | bool:
        return cache_policy(self.settings.cache, self.settings.seed)


def _digest(question: Question, passages: Sequence[str]) -> str:
    """Return what identifies a question, its answers and the passages that it is set
    beside.
    """
    return text_digest(question.question, "\n".join(question.answers), *passages)


def _verdict(readings: Sequence[BlindReading], needed: Sequence[str]) -> dict[str, Any]:
    outcome = consensus(readings, needed)
    if outcome == "rejected":
        return {
            "accepted": False,
            "reason": next(one.reason for one in readings if one.passed is False),
        }
    return (
        {"accepted": True}
        if outcome == "accepted"
        else {"accepted": None, "reason": FAILED}
    )


def _of_broken(one: Broken) -> JudgedQuestion:
    """Return a draft that failed checks, as rejected: the first one
    names the reason.
    """
    kind = one.draft.kind
    text = one.draft.question
    names = tuple(one.checks)
    return JudgedQuestion(
        text=text, kind=kind, accepted=False, reason=names[0], broken=names
    )


def _score(
    written: WrittenQuestions,
    outcomes: Sequence[JudgedQuestion],
    readers: Sequence[str],
) -> Score:
    spent = sum((one.spent for one in outcomes), written.spent)
    unscored = written.failure is not None
    counts = {
        name: (
            float("nan")
            if unscored
            else float(sum(one.accepted is value for one in outcomes))
        )
        for name, value in (
            ("accepted", True),
            ("rejected", False),
            ("undecided", None),
        )
    }
    return Score(
        value=counts
        | {
            "calls": float(spent.calls),
            "tokens": float(spent.tokens),
            "unscored": float(unscored),
        },
        answer=None if unscored else f"{counts['accepted']:.0f} of {len(outcomes)}",
        explanation="\n".join(
            f"{one.reason or 'accepted'}: {one.text}" for one in outcomes
        )
        or None,
        reason=written.failure,
        metadata=NotedQuestions(
            questions=tuple(outcomes),
            writer=str(get_model()),
            readers=tuple(readers),
        ).model_dump(mode="json"),
    )
