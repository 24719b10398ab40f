"""What a sample of `perturb` holds: between solver and scorer in its store, and
afterwards in its score.
"""

from typing import Any

from inspect_ai.scorer import Score
from inspect_ai.util import StoreModel
from pydantic import BaseModel, Field

from refusalbench_tasks.judging.ask import Spent

from .draft import Candidate
from .kit.annotator import Annotation
from .kit.maker import Maker
from .verification import ItemVote

SCORER = "consensus_scores"


class Declined(BaseModel):
    """A lever that the writer held to be inapplicable, and why."""

    lever: str
    why: str


class Generation(StoreModel):
    """What was written for a slot, which checks it breaks, how it was annotated, and
    the votes on it.
    """

    candidate: Candidate | None = None
    failure: str | None = None
    declined: list[Declined] = Field(default_factory=list)
    broken: dict[str, str] = Field(default_factory=dict)
    spent: Spent = Spent()
    reading: Annotation | None = None
    votes: list[ItemVote] = Field(default_factory=list)
    panel_share: float = 0.0
    siblings: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """The drafts of the same call, by intensity: what was written together is verified
    together.
    """
    shared_spent: Spent = Spent()
    """What annotations and votes of all siblings took, where this sample was the one
    that asked for them.
    """


class Noted(BaseModel):
    """The metadata of a score: what was written, which checks it breaks, how it was
    annotated and judged, and why.

    `panel_share` is 1 where the whole panel was to vote whatever its first members
    said.
    """

    slot_id: str
    candidate: Candidate | None = None
    declined: tuple[Declined, ...] = ()
    broken: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    votes: tuple[ItemVote, ...] = ()
    writer: str = ""
    panel_share: float = 0.0
    reading: Annotation | None = None


def _why_not_accepted(score: Score) -> list[str]:
    """Return why a candidate was not accepted, by the names of the metrics; nothing if
    it was.
    """
    noted = Noted.model_validate(score.metadata or {})
    if score.answer == "accepted":
        return []
    if score.answer is None:
        return [score.reason or "undecided"]
    if noted.broken:
        return [f"check/{name}" for name in noted.broken]
    criteria = {name for vote in noted.votes for name in vote.failed_criteria}
    return [f"criterion/{name}" for name in sorted(criteria)] or ["reading"]


PERTURB = Maker(
    task="perturb",
    scorer=SCORER,
    noted=Noted,
    packages=("refusalbench_tasks.generators", "refusalbench_tasks.generators.kit"),
    why_not_accepted=_why_not_accepted,
)
