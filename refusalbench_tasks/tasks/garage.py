"""RefusalBench-GaRAGe: ten search results; a grounded answer with citations, or the right refusal code."""

from typing import Never

from inspect_ai import Task, task

from refusalbench_tasks.arguments import known_only
from refusalbench_tasks.datasets.garage_rows import GARAGE
from refusalbench_tasks.datasets.loading import Controls, Selection
from refusalbench_tasks.datasets.worlds import Made
from refusalbench_tasks.judging.grounding import Raf
from refusalbench_tasks.outcome import Cluster, JudgeMode, Protocol
from refusalbench_tasks.scorers.decision import Settings
from refusalbench_tasks.tasks.refusal_task import refusal_task

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
    knobs: str | None = None,
    n: int | None = None,
    per_stratum: int | None = None,
    seed: int = 0,
    controls: Controls = "none",
    confidence: bool = False,
    judge: JudgeMode = "cascade",
    protocol: Protocol = "paper",
    prompt: str | None = None,
    codes: bool = True,
    strict: bool = False,
    raf: Raf = "reply",
    cluster: Cluster = "question",
    shard: str | None = None,
    stream: bool = False,
    **unknown: Never,
) -> Task:
    """Return RefusalBench-GaRAGe (arXiv 2510.10390): ten passages, a grounded answer or one of seven refusal codes.

    Args:
        data: `hub` (the released set), `sample` (rows shipped with the package), `worlds` (rows made on the spot from
            invented worlds, docs/worlds.md), or the path of a JSONL, JSON, CSV or Parquet file.
        revision: Revision of the hub data set; the resolved one is in the log's metadata.
        classes: Comma list of perturbation classes.
        intensities: Comma list of LOW, MEDIUM, HIGH.
        generators: Comma list of the models that made the rows.
        levers: Comma list of lever names.
        domains: Comma list of domains; of worlds, those that rows are made from.
        knobs: Comma list of conditions on how hard a row is: `hops=2,distance<=40,register=table` (docs/worlds.md).
        n: How many rows `data=worlds` makes (600).
        per_stratum: Draw at most this many rows from each class x intensity, spread over the generators.
        seed: Seed of the draw and of the order of the rows, and of the worlds.
        controls: Unperturbed originals as answerable rows: `none`, `add`, `only`.
        confidence: Ask for one of five confidence levels with every reply, and measure calibration.
        judge: `cascade` (parse first, judge the rest), `always` (judge every reply), `offline` (no model).
        protocol: `paper` (formulas as printed) or `official-code` (as the released code computes them).
        prompt: A prompt file to use instead of the bundled prompt, with the slots `{{query}}` and `{{context}}`.
        codes: Ask for refusal codes; `false` for an application that knows of none: answers are told from refusals.
        strict: Make duplicate inputs with conflicting labels an error instead of dropping them.
        raf: `reply` (one judgement of an answer's factuality) or `claims` (one per sentence of it).
        cluster: What standard errors and intervals resample: the base `question`, or the `row` as if rows were
            independent.
        shard: The part of the base questions that this process takes, as `2/8`: the second of eight (docs/scale.md).
        stream: Read a file twice and keep only the rows of the shard, for files larger than memory.
        **unknown: Nothing: a name that no task has is an error, before anything is loaded.
    """
    known_only(garage, unknown)
    selection = Selection(
        classes, intensities, generators, levers, domains, per_stratum, seed, controls, knobs, shard, stream
    )
    made = Made(n, seed, domains)
    settings = Settings(judge, confidence, GARAGE.grounded, protocol, raf, codes=codes)
    return refusal_task(GARAGE, VERSION, settings, data, revision, selection, prompt, strict, cluster, made)
