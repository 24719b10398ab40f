"""The replies of BLUFF-1000 as the metrics see them: rows, arrays, and pairs of arms."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

import numpy as np
from inspect_ai.scorer import SampleScore, Score

from refusalbench_tasks.metrics.score_reading import ReadOnce
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.stats.cluster import Floats

Dropped = Literal["missing_arm", "unscored", "refused", "no_confidence"]
DROPPED: tuple[Dropped, ...] = get_args(Dropped)


@dataclass(frozen=True)
class HedgingRow:
    """One scored reply: its numbers (NaN is unknown) and where it belongs."""

    question: str
    arm: str
    epoch: int
    numbers: Mapping[str, float]
    about: Mapping[str, Any]
    reason: str | None

    @property
    def density(self) -> float:
        """Return hedge terms per word."""
        return self.numbers["hedges"] / max(self.numbers["words"], 1.0)

    @property
    def answered(self) -> bool:
        """Whether the reply is known to be an answer."""
        return self.numbers["refused"] == 0

    @property
    def left_out(self) -> bool:
        """Whether the hedging metrics and the index leave the reply out as a refusal.

        The released evaluator does so for its phrase in the explanation as well, whose answer line is no refusal.
        """
        return self.numbers["refused"] == 1 or bool(self.about.get("refusal_in_text"))

    @property
    def graded(self) -> bool:
        """Whether the reply is known to be an answer and has a grade."""
        return self.answered and not math.isnan(self.numbers["correctness"])


@dataclass(frozen=True)
class Pair:
    """The two replies to one question; `dropped` says why the pair does not enter the published figures."""

    question: str
    clear: HedgingRow | None
    ambiguous: HedgingRow | None

    @property
    def dropped(self) -> Dropped | None:
        """Return the first reason that applies, None for a pair that is kept."""
        if self.clear is None or self.ambiguous is None:
            return "missing_arm"
        both = (self.clear.numbers, self.ambiguous.numbers)
        if any(numbers["unscored"] for numbers in both):
            return "unscored"
        if self.clear.left_out or self.ambiguous.left_out:
            return "refused"
        return "no_confidence" if any(math.isnan(numbers["confidence"]) for numbers in both) else None


@ReadOnce
def rows_of(scores: Sequence[SampleScore]) -> list[HedgingRow]:
    """Return the rows of `hedging_scores`."""
    return [hedging_row(sample.sample_metadata or {}, sample.score) for sample in scores]


def hedging_row(facts: Mapping[str, Any], score: Score) -> HedgingRow:
    """Return the row of one sample's metadata and score."""
    about = score.metadata or {}
    return HedgingRow(
        question=str(facts["source_id"]),
        arm=str(facts["arm"]),
        epoch=int(about.get("epoch", 1)),
        numbers=cast(Mapping[str, float], score.value),
        about=about,
        reason=score.reason,
    )


def pairs_of(rows: Sequence[HedgingRow]) -> list[Pair]:
    """Return one pair per question and epoch, by their ids, in the order of the ids."""
    arms: dict[tuple[str, int], dict[str, HedgingRow]] = defaultdict(dict)
    for row in rows:
        arms[row.question, row.epoch][row.arm] = row
    return [Pair(key[0], arms[key].get("clear"), arms[key].get("ambiguous")) for key in sorted(arms)]


def column(rows: Sequence[HedgingRow], value: str | Callable[[HedgingRow], float]) -> Floats:
    """Return one number of each row, shape (n,)."""
    read = value if callable(value) else lambda row: row.numbers[value]
    return np.array([read(row) for row in rows], dtype=float)


def protocol_of(rows: Sequence[HedgingRow]) -> Protocol:
    """Return the protocol that the rows were scored by."""
    return cast(Protocol, next((row.about.get("protocol") for row in rows if row.about.get("protocol")), "paper"))
