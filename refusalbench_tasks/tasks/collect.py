"""Hedging data of one's own: questions with a clear and an ambiguous set of sources,
which a panel has checked.
"""

from typing import Literal, Never

from inspect_ai import Task, task

VERSION = "1-A"


@task
def collect(
    search: str | None = None,
    n: int = 10,
    topics: str | None = None,
    clear: str = "4+1",
    ambiguous: str = "1+2+2",
    trust: str | list[str] = "bundled",
    unknown: Literal["unknown", "unreliable"] = "unknown",
    threshold: float = 0.3,
    archive: str | None = None,
    delay: float = 1.0,
    self_reads: bool = False,
    cache: bool = True,
    max_failures: int = 20,
    seed: int = 0,
    **others: Never,
) -> Task:
    """Return a run that collects records: the model under evaluation writes, the role
    `verifier` reads.

    The arguments are those of `CollectSettings`. An unknown argument is an error,
    before anything is loaded.
    """
    given = locals()
    from refusalbench_tasks.collect.collect_task import collect_task
    from refusalbench_tasks.collect.settings import CollectSettings

    return collect_task(VERSION, CollectSettings.of("collect", given))
