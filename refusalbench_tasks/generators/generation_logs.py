"""Candidates as generation logs hold them."""

from collections.abc import Iterable
from dataclasses import dataclass

from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.scorer import Score

from refusalbench_tasks.log_reading import LogHeaders

from .draft import Candidate
from .kit.runs import TaskRun, TaskRuns
from .perturb_record import PERTURB, Noted
from .slot import ItemSlot
from .verification import ItemVote


@dataclass(frozen=True)
class Generated:
    """One candidate: who wrote it, for which slot, how the verifiers voted, and what
    followed (None is undecided).
    """

    writer: str
    slot: ItemSlot
    candidate: Candidate | None
    votes: tuple[ItemVote, ...]
    accepted: bool | None
    panel_share: float = 0.0
    """1 where the whole panel was to vote whatever the outcome; 0 where asking might
    stop early.
    """
    broken: tuple[str, ...] = ()
    """The checks that it breaks."""
    reason: str | None = None
    """Why nothing was decided."""

    @property
    def cast(self) -> dict[str, bool]:
        """Return what each verifier said that said something."""
        return {
            vote.verifier: vote.passed for vote in self.votes if vote.passed is not None
        }

    @property
    def judged(self) -> bool:
        """Whether it is a first attempt with every vote of a panel that was to vote
        whatever the outcome.
        """
        complete = bool(self.votes) and len(self.cast) == len(self.votes)
        return self.slot.attempt == 1 and self.panel_share > 0 and complete


GenerationRun = TaskRun[Generated]
Generations = TaskRuns[Generated]


def read_runs(paths: Iterable[str] | LogHeaders) -> Generations:
    """Return the finished generation runs in files and folders.

    Raises DataError, which says why, if there is none.
    """
    return PERTURB.require(find_runs(paths))


def find_runs(paths: Iterable[str] | LogHeaders) -> Generations:
    """Return the finished generation runs in files and folders; what cannot be read is
    left out and named.
    """
    return PERTURB.read(paths, _candidate_in)


def _candidate_in(
    header: EvalLog,
    sample: EvalSample,
    score: Score,
    noted: Noted,
) -> Generated:
    return Generated(
        writer=header.eval.model,
        slot=ItemSlot.model_validate(sample.metadata),
        candidate=noted.candidate,
        votes=noted.votes,
        accepted=None if score.answer is None else score.answer == "accepted",
        panel_share=noted.panel_share,
        broken=noted.broken,
        reason=score.reason,
    )
