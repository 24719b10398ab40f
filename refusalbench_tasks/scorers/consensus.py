"""The score of a generated item: accepted by every verifier, rejected by a rule or a verifier, or undecided."""

from collections.abc import Sequence
from typing import Any, Literal

from inspect_ai.model import CachePolicy, Model, get_model
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from refusalbench_tasks.errors import one_of
from refusalbench_tasks.generators.audit import audit_probability, check_share
from refusalbench_tasks.generators.blind_reading import BlindReading, Use, objection, read_blind
from refusalbench_tasks.generators.breaker import LONGEST_RUN, count, require_alive
from refusalbench_tasks.generators.consensus import consensus, reasons
from refusalbench_tasks.generators.levers import load_levers
from refusalbench_tasks.generators.order import Order
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.verification import IntensityUse, ItemVote
from refusalbench_tasks.judging.ask import Spent
from refusalbench_tasks.metrics.generation import generation_metrics
from refusalbench_tasks.scorers.panel import Panel, Verify, prices_of
from refusalbench_tasks.scorers.verifiers import reader, verifiers
from refusalbench_tasks.solvers.perturbation import Generation, cache_policy, cell_of

Asked = Literal["learnt", "given"]
SCORER = "consensus_scores"


@scorer(metrics=[generation_metrics()])
def consensus_scores(
    verify: Verify = "until_fail",
    self_votes: bool = False,
    lever_file: str | None = None,
    cache: bool = True,
    seed: int = 0,
    audit_share: float = 0.0,
    max_failures: int = LONGEST_RUN,
    reading: Use = "gate",
    intensity: IntensityUse = "record",
    order: Asked = "learnt",
) -> Scorer:
    """Score a candidate by the votes of the role `verifier`: accepted 1 or 0, NaN while a vote is missing.

    Votes and readings that the log already holds for the same text are used again, so scoring a log anew asks only for
    those that are missing.

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
        reading: Whether a model (role `reader`, else the first verifier) reads the item blind before the panel votes:
            `gate` rejects a LOW item that is not answered with the original answer, and any other that is; `record`
            only notes what was read; `off` (the paper) asks nobody.
        intensity: Whether a verifier's view of the intensity is only written down (`record`) or is a criterion like
            the others (`veto`, the paper).
        order: With `until_fail`, whether the verifiers that fail most are asked first, as the run learns by class, or
            always as they are given (`given`).
    """
    one_of("verify", verify, Verify)
    one_of("reading", reading, Use)
    one_of("intensity", intensity, IntensityUse)
    one_of("order", order, Asked)
    check_share(audit_share)
    known = load_levers(lever_file)
    learnt = Order() if order == "learnt" else None

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
        share = max(chosen, _asked_before(state, stored, names))
        kept, policy = _kept(state, stored), cache_policy(cache, seed)
        against = None
        if reading != "off":
            who = reader(judges)
            stored.reading = await _read(state, stored, slot, who, policy)
            _count_reading(who, judges, stored.reading, max_failures)
            against = objection(slot, stored.reading) if reading == "gate" else None
        if against and not share:
            return _score(slot, stored, False, None, (against,), 0.0)
        stored.panel_share = share
        if learnt is not None and learnt.prices is None:
            learnt.prices = prices_of(judges)
        panel = Panel(judges, slot, stored.candidate, cell_of(slot, known), policy, max_failures, intensity, learnt)
        stored.votes = await panel.votes(kept, "all" if share else "until_fail")
        outcome = consensus(stored.votes, names)
        if against:
            return _score(slot, stored, False, None, (against, *reasons(stored.votes)), share)
        unread = reading == "gate" and stored.reading is not None and stored.reading.label is None
        if outcome == "undecided" or (unread and outcome == "accepted"):
            return _score(slot, stored, None, "undecided", (), share)
        return _score(slot, stored, outcome == "accepted", None, reasons(stored.votes), share)

    return score


def _count_reading(who: Model, judges: Sequence[Model], read: BlindReading, max_failures: int) -> None:
    """Count a missing reading as a failure of its model. Raises DataError if there were too many in a row."""
    done = True if read.label is not None else None
    if done and who in judges:
        return  # a verifier that reads and casts no vote is still failing
    count(who, ItemVote(verifier=str(who), digest=read.digest, passed=done, failure=read.failure))
    if not done:
        require_alive([who], max_failures)


async def _read(
    state: TaskState, stored: Generation, slot: Slot, model: Model, policy: CachePolicy | bool
) -> BlindReading:
    """Return the reading of the log for the same text, else a new one."""
    assert stored.candidate is not None
    noted = _earlier(state).get("reading")
    earlier = BlindReading.model_validate(noted) if noted else stored.reading
    if earlier is not None and earlier.digest == stored.candidate.digest and earlier.label is not None:
        return earlier
    return await read_blind(model, slot, stored.candidate, policy)


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


def _score(
    slot: Slot, stored: Generation, accepted: bool | None, reason: str | None, why: tuple[str, ...], share: float
) -> Score:
    candidate = stored.candidate
    votes, read = stored.votes, stored.reading
    spent = sum((vote.spent for vote in votes), stored.spent + (read.spent if read else Spent()))
    return Score(
        value={
            "accepted": float("nan") if accepted is None else float(accepted),
            "written": float(candidate is not None),
            "checks_passed": float("nan") if candidate is None else float(not stored.broken),
            "calls": float(spent.calls),
            "tokens": float(spent.tokens),
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
            "reading": read.model_dump(mode="json") if read else None,
        },
    )
