"""The replies of `nq` and `garage` as metrics and reports see them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from inspect_ai.scorer import SampleScore, Score

from refusalbench_tasks.metrics.score_reading import ReadOnce
from refusalbench_tasks.outcome import Outcome, Protocol
from refusalbench_tasks.taxonomy import Intensity, Label


@dataclass(frozen=True)
class RefusalRow:
    """One score: the outcome, the row's metadata, how it was decided, its numbers, and why it is unscored if it is."""

    outcome: Outcome
    facts: Mapping[str, Any]
    about: Mapping[str, Any]
    numbers: Mapping[str, float]
    reason: str | None

    @property
    def is_control(self) -> bool:
        """Whether this is an unperturbed original beside the rows of the run; see `is_control`."""
        return is_control(self.facts)


def is_control(facts: Mapping[str, Any]) -> bool:
    """Whether a row's metadata makes it a control, which is in no main metric.

    Unperturbed rows of one's own are none. In logs that don't tell them apart, every unperturbed row is one.
    """
    return bool(facts.get("control", facts.get("intensity") == Intensity.CLEAN))


@ReadOnce
def rows_of(scores: Sequence[SampleScore]) -> list[RefusalRow]:
    """Return the rows of `refusal_scores` or `grounded_scores`; what has no numbers is left out."""
    return [
        refusal_row(sample.sample_metadata or {}, sample.score)
        for sample in scores
        if isinstance(sample.score.value, Mapping)
    ]


def refusal_row(facts: Mapping[str, Any], score: Score) -> RefusalRow:
    """Return the row of one sample's metadata and score."""
    numbers = cast(Mapping[str, float], score.value)
    predicted = Label(score.answer) if score.answer and not numbers["unscored"] else None
    expected, right = Label(facts["expected"]), numbers["right"]
    attempt = predicted is Label.ANSWER and expected is Label.ANSWER
    correct = bool(right) if attempt and not math.isnan(right) else None
    outcome = Outcome(expected, predicted, correct, str(facts["source_id"]))
    return RefusalRow(outcome, facts, score.metadata or {}, numbers, score.reason)


def protocol_of(rows: Iterable[RefusalRow]) -> Protocol:
    """Return the protocol that the rows were scored by."""
    return cast(Protocol, next((row.about.get("protocol") for row in rows if row.about.get("protocol")), "paper"))
