"""The score of a generated item: accepted by every verifier, rejected by a rule or a verifier, or undecided."""

from collections.abc import Sequence
from typing import Any, Literal

from inspect_ai.model import CachePolicy, Model, get_model
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from refusalbench_tasks.errors import one_of
from refusalbench_tasks.generators.audit import audit_probability, check_share
from refusalbench_tasks.generators.blind_reading import BlindReading, Use, objection, read_blind
from refusalbench_tasks.generators.cell import cell_of
from refusalbench_tasks.generators.consensus import consensus, reasons
from refusalbench_tasks.generators.family_panel import FamilyPanel, FamilyVerdicts, count_reading, standing
from refusalbench_tasks.generators.generation_metrics import generation_metrics
from refusalbench_tasks.generators.hopeless import tries_of
from refusalbench_tasks.generators.joint_verification import Item, verify_as_together
from refusalbench_tasks.generators.kit.breaker import LONGEST_RUN
from refusalbench_tasks.generators.kit.call_cache import cache_policy
from refusalbench_tasks.generators.kit.shared_calls import SharedCalls
from refusalbench_tasks.generators.kit.verifiers import reader, verifiers
from refusalbench_tasks.generators.levers import Lever, load_levers
from refusalbench_tasks.generators.noted import Noted
from refusalbench_tasks.generators.order import Order
from refusalbench_tasks.generators.perturbation import Generation
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.generators.verification import IntensityUse, ItemVote
from refusalbench_tasks.generators.verification import verify as verify_alone
from refusalbench_tasks.generators.verifier_panel import Panel, Verify, prices_of
from refusalbench_tasks.judging.ask import Spent

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
    together: bool = False,
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
            the others (`veto`, the paper). With `rank` siblings that were written together are also put in order by a
            model that does not know their plan; that is written down too.
        order: With `until_fail`, whether the verifiers that fail most are asked first, as the run learns by class, or
            always as they are given (`given`).
        together: Whether verifiers are asked about a single item in the form for several, as those of a run with
            siblings are: all their prompts then begin alike.
    """
    one_of("verify", verify, Verify)
    one_of("reading", reading, Use)
    one_of("intensity", intensity, IntensityUse)
    one_of("order", order, Asked)
    check_share(audit_share)
    known = load_levers(lever_file)
    policy = cache_policy(cache, seed)
    learnt = Order() if order == "learnt" else None
    ask = verify_as_together if together else verify_alone
    shared: SharedCalls[FamilyVerdicts] = SharedCalls()

    async def score(state: TaskState, target: Target) -> Score:
        slot, stored = state.metadata_as(Slot), state.store_as(Generation)
        if stored.candidate is None:
            reason = stored.failure or ("not_applicable" if stored.declined else "not_written")
            return _score(slot, stored, None, reason, (), 0.0)
        if stored.broken:
            return _score(slot, stored, False, None, tuple(stored.broken.values()), 0.0)
        judges = verifiers(self_votes)
        names = [str(judge) for judge in judges]
        if learnt is not None and learnt.prices is None:
            learnt.prices = prices_of(judges)
        levers = cell_of(slot, known)
        siblings = standing(slot, stored.candidate, stored.siblings, known) if stored.siblings else []
        if len(siblings) > 1 and not stored.votes and not _earlier(state):
            share = await _judge_siblings(state, stored, siblings, judges)
        else:
            share = await _judge_alone(state, stored, slot, judges, levers)
        against = objection(slot, stored.reading) if reading == "gate" and stored.reading else None
        if against:
            why = (against, *(reasons(stored.votes) if share else ()))
            return _score(slot, stored, False, None, why, share)
        outcome = consensus(stored.votes, names)
        unread = reading == "gate" and stored.reading is not None and stored.reading.label is None
        if outcome == "undecided" or (unread and outcome == "accepted"):
            return _score(slot, stored, None, "undecided", (), share)
        return _score(slot, stored, outcome == "accepted", None, reasons(stored.votes), share)

    async def _judge_alone(
        state: TaskState, stored: Generation, slot: Slot, judges: Sequence[Model], cell: Sequence[Lever]
    ) -> float:
        """Have one item read and judged; return with which probability the whole panel was to vote."""
        assert stored.candidate is not None
        names = [str(judge) for judge in judges]
        share = max(_chosen(slot, names), _asked_before(state, stored, names))
        kept = _kept(state, stored)
        if reading != "off":
            who = reader(judges)
            stored.reading = await _read(state, stored, slot, who, policy)
            count_reading(who, judges, stored.reading, max_failures)
            if reading == "gate" and objection(slot, stored.reading) and not share:
                return 0.0
        stored.panel_share = share
        panel = Panel(judges, slot, stored.candidate, cell, policy, max_failures, intensity, learnt, ask)
        stored.votes = await panel.votes(kept, "all" if share else "until_fail")
        return share

    async def _judge_siblings(
        state: TaskState, stored: Generation, items: Sequence[Item], judges: Sequence[Model]
    ) -> float:
        """Have siblings read and judged, or take what was found when the first of them was scored."""
        names = [str(judge) for judge in judges]
        shares = {one.intensity: _chosen(one, names) for one, _ in items}
        who = reader(judges) if reading != "off" else None
        panel = FamilyPanel(judges, who, reading, known, policy, max_failures, intensity, learnt, shares)
        key = (str(get_model()), state.epoch, *(one.digest for _, one in items))
        found, mine = await shared.take(key, lambda: panel.judge(items), len(items))
        own = state.metadata_as(Slot).intensity
        stored.reading, stored.votes = found.of[own].reading, list(found.of[own].votes)
        stored.ranking = found.of[own].ranking
        stored.shared_spent = found.spent if mine else Spent()
        stored.panel_share = shares[own]
        return shares[own]

    def _chosen(slot: Slot, names: Sequence[str]) -> float:
        return 1.0 if verify == "all" or len(names) == 1 else audit_probability(slot, audit_share)

    return score


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
    if accepted is not None:
        tries_of(get_model()).add(slot, accepted)
    votes, read = stored.votes, stored.reading
    spent = sum((vote.spent for vote in votes), stored.spent + stored.shared_spent + (read.spent if read else Spent()))
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
        metadata=Noted(
            slot_id=slot.slot_id,
            candidate=candidate.model_dump(mode="json") if candidate else None,
            declined=tuple(stored.declined),
            skipped=tuple(stored.skipped),
            broken=tuple(sorted(stored.broken)),
            reasons=why,
            votes=tuple(votes),
            writer=str(get_model()),
            panel_share=share,
            reading=read,
            ranking=stored.ranking,
        ).model_dump(mode="json"),
    )
