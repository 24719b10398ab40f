"""Candidates as generation logs hold them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from inspect_ai.log import EvalLog

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.kit.log_samples import Unreadable
from refusalbench_tasks.generators.kit.run_logs import FoundRuns, find_task_runs, last_score, read_noted
from refusalbench_tasks.generators.known_bases import KnownBases
from refusalbench_tasks.generators.noted import Skipped
from refusalbench_tasks.generators.relative_intensity import IntensityRank
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.verification import ItemVote
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass

SCORER = "consensus_scores"


@dataclass(frozen=True)
class Generated:
    """One candidate: who wrote it, for which slot, how the verifiers voted, and what followed (None is undecided).

    Tables count it as a `Counted`.
    """

    writer: str
    slot: Slot
    candidate: Candidate | None
    votes: tuple[ItemVote, ...]
    accepted: bool | None
    panel_share: float = 0.0
    """The probability with which the whole panel was to vote whatever the outcome; 0 where asking might stop early."""
    broken: tuple[str, ...] = ()
    """The rules that rejected it, so that nobody was asked to vote."""
    reason: str | None = None
    """Why nothing was decided."""
    ranking: IntensityRank | None = None
    """Its place among its siblings, by a model that did not know the plan."""
    skipped: tuple[Skipped, ...] = ()
    """Levers that were not tried, as the writer was hardly ever accepted with them."""

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """Return what a model would be shown."""
        assert self.candidate is not None
        return self.candidate.query, self.candidate.passages

    @property
    def slot_id(self) -> str:
        """Return the id of the planned item."""
        return self.slot.slot_id

    @property
    def sample_id(self) -> str:
        """Return the id of this attempt."""
        return self.slot.sample_id

    @property
    def attempt(self) -> int:
        """Return which attempt at its slot this is, from 1."""
        return self.slot.attempt

    @property
    def perturbation(self) -> PerturbationClass:
        """Return the class."""
        return self.slot.perturbation

    @property
    def intensity(self) -> Intensity:
        """Return the intensity."""
        return self.slot.intensity

    @property
    def expected(self) -> Label:
        """Return the behaviour that is right for the item."""
        return self.slot.expected

    @property
    def source_id(self) -> str:
        """Return the base question."""
        return self.slot.base.source_id

    @property
    def lever(self) -> str:
        """Return the lever that was asked for, or else the one that was used."""
        return self.slot.lever or (self.candidate.lever if self.candidate else "(none)")

    @property
    def used_lever(self) -> str:
        """Return the lever that the writer says it used; no text if it wrote nothing."""
        return self.candidate.lever if self.candidate else ""

    @property
    def written(self) -> bool:
        """Whether there is a text."""
        return self.candidate is not None

    @property
    def order_digest(self) -> int:
        """Return a number that depends on question and passages; -1 without them."""
        return int(self.candidate.digest, 16) if self.candidate else -1


@dataclass(frozen=True)
class GenerationRun:
    """A generation log: its header, its candidates (every attempt at every slot), and how many slots it took up."""

    header: EvalLog
    items: tuple[Generated, ...]
    slots: int


@dataclass(frozen=True)
class Generation(FoundRuns[GenerationRun]):
    """The generation runs that files and folders hold, and what was left out, by log."""

    @property
    def items(self) -> list[Generated]:
        """Return the candidates of all runs."""
        return [item for run in self.runs for item in run.items]


def read_runs(paths: Iterable[str]) -> Generation:
    """Return the finished generation runs in files and folders. Raises DataError, which says why, if there is none."""
    found = find_runs(paths)
    check_found(found)
    return found


def check_found(found: FoundRuns[Any]) -> None:
    """Raise DataError, which says why, if no generation run was found."""
    if found.runs:
        return
    if not found.left_out:
        raise DataError("no generation logs there; they are made by `inspect eval refusalbench_tasks/perturb`")
    (name, reason), *others = found.left_out
    more = f" (and {len(others)} more)" if others else ""
    raise DataError(f"no generation log can be used: {name}: {reason}{more}")


def find_runs(paths: Iterable[str]) -> Generation:
    """Return the finished generation runs in files and folders; what cannot be read is left out and named.

    Each log is read once, sample by sample (`read_samples`), so that all attempts are seen.
    """
    found = find_task_runs(paths, "perturb", _run)
    return Generation(found.runs, found.left_out)


def _run(header: EvalLog) -> tuple[GenerationRun | None, list[Unreadable]]:
    bases = KnownBases()

    def noted(sample: Mapping[str, Any]) -> tuple[str, Generated | None]:
        slot = bases.slot_of(sample["metadata"])
        return slot.slot_id, candidate_in(header, slot, sample)

    found, unread = read_noted(header.location, noted)
    items = tuple(item for _, item in found if item is not None)
    run = GenerationRun(header, items, len({slot_id for slot_id, _ in found}))
    return run if items or not unread else None, unread


def candidate_in(header: EvalLog, slot: Slot, sample: Mapping[str, Any]) -> Generated | None:
    """Return the candidate as it was last scored; None for a sample that ended in an error."""
    score = last_score(sample, SCORER)
    if score is None:
        return None
    about: Mapping[str, Any] = score.get("metadata") or {}
    candidate = Candidate.model_validate(about["candidate"]) if about.get("candidate") else None
    votes = tuple(ItemVote.model_validate(vote) for vote in about.get("votes", ()))
    accepted = None if score.get("answer") is None else score["answer"] == "accepted"
    broken = tuple(map(str, about.get("broken", ())))
    share, reason = _panel_share(header, about), score.get("reason")
    ranking = IntensityRank.model_validate(about["ranking"]) if about.get("ranking") else None
    skipped = tuple(Skipped.model_validate(one) for one in about.get("skipped") or ())
    return Generated(header.eval.model, slot, candidate, votes, accepted, share, broken, reason, ranking, skipped)


def _panel_share(header: EvalLog, about: Mapping[str, Any]) -> float:
    """Return a candidate's share; logs without it are from before there were audits, and asked all or might stop."""
    noted = about.get("panel_share")
    asked_all = (header.eval.task_args or {}).get("verify") == "all"
    return float(noted) if noted is not None else float(asked_all)
