"""The task `collect`: from topics to a run in which records are found, written and
read.
"""

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import Score

from refusalbench_tasks.collect.planned import load_topics, plan_records
from refusalbench_tasks.collect.record import NotedRecord
from refusalbench_tasks.collect.scorer import collection_scores
from refusalbench_tasks.collect.settings import (
    PACKAGE,
    SCORER,
    CollectSettings,
    RecordSettings,
)
from refusalbench_tasks.collect.stages import collecting
from refusalbench_tasks.generators.kit.calls import prompt_hashes
from refusalbench_tasks.generators.kit.panel import require_bound, require_verifiers
from refusalbench_tasks.generators.kit.progress import tell_why_nothing_came


def collect_task(version: str, settings: CollectSettings) -> Task:
    """Return the run that the arguments ask for.

    Raises DataError for what can't be run.
    """
    require_bound()
    tell_why_nothing_came("collect", SCORER, why_not_accepted)
    plan = plan_records(load_topics(settings.topics).topics, settings.n, settings.seed)
    remembered = settings.model_dump(include=set(RecordSettings.model_fields))
    return Task(
        dataset=MemoryDataset(
            [planned.to_sample(remembered) for planned in plan], name="BLUFF-collect"
        ),
        setup=require_verifiers(
            settings.self_reads, settings.max_failures, reads=False
        ),
        solver=collecting(settings.model_dump()),
        scorer=collection_scores(**remembered),
        headline_metric=HeadlineMetric(scorer=SCORER, metric="acceptance"),
        version=version,
        metadata={
            **settings.model_dump(exclude={"cache", "max_failures"}),
            "planned": len(plan),
            "prompts": prompt_hashes(PACKAGE),
        },
    )


def why_not_accepted(score: Score) -> list[str]:
    """Return why a record was not accepted, by stage and reason; nothing if it was."""
    noted = NotedRecord.model_validate(score.metadata or {})
    return [] if noted.accepted else [f"{noted.stage}/{noted.reason}"]
