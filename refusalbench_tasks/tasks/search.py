"""Search, then answer or refuse: the question alone is asked, and an agent has to find
out whether a corpus answers it.
"""

from typing import Never

from inspect_ai import Task, task

from refusalbench_tasks.arguments import reject_unknown
from refusalbench_tasks.datasets.benchmarks import Controls
from refusalbench_tasks.outcome import (
    Cluster,
    GraderCheck,
    JudgeMode,
    Protocol,
    Retrieve,
)
from refusalbench_tasks.search.search_settings import PASSAGES, SearchSettings

VERSION = "1-A"


@task
def search(
    data: str = "hub",
    corpus: str = "worlds",
    passages: int = PASSAGES,
    retrieve: Retrieve = "bm25",
    k: int = 3,
    searches: int = 8,
    mcp: bool = False,
    revision: str | None = None,
    classes: str | None = None,
    intensities: str | None = None,
    generators: str | None = None,
    levers: str | None = None,
    domains: str | None = None,
    n: int | None = None,
    per_stratum: int | None = None,
    seed: int = 0,
    quick: bool = False,
    controls: Controls = "none",
    confidence: bool = False,
    ask: bool = False,
    judge: JudgeMode = "cascade",
    reader: str = "ngrams",
    protocol: Protocol = "paper",
    judge_prompt: str = "ours",
    grader_check: GraderCheck = "stop",
    refusals: str | None = None,
    codes: bool = True,
    cluster: Cluster = "question",
    shard: str | None = None,
    **others: Never,
) -> Task:
    """Return a run in which an agent searches before it answers or refuses, scored as
    `nq` is, and by when the evidence was shown.

    `SearchSettings`, `Selection` and `RefusalScoring` document the arguments. An
    unknown argument is an error, before anything is loaded.
    """
    from refusalbench_tasks.search.search_task import search_task

    reject_unknown(search, others)
    settings = SearchSettings(
        data=data,
        corpus=corpus,
        passages=passages,
        retrieve=retrieve,
        k=k,
        searches=searches,
        mcp=mcp,
        revision=revision,
        classes=classes,
        intensities=intensities,
        generators=generators,
        levers=levers,
        domains=domains,
        n=n,
        per_stratum=per_stratum,
        seed=seed,
        quick=quick,
        controls=controls,
        confidence=confidence,
        ask=ask,
        judge=judge,
        reader=reader,
        protocol=protocol,
        judge_prompt=judge_prompt,
        grader_check=grader_check,
        refusals=refusals,
        codes=codes,
        cluster=cluster,
        shard=shard,
    )
    return search_task(VERSION, settings)
