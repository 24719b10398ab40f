"""What the score of a candidate notes beside its numbers, as the log holds it."""

from typing import Any

from inspect_ai.scorer import SampleScore
from pydantic import BaseModel, ConfigDict

from refusalbench_tasks.generators.blind_reading import BlindReading
from refusalbench_tasks.generators.relative_intensity import IntensityRank
from refusalbench_tasks.generators.verification import ItemVote
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass


class Declined(BaseModel):
    """A lever that the writer held to be inapplicable, and why; without a name where it could choose among all."""

    lever: str | None
    why: str


class Skipped(BaseModel):
    """A lever that was not tried, because this writer was hardly ever accepted with it on answers of this kind."""

    lever: str
    tries: int
    accepted: int


class Noted(BaseModel):
    """The metadata of a score: what was written, which rules it breaks, how it was read and judged, and why.

    Logs of earlier versions lack some of it. `candidate` is as `Candidate` dumps it.
    """

    model_config = ConfigDict(extra="ignore")

    slot_id: str
    candidate: dict[str, Any] | None = None
    declined: tuple[Declined, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    broken: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    votes: tuple[ItemVote, ...] = ()
    writer: str = ""
    panel_share: float | None = None
    reading: BlindReading | None = None
    ranking: IntensityRank | None = None


class Plan(BaseModel):
    """Of the sample's slot what a metric needs; `planned` is the number of items in the plan of its shard."""

    model_config = ConfigDict(extra="ignore")

    perturbation: PerturbationClass
    intensity: Intensity
    attempt: int = 1
    planned: int | None = None
    shard: int = 0


class ScoredCandidate(BaseModel):
    """One candidate as a metric sees it: its slot, what was noted, and the numbers of its score.

    `accepted` is None where nothing was decided, with the reason.
    """

    plan: Plan
    noted: Noted
    accepted: bool | None
    reason: str | None
    calls: float
    tokens: float


def scored_candidate(sample: SampleScore) -> ScoredCandidate:
    """Return a candidate from its score and its sample. Raises ValueError for what is no score of a candidate."""
    numbers = sample.score.value
    if not isinstance(numbers, dict):
        raise ValueError("a candidate's score has a value for each of accepted, calls, tokens, unscored")
    amounts = {name: float(value) for name, value in numbers.items() if isinstance(value, int | float)}
    return ScoredCandidate(
        plan=Plan.model_validate(sample.sample_metadata or {}),
        noted=Noted.model_validate(sample.score.metadata or {}),
        accepted=None if amounts["unscored"] else bool(amounts["accepted"]),
        reason=sample.score.reason,
        calls=amounts["calls"],
        tokens=amounts["tokens"],
    )
