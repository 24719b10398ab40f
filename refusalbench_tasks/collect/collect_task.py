"""The task `collect`: from topics to a run in which records are found, written and
read.
"""

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset

from refusalbench_tasks.collect.collect_solver import collecting
from refusalbench_tasks.collect.record import COLLECT
from refusalbench_tasks.collect.record_plan import load_topics, plan_records
from refusalbench_tasks.collect.scorer import collection_scores
from refusalbench_tasks.collect.settings import CollectSettings, RecordSettings
from refusalbench_tasks.generators.kit import once_a_run, one_run
from refusalbench_tasks.generators.kit.panel import require_bound, require_verifiers


@one_run()
def collect_task(version: str, settings: CollectSettings) -> Task:
    """Return the run that the arguments ask for.

    Raises DataError for what can't be run.
    """
    require_bound()
    topics = once_a_run(load_topics, settings.topics).topics
    plan = plan_records(topics, settings.n, settings.seed)
    remembered = settings.model_dump(include=set(RecordSettings.model_fields))
    samples = [planned.to_sample(remembered) for planned in plan]
    parts = (
        require_verifiers(settings.self_reads, settings.max_failures, reads=False),
        collecting(settings.model_dump()),
        collection_scores(**remembered),
    )
    facts = settings.model_dump(exclude={"cache", "max_failures"})
    return COLLECT.build(
        version,
        MemoryDataset(samples, name="BLUFF-collect"),
        parts,
        facts | {"planned": len(plan)},
    )
