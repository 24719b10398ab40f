"""How the readers' panel judges the questions that were written about a chunk."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.model import Model, get_model
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState
from inspect_ai.util import collect
from pydantic import BaseModel

from refusalbench_tasks.generators.kit import once_a_run
from refusalbench_tasks.generators.kit.annotator import annotate
from refusalbench_tasks.generators.kit.calls import (
    cache_policy,
    hear,
    prompt_of,
    text_digest,
)
from refusalbench_tasks.generators.kit.maker import Maker, as_number
from refusalbench_tasks.generators.kit.panel import (
    Ballot,
    Failures,
    JudgePanel,
    ballot_facts,
    consensus,
)
from refusalbench_tasks.generators.kit.yields import OUTCOMES
from refusalbench_tasks.judging.ask import Spent
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.own.documents.corpus import Chunk, load_corpus
from refusalbench_tasks.taxonomy import Label

from .chunk_text import Searched, material_parts, passage_of
from .draft import Question, QuestionKind, question_of
from .question_settings import ROLE, SCORER, ReadingSettings
from .review import FORM, Review, ReviewSays
from .slot import ChunkSlot
from .writing import PACKAGE, Broken, Writing, WrittenQuestions

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


class JudgedQuestion(BaseModel, extra="ignore"):
    """One question with all that was found of it.

    `accepted` is None where nothing was decided, with the reason.

    `question` is None for a draft that failed checks: these are in `broken`, and `text`
    is its question. `conflicts` are the sources of other passages that answer it
    otherwise.
    """

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
        total = sum((reading.spent for reading in self.readings), Spent())
        return total + self.review.spent if self.review else total


class NotedQuestions(BaseModel, extra="ignore"):
    """The metadata of a chunk's score: every question with its outcome."""

    questions: tuple[JudgedQuestion, ...] = ()
    writer: str = ""
    readers: tuple[str, ...] = ()


def _why_not_accepted(score: Score) -> list[str]:
    """Return why the questions of a chunk were not accepted, by the names of the
    metrics; nothing if one was.
    """
    questions = QUESTION.note(score).questions
    if any(question.accepted for question in questions):
        return []
    if not questions:
        return [score.reason or "no question was given"]
    return [question.reason or "undecided" for question in questions]


QUESTION = Maker(
    task="question",
    scorer=SCORER,
    noted=NotedQuestions,
    packages=(PACKAGE,),
    why_not_accepted=_why_not_accepted,
)


class QuestionScoring:
    """Who reads, and how. Raises DataError for a bad corpus."""

    def __init__(self, failures: Failures, settings: ReadingSettings) -> None:
        self.settings = settings
        self.panel = JudgePanel(
            ROLE,
            False,
            settings.max_failures,
            "readings",
            failures,
        )
        # in which other answers are looked for
        self.searched = Searched(once_a_run(load_corpus, settings.corpus))
        self.cache = cache_policy(settings.cache, settings.seed)

    async def score(self, state: TaskState) -> Score:
        """Return the score of a chunk's questions, each accepted, rejected with a
        reason, or undecided.
        """
        chunk = state.metadata_as(ChunkSlot).chunk
        stored = state.store_as(Writing)
        readers = self.panel.judges()
        noted = QUESTION.earlier(state) or NotedQuestions.model_validate(stored.noted)
        earlier = {judged.text: judged for judged in noted.questions if judged.question}
        judging = []
        for draft in stored.written.kept:
            question = question_of(draft, chunk)
            judging.append(self.judge(question, chunk, earlier.get(question.question)))
        judged = await collect(*judging) if judging else []
        # here, and not where it failed: what is raised in one of several questions
        # reaches the log as a group
        self.panel.require_alive(readers)
        score = _score(
            stored.written,
            [*judged, *map(_of_broken, stored.written.broken)],
            list(map(str, readers)),
        )
        stored.noted = score.metadata or {}
        return score

    async def judge(
        self, question: Question, chunk: Chunk, earlier: JudgedQuestion | None
    ) -> JudgedQuestion:
        """Return what came of a question.

        What an earlier outcome holds for the same texts is not asked for again.
        """
        readers = self.panel.judges()
        shown = self._shown_to_readers(question, chunk)
        digest = _digest(question, shown)
        readings_before = earlier.readings if earlier else ()
        kept = [reading for reading in readings_before if reading.digest == digest]
        readings = await self.panel.ask(
            readers,
            lambda model: self._reading(
                model,
                question,
                shown,
                digest,
            ),
            kept,
            stop=True,
        )
        judged = JudgedQuestion(
            text=question.question,
            kind=question.kind,
            question=question,
            readings=tuple(readings),
            **_verdict(readings, list(map(str, readers))),
        )
        if judged.accepted and question.kind == "answerable" and self.settings.rivals:
            changes = await self._reviewed(question, chunk, earlier)
            return judged.model_copy(update=changes)
        return judged

    def _shown_to_readers(self, question: Question, chunk: Chunk) -> list[Chunk]:
        """Return the chunk of an answerable question; of any other the nearest of the
        corpus, its chunk among them.
        """
        if question.kind == "answerable":
            return [chunk]
        near = self.searched.nearest(question.question, TOP)
        if question.kind == "plainly outside" or chunk in near:
            return near
        return [*near[: TOP - 1], chunk]

    async def _reading(
        self,
        model: Model,
        question: Question,
        shown: Sequence[Chunk],
        digest: str,
    ) -> BlindReading:
        annotation = await annotate(
            model,
            question.question,
            list(map(passage_of, shown)),
            question.answers,
            self.cache,
        )
        facts = ballot_facts(model, digest, annotation)
        if annotation.label is None:
            return BlindReading(**facts)
        reason = None
        answered = annotation.label is Label.ANSWER
        if question.kind != "answerable":
            reason = "reader_answered" if answered else None
        elif not answered:
            reason = "reader_unanswered"
        # other words, of which no rule can tell whether they are the same answer: what
        # is kept is sure
        elif annotation.gold is None:
            reason = "reader_undecided"
        elif not annotation.gold:
            reason = "reader_other_answer"
        return BlindReading(
            **facts,
            passed=not reason,
            label=annotation.label,
            answer=annotation.answer,
            reason=reason,
        )

    async def _reviewed(
        self, question: Question, chunk: Chunk, earlier: JudgedQuestion | None
    ) -> dict[str, Any]:
        """Return what the first reader says of a question beside the nearest other
        chunks, as changes.
        """
        rivals = self.settings.rivals
        candidates = self.searched.nearest(question.question, rivals + 1)
        candidates = [other for other in candidates if other.id != chunk.id][:rivals]
        digest = _digest(question, candidates)
        before = earlier and earlier.review
        kept = [before] if before and before.digest == digest else []
        (review,) = await self.panel.ask(
            self.panel.judges()[:1],
            lambda model: self._review(
                model,
                question,
                candidates,
                digest,
            ),
            kept,
            stop=True,
        )
        conflicts = tuple(dict.fromkeys(candidates[k].source for k in review.another))
        changes = {"review": review, "conflicts": conflicts}
        if review.passed is None:
            return changes | {"accepted": None, "reason": FAILED}
        if not review.passed:
            return changes | {"accepted": False, "reason": "not_standalone"}
        if conflicts and self.settings.conflicts == "drop":
            return changes | {"accepted": False, "reason": "rival_answer"}
        return changes

    async def _review(
        self,
        model: Model,
        question: Question,
        candidates: Sequence[Chunk],
        digest: str,
    ) -> Review:
        """Return a model's review of a question beside other chunks, in one call; a
        failed call is a missing review.
        """
        parts = {"QUESTION": question.question, "ANSWER": "\n".join(question.answers)}
        for number, chunk in enumerate(candidates, 1):
            parts |= material_parts(chunk, number)
        # each chunk is a part of its own, which no text can leave
        reply = await hear(
            model,
            prompt_of(
                PACKAGE,
                "review.txt",
                ReviewSays,
                FORM,
                material(parts),
            ),
            ReviewSays,
            FORM,
            self.cache,
        )
        facts = ballot_facts(model, digest, reply)
        if reply.answer is None:
            return Review(**facts)
        another = [number - 1 for number in reply.answer.another]
        return Review(
            **facts,
            passed=reply.answer.standalone,
            another=tuple(k for k in another if 0 <= k < len(candidates)),
        )


def _digest(question: Question, chunks: Sequence[Chunk]) -> str:
    """Return what identifies a question, its answers and the passages that it is set
    beside.
    """
    answers = "\n".join(question.answers)
    return text_digest(question.question, answers, *map(passage_of, chunks))


def _verdict(readings: Sequence[BlindReading], needed: Sequence[str]) -> dict[str, Any]:
    accepted = {"accepted": True, "rejected": False}.get(consensus(readings, needed))
    if accepted:
        return {"accepted": True}
    reasons = [reading.reason for reading in readings if reading.passed is False]
    return {"accepted": accepted, "reason": [*reasons, FAILED][0]}


def _of_broken(broken: Broken) -> JudgedQuestion:
    """Return a draft that failed checks, as rejected: the first check names the
    reason.
    """
    return JudgedQuestion(
        text=broken.draft.question,
        kind=broken.draft.kind,
        accepted=False,
        reason=next(iter(broken.checks)),
        broken=tuple(broken.checks),
    )


def _score(
    written: WrittenQuestions,
    outcomes: Sequence[JudgedQuestion],
    readers: Sequence[str],
) -> Score:
    unscored = written.failure is not None
    values = {}
    for accepted, name in OUTCOMES.items():
        number = sum(judged.accepted is accepted for judged in outcomes)
        values[name] = as_number(None if unscored else number)
    noted = NotedQuestions(
        questions=tuple(outcomes),
        writer=str(get_model()),
        readers=tuple(readers),
    )
    lines = [f"{judged.reason or 'accepted'}: {judged.text}" for judged in outcomes]
    return QUESTION.score(
        noted,
        sum((judged.spent for judged in outcomes), written.spent),
        None if unscored else f"{values['accepted']:.0f} of {len(outcomes)}",
        values,
        written.failure,
        "\n".join(lines),
    )
