"""The task `perturb`: its settings, and the run that they ask for."""

from collections.abc import Callable, Sequence

from inspect_ai import SampleSource, Task, enqueue_sample
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalSample

from refusalbench_tasks.datasets.draw import fingerprint, shard_facts
from refusalbench_tasks.datasets.item import SETTINGS

from .curation import curate
from .inspect_entry import consensus_scores, perturbation
from .kit import once_a_run, one_run
from .kit.panel import require_bound, require_verifiers
from .levers import lever_facts, load_levers, select_levers
from .perturb_record import PERTURB, SCORER
from .perturb_settings import (
    CandidateSettings,
    PerturbSettings,
)
from .plan import (
    make_plan,
    shard_plan,
    with_siblings,
)
from .slot import ItemSlot, Rejected

Following = Callable[[EvalSample], tuple[Sample, int] | None]
"""Returns the sample that follows a finished one, with its epoch; None if none does."""


class Attempts(SampleSource):
    """Runs every sample of a plan, and those that follow.

    What follows depends on the finished sample alone, so a run that was killed and
    retried ends in the same set. Attempts at an item share its id, and each is an epoch
    of it: Inspect's `--limit` counts ids.
    """

    def __init__(
        self,
        first: Sequence[Sample],
        following: Following,
    ) -> None:
        self._first = list(first)
        self._following = following

    def initial_samples(self) -> list[Sample]:
        """Return the first attempt at every item."""
        return self._first

    async def sample_complete(self, sample: EvalSample) -> None:
        """Add the next attempt to the run, if there is to be one."""
        following = self._following(sample)
        if following is not None:
            attempt, epoch = following
            enqueue_sample(attempt, epoch=epoch)


NOT_WRITTEN = {
    "not_written": "No item was given.",
    "writer_refusal": "The reply was stopped by a safety filter.",
    "writer_truncated": "The reply was cut off; be brief.",
    "writer_no_payload": "The reply held no item in the form that is asked for.",
    "writer_schema_mismatch": "The reply did not have the fields that are asked for.",
}
"""What a writer is told that gave no item, by the reason for which its attempt is
unscored.
"""
_UNTOLD = {
    "classes",
    "intensities",
    "levers",
    "lever_file",
    "cache",
    "max_failures",
    "shard",
}
"""The settings of which the log's metadata says nothing, or the same in other words."""


@one_run()
def perturb_task(version: str, settings: PerturbSettings) -> Task:
    """Return the run that the arguments ask for.

    Raises DataError for what can't be run.
    """
    require_bound()
    curated = curate(settings.bases)
    bases = curated.items
    known = once_a_run(
        load_levers,
        settings.lever_file,
        settings.ground,
    )
    levers = select_levers(
        known,
        settings.classes,
        settings.intensities,
        settings.levers,
    )
    whole = make_plan(
        bases,
        levers,
        settings.coverage,
        settings.seed,
    )
    if settings.together:
        whole = with_siblings(whole)
    plan = shard_plan(whole, settings.shard, settings.seed)
    remembered = settings.model_dump(include=set(CandidateSettings.model_fields))
    samples = [slot.to_sample(remembered) for slot in plan]
    source: MemoryDataset | Attempts = MemoryDataset(
        samples, name="RefusalBench-perturb"
    )
    if settings.attempts > 1:
        source = Attempts(samples, lambda done: following(done, settings.attempts))
    parts = (
        require_verifiers(
            settings.self_votes, settings.max_failures, settings.reading != "off"
        ),
        perturbation(**remembered),
        consensus_scores(**remembered),
    )
    facts = {
        **settings.model_dump(exclude=_UNTOLD),
        "bases_fingerprint": fingerprint(bases),
        "licence": curated.licence,
        "base_questions": len(bases),
        "planned": len(plan),
        **shard_facts(settings.shard, whole),
        **lever_facts(levers, known),
    }
    return PERTURB.build(
        version,
        source,
        parts,
        facts,
    )


def following(sample: EvalSample, attempts: int) -> tuple[Sample, int] | None:
    """Return the next attempt at the item of a finished sample, with its epoch; None if
    there is to be none.

    A further attempt shows the last candidate and all reasons so far. A slot for which
    nothing was written is asked for again too. What is undecided is not: a vote is
    missing, not a better text; nor what no lever fits.
    """
    score = (sample.scores or {}).get(SCORER)
    slot = ItemSlot.model_validate(sample.metadata)
    if score is None or slot.attempt >= attempts:
        return None
    if score.answer == "rejected":
        noted = PERTURB.note(score)
        candidate = noted.candidate
        last = None
        if candidate is not None:
            last = Rejected(query=candidate.query, passages=candidate.passages)
        slot = slot.again(noted.reasons, last)
    elif score.answer is None and score.reason in NOT_WRITTEN:
        slot = slot.again((NOT_WRITTEN[score.reason],), slot.last)
    else:
        return None
    return slot.to_sample(sample.metadata.get(SETTINGS)), slot.attempt
