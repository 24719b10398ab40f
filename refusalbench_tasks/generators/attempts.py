"""The source of a run's samples: the plan, and a new attempt for each rejected candidate."""

from collections.abc import Sequence

from inspect_ai import SampleSource
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSample

from refusalbench_tasks.generators.slot import Slot

SCORER = "consensus_scores"


class Attempts(SampleSource):
    """Runs every slot of a plan; asks anew, with the reasons, for a rejected candidate until the cap is reached.

    A follow-up's id and content follow from the rejected sample alone, so a run that was killed and retried ends in the
    same set. What is undecided is not asked for anew: a vote is missing, not a better text.
    """

    def __init__(self, slots: Sequence[Slot], attempts: int) -> None:
        self.slots, self.attempts = slots, attempts

    def initial_samples(self) -> list[Sample]:
        """Return the first attempt at every slot."""
        return [slot.to_sample() for slot in self.slots]

    async def sample_complete(self, sample: EvalSample) -> list[Sample] | None:
        """Return the next attempt, if this one was rejected and the cap allows it."""
        score = (sample.scores or {}).get(SCORER)
        if score is None or score.answer != "rejected":
            return None
        slot = Slot.model_validate(sample.metadata)
        if slot.attempt >= self.attempts:
            return None
        found = (score.metadata or {}).get("reasons", ())
        return [slot.again(tuple(str(reason) for reason in found)).to_sample()]
