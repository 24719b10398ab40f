"""The task `perturb`: its settings, and the run that they ask for."""

from dataclasses import asdict
from typing import Self

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalSample, HeadlineMetric
from inspect_ai.scorer import Score
from pydantic import Field, model_validator

from refusalbench_tasks.arguments import (
    Arguments,
    Count,
    Names,
    Natural,
    Switch,
    Text,
    Whole,
)
from refusalbench_tasks.datasets.draw import ShardArgument, fingerprint, shard_facts
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.kit.attempts import Attempts
from refusalbench_tasks.generators.kit.calls import prompt_hashes
from refusalbench_tasks.generators.kit.panel import (
    LONGEST_RUN,
    require_bound,
    require_verifiers,
)
from refusalbench_tasks.generators.kit.progress import tell_why_nothing_came
from refusalbench_tasks.generators.levers import lever_facts, load_levers, select_levers
from refusalbench_tasks.generators.noted import SCORER, Noted
from refusalbench_tasks.generators.plan import (
    Coverage,
    make_plan,
    shard_plan,
    survey,
    with_siblings,
)
from refusalbench_tasks.generators.registered import (
    IntensityUse,
    Use,
    Verify,
    WriteForm,
    consensus_scores,
    perturbation,
)
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
_WRITING = {"lever_file", "cache", "seed", "checks", "ground"}
_JUDGING = {"verify", "self_votes", "max_failures", "reading", "intensity"}


class PerturbSettings(Arguments):
    """The arguments of `perturb`."""

    bases: Text = Field(
        description=(
            "a file of base questions, `nq_sample` or `garage_sample`: -T bases=FILE"
        )
    )
    """A file of base questions, as `refusalbench plan --bases SOURCE -o FILE` writes
    it, or `nq_sample` / `garage_sample`.
    """
    classes: Names = ()
    """Comma list of perturbation classes."""
    intensities: Names = ()
    """Comma list of LOW, MEDIUM, HIGH."""
    levers: Names = ()
    """Comma list of lever names."""
    lever_file: Text | None = None
    """A YAML or JSON file of levers to add to the bundled ones."""
    coverage: Coverage = "balanced"
    """`balanced` (one lever that fits per base and cell, evenly spread), `all` (every
    lever for each base).
    """
    seed: Whole = 0
    """Seed of the plan and of the cache."""
    attempts: Count = 1
    """Maximum attempts at an item; later ones state the reasons of earlier rejections.
    """
    write: WriteForm = "edits"
    """`edits` (the writer gives changes and the evidence for them, and may decline a
    lever) or `whole` (whole texts, as the paper).
    """
    together: Switch = False
    """Whether the LOW, MEDIUM and HIGH items of a base and a class are written in one
    call and judged in one call of each verifier; further attempts and other levers
    go one at a time.
    """
    checks: Use = "gate"
    """Whether a candidate that breaks one of the checks is rejected (`gate`), only
    noted (`record`), or not checked (`off`).
    """
    ground: Switch = True
    """Whether levers of FalsePremise may add a sentence to the passages that denies the
    premise; the paper changes the question alone.
    """
    reading: Use = "gate"
    """Whether a model (role `reader`, else the first verifier) annotates each item
    blind: `gate` rejects a LOW item that is not answered as before, and any other
    that is answered at all; `record`; `off`.
    """
    verify: Verify = "until_fail"
    """`until_fail` stops at the first FAIL, `all` keeps every vote, for agreement."""
    intensity: IntensityUse = "record"
    """Whether a verifier's view of the intensity is only written down (`record`) or
    decides (`veto`).
    """
    self_votes: Switch = False
    """Whether the writer may vote on its own candidates."""
    cache: Switch = True
    """Keep finished calls for a week, so that an interrupted run pays for none twice.
    """
    max_failures: Natural = LONGEST_RUN
    """Failures of one verifier in a row that stop the run; 0 allows any number, and
    leaves out the call to each verifier at the start.
    """
    shard: ShardArgument = None
    """The part of the base questions that this process takes, as `2/8`: the second of
    eight (docs/scale.md).
    """

    @model_validator(mode="after")
    def _siblings_are_edits(self) -> Self:
        if self.together and self.write != "edits":
            raise DataError(
                "together=true needs write=edits: whole texts are written one by one"
            )
        return self


def perturb_task(version: str, settings: PerturbSettings) -> Task:
    """Return the run that the arguments ask for.

    Raises DataError for what can't be run.
    """
    require_bound()
    tell_why_nothing_came("perturb", SCORER, why_not_accepted)
    found = curate(settings.bases)
    questions = found.items
    known = load_levers(settings.lever_file, settings.ground)
    chosen = select_levers(
        known, settings.classes, settings.intensities, settings.levers
    )
    whole = make_plan(questions, chosen, settings.coverage, settings.seed)
    whole = with_siblings(whole) if settings.together else whole
    plan = shard_plan(whole, settings.shard, settings.seed)
    samples = [slot.to_sample() for slot in plan]
    source = (
        Attempts(samples, lambda done: following(done, settings.attempts))
        if settings.attempts > 1
        else None
    )
    told = _JUDGING | {
        "bases",
        "coverage",
        "attempts",
        "write",
        "together",
        "checks",
        "ground",
        "seed",
    }
    return Task(
        dataset=source or MemoryDataset(samples, name="RefusalBench-perturb"),
        setup=require_verifiers(
            settings.self_votes, settings.max_failures, settings.reading != "off"
        ),
        solver=perturbation(**settings.model_dump(include=_WRITING | {"write"})),
        scorer=consensus_scores(**settings.model_dump(include=_WRITING | _JUDGING)),
        headline_metric=HeadlineMetric(scorer=SCORER, metric="acceptance"),
        version=version,
        metadata={
            **settings.model_dump(include=told - {"max_failures"}),
            "bases_fingerprint": fingerprint(questions),
            "licence": found.licence,
            "base_questions": len(questions),
            "planned": len(plan),
            "fit": asdict(survey(questions, chosen)),
            **shard_facts(settings.shard, whole),
            "prompts": prompt_hashes(__package__) | prompt_hashes(f"{__package__}.kit"),
            **lever_facts(chosen, known),
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
        made = noted.candidate
        next_slot = slot.again(
            noted.reasons,
            Rejected(query=made.query, passages=made.passages) if made else None,
        )
    elif score.answer is None and score.reason in NOT_WRITTEN:
        next_slot = slot.again((NOT_WRITTEN[score.reason],), slot.last)
    return (next_slot.to_sample(), next_slot.attempt) if next_slot else None
