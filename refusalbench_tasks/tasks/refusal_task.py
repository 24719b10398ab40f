"""What the tasks of the refusal kind share: from a data set and its arguments to an Inspect task."""

from dataclasses import asdict
from hashlib import sha256

from inspect_ai import Task
from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import Scorer

from refusalbench_tasks.arguments import switches, texts
from refusalbench_tasks.datasets.loading import (
    Benchmark,
    Selection,
    as_dataset,
    load,
    part,
    select,
    selected_fingerprint,
)
from refusalbench_tasks.datasets.run_rows import RunRows
from refusalbench_tasks.datasets.shard import shard_facts, shard_of
from refusalbench_tasks.datasets.streaming import check_stream, stream_shard
from refusalbench_tasks.datasets.worlds import Made
from refusalbench_tasks.errors import DataError, one_of
from refusalbench_tasks.judging.graders import announce_graders
from refusalbench_tasks.judging.grounding import Raf
from refusalbench_tasks.outcome import Cluster, JudgeMode, Protocol
from refusalbench_tasks.scorers.decision import Settings
from refusalbench_tasks.scorers.refusal import grounded_scores, refusal_label, refusal_scores
from refusalbench_tasks.scorers.row_facts import row_facts
from refusalbench_tasks.scorers.sample_list import refusal_list
from refusalbench_tasks.solvers.refusal_prompt import prompt_text, refusal_prompt


def refusal_task(
    benchmark: Benchmark,
    version: str,
    settings: Settings,
    data: str = "hub",
    revision: str | None = None,
    selection: Selection | None = None,
    prompt: str | None = None,
    strict: bool = False,
    cluster: Cluster = "question",
    made: Made | None = None,
) -> Task:
    """Return the task of a data set: its rows, its prompt, and the scorers of its kind.

    `settings` say how replies are scored, `selection` which rows are used (all if None), `made` which are made with
    `data=worlds`; the other arguments are those
    of the task `nq`. Raises DataError for a bad argument, before anything is loaded, and for bad rows.
    """
    _check(settings, data, revision, prompt, strict)
    check_stream(data, selection)
    one_of("cluster", cluster, Cluster)
    (made or Made()).check(data)
    chosen = selection or Selection()
    shard = shard_of(chosen.shard)
    streamed = stream_shard(benchmark, data, chosen, shard) if shard and chosen.stream else None
    loaded = load(
        benchmark,
        data,
        revision,
        keep_conflicts=settings.protocol == "official-code",
        strict=strict,
        made=made,
        given=streamed.rows if streamed else None,
    )
    whole = select(loaded, streamed.selection if streamed else chosen)
    items = whole if streamed else part(whole, chosen)
    base = benchmark.prompt if settings.codes else "garage_free.txt" if benchmark.grounded else "nq_free.txt"
    text = prompt_text(prompt, settings.confidence, base)
    return Task(
        dataset=as_dataset(items, benchmark.name, asdict(settings) | {"cluster": cluster}),
        setup=announce_graders(needed=settings.judge != "offline", rows=RunRows(items)),
        solver=refusal_prompt(prompt, settings.confidence, benchmark.grounded, base),
        scorer=_scorers(settings, cluster),
        headline_metric=HeadlineMetric(
            scorer="grounded_scores" if settings.grounded else "refusal_scores",
            metric="calibrated_refusal_score" if settings.codes else "detection_f1",
        ),
        viewer=refusal_list(settings.grounded),
        version=version,
        metadata=loaded.provenance
        | {
            "selected_rows": len(items),
            "selected_fingerprint": selected_fingerprint(loaded, items),
            "prompt_sha256": sha256(text.encode()).hexdigest(),
        }
        | (streamed.facts if streamed else shard_facts(shard, whole)),
    )


def _check(settings: Settings, data: str, revision: str | None, prompt: str | None, strict: bool) -> None:
    texts(data=data, revision=revision, prompt=prompt)
    switches(confidence=settings.confidence, strict=strict, codes=settings.codes)
    if settings.protocol == "official-code" and not settings.codes:
        raise DataError("codes=false: the released code knows no replies without codes; use protocol=paper")
    one_of("judge", settings.judge, JudgeMode)
    one_of("protocol", settings.protocol, Protocol)
    one_of("raf", settings.raf, Raf)


def _scorers(settings: Settings, cluster: Cluster) -> list[Scorer]:
    judge, confidence, protocol, raf = settings.judge, settings.confidence, settings.protocol, settings.raf
    codes = settings.codes
    label = refusal_label(judge, confidence, settings.grounded, protocol, raf, codes)
    if settings.grounded:
        return [label, grounded_scores(judge, confidence, protocol, raf, cluster, codes), row_facts()]
    return [label, refusal_scores(judge, confidence, protocol, cluster, codes), row_facts()]
