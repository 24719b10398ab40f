"""What came of a question: accepted, rejected with a reason, or undecided because a reader failed."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from refusalbench_tasks.judging.ask import Spent
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.question import Question
from refusalbench_tasks.own.questions.reading import Reading
from refusalbench_tasks.own.questions.rivals import RivalReading


class Shown(BaseModel):
    """The passages of a question as they are shown, and which of them hold the answer (positions from 0)."""

    chunks: tuple[Chunk, ...]
    signal: tuple[int, ...]


class Outcome(BaseModel):
    """One question with all that was found of it. `accepted` is None where nothing was decided, with the reason.

    `question` is None for a draft that broke rules: these are in `broken`, and `text` is its question.
    `known` says whether a reader answers it without the document; None if nobody was asked, or if that failed.
    """

    model_config = ConfigDict(extra="ignore")

    text: str
    kind: str
    question: Question | None = None
    accepted: bool | None = None
    reason: str | None = None
    broken: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    rivals: tuple[RivalReading, ...] = ()
    known: bool | None = None
    shown: Shown | None = None

    @property
    def spent(self) -> Spent:
        """Return what its readers took."""
        every: Sequence[Reading | RivalReading] = (*self.readings, *self.rivals)
        return sum((one.spent for one in every), Spent())


class NotedQuestions(BaseModel):
    """The metadata of a chunk's score: every question with its outcome, and what the rules said of first drafts."""

    model_config = ConfigDict(extra="ignore")

    questions: tuple[Outcome, ...] = ()
    repaired: tuple[str, ...] = ()
    """The rules that the first drafts broke, once for each draft and rule, before the writer was asked again."""
    withdrawn: int = 0
    """How many of the first drafts the writer left out when it was asked again."""
    repair_failure: str | None = None
    writer: str = ""
    readers: tuple[str, ...] = ()
