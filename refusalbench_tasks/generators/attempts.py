"""The source of a run's samples: the plan, and a new attempt for each rejected candidate."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai import SampleSource, enqueue_sample
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSample

from refusalbench_tasks.generators.slot import Rejected, Slot

SCORER = "consensus_scores"
NOT_WRITTEN = {
    "not_written": "No item was given.",
    "grader_refusal": "The reply was stopped by a safety filter.",
    "grader_truncated": "The reply was cut off; be brief.",
    "grader_no_payload": "The reply held no item in the form that is asked for.",
    "grader_schema_mismatch": "The reply did not have the fields that are asked for.",
}
"""What a writer is told that gave no item, by the reason for which its attempt is unscored."""


class Attempts(SampleSource):
    """Runs every slot of a plan; asks anew, with what was wrong, until an item is decided or the cap is reached.

    A further attempt shows the last candidate and all reasons so far. A slot for which nothing was written is asked for
    again too. What is undecided is not: a vote is missing, not a better text; nor what no lever fits. A follow-up
    follows from the finished sample alone, so a run that was killed and retried ends in the same set. Attempts at an
    item share its id, and each is an epoch of it: Inspect's `--limit` counts ids.
    """

    def __init__(self, slots: Sequence[Slot], attempts: int) -> None:
        self.slots, self.attempts = slots, attempts

    def initial_samples(self) -> list[Sample]:
        """Return the first attempt at every slot."""
        return [slot.to_sample() for slot in self.slots]

    async def sample_complete(self, sample: EvalSample) -> None:
        """Add the next attempt to the run, if this one was rejected or not written and the cap allows it."""
        score = (sample.scores or {}).get(SCORER)
        if score is None:
            return
        following = next_attempt(
            Slot.model_validate(sample.metadata), score.answer, score.reason, score.metadata or {}, self.attempts
        )
        if following is not None:
            enqueue_sample(following.to_sample(), epoch=following.attempt)


def next_attempt(
    slot: Slot, outcome: str | None, reason: str | None, about: Mapping[str, Any], attempts: int
) -> Slot | None:
    """Return the slot of the next attempt, None if there is to be none.

    `outcome` is what was decided, `reason` why nothing was, `about` the score's metadata.
    """
    if slot.attempt >= attempts:
        return None
    if outcome == "rejected":
        candidate = about.get("candidate") or {}
        last = Rejected(query=candidate["query"], passages=candidate["passages"]) if candidate else None
        return slot.again(tuple(str(one) for one in about.get("reasons", ())), last)
    if outcome is None and reason in NOT_WRITTEN:
        return slot.again((NOT_WRITTEN[reason],), slot.last)
    return None
