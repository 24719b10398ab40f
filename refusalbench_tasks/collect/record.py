"""A record while it is made, and what came of it: what stands in a sample's store and
in its score.
"""

from typing import Any, Literal

from inspect_ai.scorer import Score
from inspect_ai.util import StoreModel
from pydantic import BaseModel, Field

from refusalbench_tasks.generators.kit.calls import text_digest
from refusalbench_tasks.generators.kit.maker import Maker
from refusalbench_tasks.generators.kit.panel import Ballot
from refusalbench_tasks.judging.ask import Spent

from .settings import PACKAGE, SCORER

SourceVerdict = Literal["answer", "conflict", "missing", "outdated", "vague"]


class RecordEnd(BaseModel):
    """Where a record ended and why.

    `accepted` is None where nothing was decided: a model gave nothing to be used.
    """

    accepted: bool | None = None
    stage: str = ""
    reason: str | None = None
    detail: str = ""


class RecordEndedError(Exception):
    """A record can't be made: rejected, unless `accepted` is None, at a stage and for a
    reason.
    """

    def __init__(
        self,
        stage: str,
        reason: str | None,
        detail: str = "",
        accepted: bool | None = False,
    ) -> None:
        super().__init__(f"{stage}: {reason}. {detail}".strip())
        self.end = RecordEnd(
            accepted=accepted,
            stage=stage,
            reason=reason,
            detail=detail,
        )


class Record(BaseModel, frozen=True):
    """A record before its check: its row in the released layout, with the fields of our
    own data.
    """

    row: dict[str, Any]

    @property
    def question(self) -> str:
        """Return the question."""
        return str(self.row["question"])

    @property
    def answers(self) -> tuple[str, ...]:
        """Return the forms of the gold answer."""
        return (self.row["gold_answer"], *self.row["gold_aliases"])

    def sources(self, arm: str) -> list[dict[str, Any]]:
        """Return the sources of an arm in their order."""
        sources: list[dict[str, Any]] = self.row["source_sets"][arm]
        return sources

    def digest(self, arm: str) -> str:
        """Return what identifies what a reader of an arm is shown and compared with."""
        shown = [arm, self.question, "\n".join(self.answers)]
        for source in self.sources(arm):
            shown += (source[name] for name in ("title", "url", "date", "text"))
        return text_digest(*shown)


class SourceReading(Ballot):
    """One reader's verdict on one arm. The failure if there is no valid one.

    `gold` says whether its answer is the gold one: None where that cannot be told
    without a judge, or without answer. `used` are positions of sources, from 1.
    `passed`: in the clear set whether it is the gold answer; in the ambiguous one,
    whether there is a verdict.
    """

    arm: str
    verdict: SourceVerdict | None = None
    answer: str = ""
    gold: bool | None = None
    used: tuple[int, ...] = ()
    why: str = ""


class ArmFound(BaseModel):
    """What readers found in an arm: their verdicts, their entropy in bits (None without
    a reading).

    Where they reach no common answer, `kind` says why.
    """

    distribution: dict[str, int] = {}
    entropy: float | None = None
    kind: str | None = None


class Collecting(StoreModel):
    """What the stages came to.

    `looked` counts searches, hits, pages, and by `left_out/REASON` addresses not used.
    """

    queries: tuple[str, ...] = ()
    record: Record | None = None
    end: RecordEnd = RecordEnd(stage="composition", reason="not_collected")
    looked: dict[str, int] = Field(default_factory=dict)
    spent: dict[str, Spent] = Field(default_factory=dict)


class NotedRecord(RecordEnd):
    """The metadata of a record's score: how it ended, the record, its readings, and
    what it took.
    """

    id: str
    topic: str
    record: Record | None = None
    readings: tuple[SourceReading, ...] = ()
    found: dict[str, ArmFound] = {}
    looked: dict[str, int] = {}
    spent: dict[str, Spent] = {}
    writer: str = ""
    readers: tuple[str, ...] = ()


def _why_not_accepted(score: Score) -> list[str]:
    """Return why a record was not accepted, by stage and reason; nothing if it was."""
    noted = NotedRecord.model_validate(score.metadata or {})
    return [] if noted.accepted else [f"{noted.stage}/{noted.reason}"]


COLLECT = Maker(
    task="collect",
    scorer=SCORER,
    noted=NotedRecord,
    packages=(PACKAGE,),
    why_not_accepted=_why_not_accepted,
)
