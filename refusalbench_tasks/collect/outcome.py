"""What came of a planned record: accepted, rejected with stage and reason, or undecided because a reader failed."""

from pydantic import BaseModel, ConfigDict

from refusalbench_tasks.collect.found import Looked
from refusalbench_tasks.collect.reading import Reading
from refusalbench_tasks.collect.record import Record
from refusalbench_tasks.collect.verdicts import ArmFound
from refusalbench_tasks.judging.ask import Spent

STAGES = ("queries", "gold_source", "question", "sources", "composition", "panel")
"""The stages in their order; where sources are written, `sources` and `panel` are all there are."""


class Rejection(BaseModel):
    """At which stage a record ended, for which reason, and more of it in words."""

    model_config = ConfigDict(frozen=True)

    stage: str
    reason: str
    detail: str = ""
    shortfall: dict[str, int] = {}


class NotedRecord(BaseModel):
    """The metadata of a record's score. `accepted` is None where nothing was decided; `reason` says why.

    `weak`: the ambiguous set still gives the one gold answer, and the record is kept all the same, marked.
    """

    model_config = ConfigDict(extra="ignore")

    id: str
    topic: str
    accepted: bool | None = None
    stage: str = ""
    reason: str | None = None
    detail: str = ""
    shortfall: dict[str, int] = {}
    weak: bool = False
    record: Record | None = None
    readings: tuple[Reading, ...] = ()
    found: dict[str, ArmFound] = {}
    looked: Looked = Looked()
    dropped: dict[str, int] = {}
    spent: dict[str, Spent] = {}
    writer: str = ""
    readers: tuple[str, ...] = ()
