"""The one way in which `perturb`, `question` and `collect` make data: slots, of which
each is written, checked, read blind, voted on and scored.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from inspect_ai import SampleSource, Task
from inspect_ai.dataset import Dataset
from inspect_ai.log import EvalLog, EvalSample, HeadlineMetric
from inspect_ai.scorer import Score, Scorer
from inspect_ai.solver import Solver, TaskState
from pydantic import BaseModel

from refusalbench_tasks.datasets.draw import Shard, shard_entries
from refusalbench_tasks.judging.ask import Spent
from refusalbench_tasks.log_reading import LogHeaders

from .calls import prompt_hashes
from .progress import Reasons, tell_why_nothing_came
from .runs import (
    TaskRuns,
    newest_score,
    no_runs,
    read_task_runs,
)
from .yields import NAN, OUTCOMES

Noted = TypeVar("Noted", bound=BaseModel)
Item = TypeVar("Item")
AnySlot = TypeVar("AnySlot", bound="MakerSlot")


class MakerSlot(BaseModel, frozen=True):
    """A thing to be made: what solver and scorer read from a sample's metadata.

    `planned` is the number of slots in the plan of its shard, which no single score can
    know otherwise; None if unknown. `shard` counts from 1; 0 is a plan that is whole.
    """

    planned: int | None = None
    shard: int = 0


def shard_slots(
    slots: Sequence[AnySlot],
    shard: Shard | None,
    seed: int,
    source: Callable[[AnySlot], str],
    stratum: Callable[[AnySlot], str],
) -> list[AnySlot]:
    """Return the slots of one part of a plan, each knowing how many its part holds.

    All slots of one source stay together, and strata are spread. Errors as in
    `shard_entries`.
    """
    part = shard_entries(
        slots,
        shard,
        seed,
        source,
        stratum,
    )
    facts = {"planned": len(part), "shard": shard.shard if shard else 0}
    return [slot.model_copy(update=facts) for slot in part]


@dataclass(frozen=True)
class Maker(Generic[Noted]):
    """What tells one task that makes data from another, for its runs and their logs."""

    task: str
    scorer: str
    noted: type[Noted]
    """What a score notes, as its metadata."""
    packages: Sequence[str]
    """The packages whose prompts a log names."""
    why_not_accepted: Reasons

    def build(
        self,
        version: str,
        source: Dataset | SampleSource,
        parts: tuple[Solver, Solver, Scorer],
        facts: Mapping[str, Any],
    ) -> Task:
        """Return a run of samples; `parts` are its setup, its solver and its scorer."""
        setup, solver, scorer = parts
        prompts: dict[str, str] = {}
        for package in self.packages:
            prompts |= prompt_hashes(package)
        return Task(
            dataset=source,
            setup=setup,
            solver=solver,
            scorer=scorer,
            headline_metric=HeadlineMetric(scorer=self.scorer, metric="acceptance"),
            version=version,
            metadata={**facts, "prompts": prompts},
        )

    def score(
        self,
        noted: Noted,
        spent: Spent,
        answer: str | None,
        values: Mapping[str, float],
        reason: str | None = None,
        explanation: str = "",
    ) -> Score:
        """Return the score of a sample: its own values, what it took, and whether
        nothing was decided: it has no answer then, but a reason.
        """
        tell_why_nothing_came(
            self.task,
            self.scorer,
            self.why_not_accepted,
        )
        costs = {
            "calls": float(spent.calls),
            "tokens": float(spent.tokens),
            "unscored": float(answer is None),
        }
        return Score(
            value={**values, **costs},
            answer=answer,
            explanation=explanation or None,
            reason=reason,
            metadata=noted.model_dump(mode="json"),
        )

    def note(self, score: Score) -> Noted:
        """Return what a score notes. Raises ValueError if it is of another scorer."""
        return self.noted.model_validate(score.metadata or {})

    def earlier(self, state: TaskState) -> Noted | None:
        """Return what the newest earlier scoring of a sample noted; None if there was
        none.
        """
        newest = newest_score(state.scores, self.scorer)
        return self.note(newest) if newest and newest.metadata else None

    def read(
        self,
        logs: Iterable[str] | LogHeaders,
        item: Callable[[EvalLog, EvalSample, Score, Noted], Item],
    ) -> TaskRuns[Item]:
        """Return the finished runs in files and folders; what cannot be read is left
        out and named.

        `item` makes what is kept of a sample and its newest score; one that ended in an
        error has none.
        """

        def read_sample(header: EvalLog, sample: EvalSample) -> Item | None:
            score = newest_score(sample.scores, self.scorer)
            if score is None:
                return None
            return item(
                header,
                sample,
                score,
                self.note(score),
            )

        return read_task_runs(logs, self.task, read_sample)

    def require(self, runs: TaskRuns[Item]) -> TaskRuns[Item]:
        """Return runs. Raises DataError, which says why, if there is none."""
        if not runs.runs:
            raise no_runs(runs.left_out, self.task)
        return runs


def outcome_text(accepted: bool | None) -> str | None:
    """Return the answer of a score: accepted or rejected, None where nothing was
    decided.
    """
    return None if accepted is None else OUTCOMES[accepted]


def as_number(value: float | None) -> float:
    """Return a value, or an answer to yes or no, as a number; NaN for None."""
    return NAN if value is None else float(value)
