"""How readers are asked about one question."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspect_ai.model import CachePolicy, Model
from inspect_ai.util import collect

from refusalbench_tasks.generators.kit.breaker import count_failure
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.outcome import Outcome, Shown
from refusalbench_tasks.own.questions.question import Question
from refusalbench_tasks.own.questions.reading import (
    FAILED,
    Reading,
    book_of,
    digest_of,
    is_known,
    objection,
    read_question,
    verdict,
)
from refusalbench_tasks.own.questions.rivals import RivalReading, mark_rivals, rivals_digest
from refusalbench_tasks.own.questions.ten import Nearest, candidates_of, ten_passages


@dataclass(frozen=True)
class Corpus:
    """The chunks of a corpus, and a search that gives positions among them."""

    chunks: Sequence[Chunk]
    nearest: Nearest


@dataclass(frozen=True)
class ReadingPanel:
    """Who reads a question of a chunk, and how. Without a corpus nobody looks for rivals."""

    readers: Sequence[Model]
    chunk: Chunk
    policy: CachePolicy | bool
    closed_book: bool = False
    keep_known: bool = False
    corpus: Corpus | None = None
    rivals: int = 0
    seed: int = 0

    async def judge(self, question: Question, earlier: Outcome | None) -> Outcome:
        """Return what came of a question. What an earlier outcome holds for the same texts is not asked for again."""
        kept = earlier or Outcome(text=question.question, kind=question.kind)
        found = Outcome(text=question.question, kind=question.kind, question=question)
        readings = await self._read(question, kept.readings)
        accepted, reason = verdict(readings)
        found = found.model_copy(update={"readings": tuple(readings), "accepted": accepted, "reason": reason})
        if accepted and self.closed_book:
            found = await self._closed(question, found, kept)
        if found.accepted and self.corpus is not None:
            found = await self._with_rivals(question, found, kept, self.corpus)
        return found

    async def _read(self, question: Question, kept: Sequence[Reading]) -> list[Reading]:
        """Ask one reader after another from the chunk, until one objects."""
        readings: list[Reading] = []
        for model in self.readers:
            readings.append(await self._reading(model, question, self.chunk, kept))
            if objection(readings[-1]):
                break
        return readings

    async def _closed(self, question: Question, found: Outcome, kept: Outcome) -> Outcome:
        """Ask one reader after another without the chunk, until one knows the answer."""
        readings: list[Reading] = []
        for model in self.readers:
            readings.append(await self._reading(model, question, None, kept.readings))
            if readings[-1].gold:
                break
        known = is_known(readings)
        changes: dict[str, object] = {"readings": (*found.readings, *readings), "known": known}
        if known is None:
            changes |= {"accepted": None, "reason": FAILED}
        elif known and not self.keep_known:
            changes |= {"accepted": False, "reason": "known"}
        return found.model_copy(update=changes)

    async def _with_rivals(self, question: Question, found: Outcome, kept: Outcome, corpus: Corpus) -> Outcome:
        candidates = candidates_of(question, self.chunk, corpus.chunks, corpus.nearest, self.rivals)
        marked = await collect(*(self._marks(model, question, candidates, kept.rivals) for model in self.readers))
        changes: dict[str, object] = {"rivals": tuple(marked)}
        cast = [one.marks for one in marked if not one.failure]
        ten = ten_passages(question, self.chunk, candidates, cast, self.seed) if cast else FAILED
        if len(cast) < len(marked) and ten != "rival_answer":
            changes |= {"accepted": None, "reason": FAILED}
        elif isinstance(ten, str):
            changes |= {"accepted": False, "reason": ten}
        else:
            changes["shown"] = Shown(chunks=ten.chunks, signal=ten.signal)
        return found.model_copy(update=changes)

    async def _reading(self, model: Model, question: Question, chunk: Chunk | None, kept: Sequence[Reading]) -> Reading:
        key = (str(model), book_of(chunk), digest_of(question, chunk))
        for one in kept:
            if (one.reader, one.book, one.digest) == key and one.answered is not None:
                return one
        found = await read_question(model, question, chunk, self.policy)
        count_failure(model, None if found.answered is not None else found.failure or "no answer")
        return found

    async def _marks(
        self, model: Model, question: Question, candidates: Sequence[Chunk], kept: Sequence[RivalReading]
    ) -> RivalReading:
        key = (str(model), rivals_digest(question, candidates))
        for one in kept:
            if (one.reader, one.digest) == key and not one.failure:
                return one
        found = await mark_rivals(model, question, candidates, self.policy)
        count_failure(model, found.failure)
        return found
