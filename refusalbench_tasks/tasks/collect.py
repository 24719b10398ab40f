"""Hedging data of one's own: questions with a clear and an ambiguous set of sources,
which a panel has checked.
"""

from typing import Never

from inspect_ai import Task, task

from refusalbench_tasks.arguments import reject_unknown
from refusalbench_tasks.collect.settings import (
    AMBIGUOUS,
    CLEAR,
    THRESHOLD,
    CollectSettings,
    Unknown,
)
from refusalbench_tasks.generators.kit.panel import LONGEST_RUN

VERSION = "1-A"


@task
def collect(
    search: str | None = None,
    n: int = 10,
    topics: str | None = None,
    clear: str = CLEAR,
    ambiguous: str = AMBIGUOUS,
    trust: str | list[str] = "bundled",
    unknown: Unknown = "unknown",
    threshold: float = THRESHOLD,
    archive: str | None = None,
    delay: float = 1.0,
    self_reads: bool = False,
    cache: bool = True,
    max_failures: int = LONGEST_RUN,
    seed: int = 0,
    **others: Never,
) -> Task:
    """Return a run that collects records: the model under evaluation writes, the role
    `verifier` reads.

    `CollectSettings` and `RecordSettings` document the arguments. An unknown argument
    is an error, before anything is loaded.
    """
    from refusalbench_tasks.collect.collect_solver import collect_task

    reject_unknown(collect, others)
    settings = CollectSettings(
        search=search,
        n=n,
        topics=topics,
        clear=clear,
        ambiguous=ambiguous,
        trust=trust,
        unknown=unknown,
        threshold=threshold,
        archive=archive,
        delay=delay,
        self_reads=self_reads,
        cache=cache,
        max_failures=max_failures,
        seed=seed,
    )
    return collect_task(VERSION, settings)
