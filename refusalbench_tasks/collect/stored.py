"""What stands in a sample's store: what each stage found."""

from collections.abc import Mapping

from inspect_ai.util import StoreModel
from pydantic import Field

from refusalbench_tasks.collect.found import Candidates, GoldSource
from refusalbench_tasks.collect.outcome import Rejection
from refusalbench_tasks.collect.queries import Queries
from refusalbench_tasks.collect.question_draft import QuestionDraft
from refusalbench_tasks.collect.reading import Reading
from refusalbench_tasks.collect.record import Record
from refusalbench_tasks.collect.writer import Made
from refusalbench_tasks.judging.ask import Answer, Spent


class Collecting(StoreModel):
    """What each stage found; `failure` is how the writer failed, `rejection` where and why the record ended."""

    queries: Queries | None = Field(default=None)
    gold: GoldSource | None = Field(default=None)
    draft: QuestionDraft | None = Field(default=None)
    candidates: Candidates | None = Field(default=None)
    dropped: dict[str, int] = Field(default_factory=dict)
    record: Record | None = Field(default=None)
    rejection: Rejection | None = Field(default=None)
    failure: Rejection | None = Field(default=None)
    spent: dict[str, Spent] = Field(default_factory=dict)
    readings: list[Reading] = Field(default_factory=list)

    @property
    def ended(self) -> bool:
        """Whether the record is rejected, or its writer failed."""
        return self.rejection is not None or self.failure is not None

    def spend(self, stage: str, spent: Spent) -> None:
        """Add what a stage took."""
        self.spent = {**self.spent, stage: self.spent.get(stage, Spent()) + spent}

    def reject(self, stage: str, reason: str, detail: str = "", shortfall: Mapping[str, int] | None = None) -> None:
        """End the record."""
        self.rejection = Rejection(stage=stage, reason=reason, detail=detail, shortfall=dict(shortfall or {}))

    def fail(self, stage: str, reason: str | None) -> None:
        """End the record without a verdict: its writer gave nothing that can be used."""
        self.failure = Rejection(stage=stage, reason=reason or "no_answer")

    def take(self, stage: str, made: Made[Answer]) -> None:
        """Note what a writer's call took, and end the record if it gave nothing that keeps the rules."""
        self.spend(stage, made.spent)
        if made.answer is None:
            self.fail(stage, made.failure)
        elif made.broken:
            first = next(iter(made.broken)).partition("/")[0]
            self.reject(stage, first, "; ".join(made.broken.values()))

    def shown(self) -> str:
        """Return the record's question, or where and why it ended."""
        end = self.rejection or self.failure
        if end is not None:
            return f"{end.stage}: {end.reason}. {end.detail}".strip()
        return self.record.question if self.record else ""
