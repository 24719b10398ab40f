"""What a set of votes decides."""

from collections.abc import Sequence
from typing import Literal

from refusalbench_tasks.generators.verification import ItemVote

Outcome = Literal["accepted", "rejected", "undecided"]


def consensus(votes: Sequence[ItemVote], needed: Sequence[str]) -> Outcome:
    """Return what the votes of the needed verifiers decide: unanimity (paper §3.4).

    One FAIL rejects, whatever is missing. Without a FAIL, a missing vote leaves the item undecided, never rejected.
    Raises ValueError if nobody is needed: no votes are no consent.
    """
    if not needed:
        raise ValueError("at least one verifier must vote")
    cast = {vote.verifier: vote.passed for vote in votes if vote.passed is not None}
    if any(cast.get(name) is False for name in needed):
        return "rejected"
    return "accepted" if all(cast.get(name) for name in needed) else "undecided"


def reasons(votes: Sequence[ItemVote]) -> tuple[str, ...]:
    """Return what the rejecting verifiers found wrong, for the next attempt, without repeats."""
    found: dict[str, None] = {}
    for vote in votes:
        if vote.passed is False:
            said = (
                vote.issues or tuple(f"{criterion} is not met" for criterion in vote.failed_criteria) or ("rejected",)
            )
            found |= dict.fromkeys(issue.strip()[:300] for issue in said)
    return tuple(found)
