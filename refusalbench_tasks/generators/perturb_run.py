"""The task `perturb`: its settings, and the run that they ask for."""

from dataclasses import asdict

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalSample, HeadlineMetric
from inspect_ai.scorer import Score

from refusalbench_tasks.datasets.draw import fingerprint, shard_facts
from refusalbench_tasks.datasets.item import SETTINGS
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.kit.attempts import Attempts
from refusalbench_tasks.generators.kit.calls import prompt_hashes
from refusalbench_tasks.generators.kit.panel import require_bound, require_verifiers
from refusalbench_tasks.generators.kit.progress import tell_why_nothing_came
from refusalbench_tasks.generators.levers import lever_facts, load_levers, select_levers
from refusalbench_tasks.generators.noted import SCORER, Noted
from refusalbench_tasks.generators.perturb_settings import (
    CandidateSettings,
    PerturbSettings,
)
from refusalbench_tasks.generators.plan import (
    make_plan,
    shard_plan,
    survey,
    with_siblings,
)
from refusalbench_tasks.generators.registered import consensus_scores, perturbation
from refusalbench_tasks.generators.slot import ItemSlot, Rejected

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


def perturb_task(version: str, settings: PerturbSettings) -> Task:
    """Return the run that the arguments ask for.

    Raises DataError for what can't be run.
    """
    require_bound()
    tell_why_nothing_came("perturb", SCORER, why_not_accepted)
    curated = curate(settings.bases)
    questions = curated.items
    levers = load_levers(settings.lever_file, settings.ground)
    chosen = select_levers(
        levers, settings.classes, settings.intensities, settings.levers
    )
    whole = make_plan(questions, chosen, settings.coverage, settings.seed)
    whole = with_siblings(whole) if settings.together else whole
    plan = shard_plan(whole, settings.shard, settings.seed)
    remembered = settings.model_dump(include=set(CandidateSettings.model_fields))
    samples = [slot.to_sample(remembered) for slot in plan]
    source = (
        Attempts(samples, lambda done: following(done, settings.attempts))
        if settings.attempts > 1
        else None
    )
    return Task(
        dataset=source or MemoryDataset(samples, name="RefusalBench-perturb"),
        setup=require_verifiers(
            settings.self_votes, settings.max_failures, settings.reading != "off"
        ),
        solver=perturbation(**remembered),
        scorer=consensus_scores(**remembered),
        headline_metric=HeadlineMetric(scorer=SCORER, metric="acceptance"),
        version=version,
        metadata={
            **settings.model_dump(exclude=_UNTOLD),
            "bases_fingerprint": fingerprint(questions),
            "licence": curated.licence,
            "base_questions": len(questions),
            "planned": len(plan),
            "fit": asdict(survey(questions, chosen)),
            **shard_facts(settings.shard, whole),
            "prompts": prompt_hashes(__package__) | prompt_hashes(f"{__package__}.kit"),
            **lever_facts(chosen, levers),
        },
    )


def why_not_accepted(score: Score) -> list[str]:
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
    next_slot: ItemSlot | None = None
    if score.answer == "rejected":
        noted = Noted.model_validate(score.metadata or {})
        last = noted.candidate
        next_slot = slot.again(
            noted.reasons,
            Rejected(query=last.query, passages=last.passages) if last else None,
        )
    elif score.answer is None and score.reason in NOT_WRITTEN:
        next_slot = slot.again((NOT_WRITTEN[score.reason],), slot.last)
    if next_slot is None:
        return None
    return next_slot.to_sample(sample.metadata.get(SETTINGS)), next_slot.attempt
