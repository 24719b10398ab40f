"""RefusalBench-GaRAGe: ten search results; a grounded answer with citations, or the
right refusal code.
"""

from typing import Never

from inspect_ai import Task, task

from refusalbench_tasks.arguments import reject_unknown
from refusalbench_tasks.datasets.benchmarks import GARAGE, Controls
from refusalbench_tasks.judging.grounding import Raf
from refusalbench_tasks.outcome import Cluster, GraderCheck, JudgeMode, Protocol
from refusalbench_tasks.tasks.refusal_task import RefusalSettings, refusal_task

VERSION = "3-A"


@task
def garage(
    data: str = "hub",
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
    prompt: str | None = None,
    judge_prompt: str = "ours",
    grader_check: GraderCheck = "stop",
    refusals: str | None = None,
    codes: bool = True,
    raf: Raf = "reply",
    cluster: Cluster = "question",
    shard: str | None = None,
    **others: Never,
) -> Task:
    """Return RefusalBench-GaRAGe (arXiv 2510.10390): ten passages, a grounded answer or
    one of seven refusal codes.

    `RefusalSettings`, `Selection` and `RefusalScoring` document the arguments. An
    unknown argument is an error, before anything is loaded.
    """
    reject_unknown(garage, others)
    settings = RefusalSettings(
        data=data,
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
        prompt=prompt,
        judge_prompt=judge_prompt,
        grader_check=grader_check,
        refusals=refusals,
        codes=codes,
        raf=raf,
        cluster=cluster,
        shard=shard,
    )
    return refusal_task(GARAGE, VERSION, settings)
