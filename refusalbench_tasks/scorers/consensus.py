"""The score of a generated item: accepted by every verifier, rejected by a rule or a verifier, or undecided."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from inspect_ai.model import CachePolicy, Model, get_model
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState
from inspect_ai.util import collect

from refusalbench_tasks.errors import one_of
from refusalbench_tasks.generators.audit import audit_probability, check_share
from refusalbench_tasks.generators.breaker import LONGEST_RUN, count, require_alive
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.consensus import consensus, reasons
from refusalbench_tasks.generators.levers import Lever, load_levers
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.verification import ItemVote, verify
from refusalbench_tasks.metrics.generation import generation_metrics
from refusalbench_tasks.scorers.verifiers import verifiers
from refusalbench_tasks.solvers.perturbation import Generation, cache_policy, cell_of

Verify = Literal["until_fail", "all"]
SCORER = "consensus_scores"


@scorer(metrics=[generation_metrics()])
def consensus_scores(
    verify: Verify = "until_fail",
    self_votes: bool = True,
    lever_file: str | None = None,
    cache: bool = True,
    seed: int = 0,
    audit_share: float = 0.0,
    max_failures: int = LONGEST_RUN,
) -> Scorer:
    """Score a candidate by the votes of the role `verifier`: accepted 1 or 0, NaN while a vote is missing.

    Votes that the log already holds for the same text are used again, so scoring a log anew asks only for those that
    are missing.

    Args:
        verify: `until_fail` asks one verifier after another and stops at the first FAIL; `all` asks every one, for
            agreement tables.
        self_votes: Whether the writer may vote on its own candidates.
        lever_file: A file with levers beside the bundled ones.
        cache: As in `perturbation`.
        seed: As in `perturbation`.
        audit_share: With `until_fail`, the share of the slots that every verifier judges all the same, so that pass
            rates and agreement can be estimated.
        max_failures: Failures of one verifier in a row that stop the run with its error; 0 allows any number.
    """
    one_of("verify", verify, Verify)
    check_share(audit_share)
    known = load_levers(lever_file)

    async def score(state: TaskState, target: Target) -> Score:
        slot, stored = state.metadata_as(Slot), state.store_as(Generation)
        if stored.candidate is None:
            reason = stored.failure or ("not_applicable" if stored.declined else "not_written")
            return _score(slot, stored, None, reason, (), 0.0)
        if stored.broken:
            return _score(slot, stored, False, None, tuple(stored.broken.values()), 0.0)
        judges = verifiers(self_votes)
        names = [str(judge) for judge in judges]
        chosen = 1.0 if verify == "all" or len(names) == 1 else audit_probability(slot, audit_share)
        share = stored.panel_share = max(chosen, _asked_before(state, stored, names))
        kept = _kept(state, stored)
        cell = cell_of(slot, known)
        mode: Verify = "all" if share else "until_fail"
        panel = _Panel(judges, slot, stored.candidate, cell, cache_policy(cache, seed), max_failures)
        stored.votes = await _votes(panel, kept, mode)
        outcome = consensus(stored.votes, names)
        if outcome == "undecided":
            return _score(slot, stored, None, "undecided", (), share)
        return _score(slot, stored, outcome == "accepted", None, reasons(stored.votes), share)

    return score


def _asked_before(state: TaskState, stored: Generation, names: Sequence[str]) -> float:
    """Return with which probability an earlier scoring asked the whole of this panel, whatever it then answered."""
    share = max(stored.panel_share, float(_earlier(state).get("panel_share") or 0.0))
    return share if set(names) <= {vote.verifier for vote in _kept(state, stored)} else 0.0


def _earlier(state: TaskState) -> dict[str, Any]:
    """Return what the newest earlier scoring noted."""
    named = [score for name, score in (state.scores or {}).items() if name.rstrip("-0123456789") == SCORER]
    return (named[-1].metadata or {}) if named else {}


def _kept(state: TaskState, stored: Generation) -> list[ItemVote]:
    """Return the votes of the log: those of an earlier scoring, which its store does not hold, win."""
    votes = {vote.verifier: vote for vote in stored.votes}
    for entry in _earlier(state).get("votes", ()):
        vote = ItemVote.model_validate(entry)
        votes[vote.verifier] = vote
    return list(votes.values())


@dataclass(frozen=True)
class _Panel:
    """Who judges which candidate, and how."""

    judges: Sequence[Model]
    slot: Slot
    candidate: Candidate
    cell: Sequence[Lever]
    cache: CachePolicy | bool
    max_failures: int

    async def vote(self, judge: Model) -> ItemVote:
        """Return a judge's vote. Raises DataError if it has failed too often in a row."""
        found = await verify(judge, self.slot, self.candidate, self.cell, self.cache)
        count(judge, found)
        if found.passed is None:
            require_alive([judge], self.max_failures)
        return found


async def _votes(panel: _Panel, kept: Sequence[ItemVote], mode: Verify) -> list[ItemVote]:
    names = [str(judge) for judge in panel.judges]
    votes = {
        v.verifier: v
        for v in kept
        if v.digest == panel.candidate.digest and v.passed is not None and v.verifier in names
    }
    missing = [judge for judge in panel.judges if str(judge) not in votes]
    if mode == "all":
        for vote in await collect(*(panel.vote(judge) for judge in missing)):
            votes[vote.verifier] = vote
    for judge in missing if mode == "until_fail" else ():
        if any(vote.passed is False for vote in votes.values()):
            break
        votes[str(judge)] = await panel.vote(judge)
    return [votes[name] for name in names if name in votes]


def _score(
    slot: Slot, stored: Generation, accepted: bool | None, reason: str | None, why: tuple[str, ...], share: float
) -> Score:
    candidate = stored.candidate
    votes = stored.votes
    return Score(
        value={
            "accepted": float("nan") if accepted is None else float(accepted),
            "written": float(candidate is not None),
            "checks_passed": float("nan") if candidate is None else float(not stored.broken),
            "calls": float(stored.spent.calls + sum(vote.spent.calls for vote in votes)),
            "tokens": float(stored.spent.tokens + sum(vote.spent.tokens for vote in votes)),
            "unscored": float(accepted is None),
        },
        answer=None if accepted is None else "accepted" if accepted else "rejected",
        explanation="\n".join(why) or None,
        reason=reason,
        metadata={
            "slot_id": slot.slot_id,
            "candidate": candidate.model_dump(mode="json") if candidate else None,
            "declined": [one.model_dump(mode="json") for one in stored.declined],
            "broken": sorted(stored.broken),
            "reasons": list(why),
            "votes": [vote.model_dump(mode="json") for vote in votes],
            "writer": str(get_model()),
            "panel_share": share,
        },
    )
