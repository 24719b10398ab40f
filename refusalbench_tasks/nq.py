"""RefusalBench-NQ: does a model answer from a passage when it can, and refuse with the right code when it cannot?"""

from hashlib import sha256
from typing import Never

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from refusalbench_tasks.arguments import known_only, switches, texts
from refusalbench_tasks.datasets.fingerprint import fingerprint
from refusalbench_tasks.datasets.loading import Controls, Selection, as_dataset, load, select
from refusalbench_tasks.datasets.nq import NQ
from refusalbench_tasks.errors import one_of
from refusalbench_tasks.judging.graders import announce_graders
from refusalbench_tasks.outcome import JudgeMode, Protocol
from refusalbench_tasks.scorers.refusal import refusal_label, refusal_scores
from refusalbench_tasks.solvers.refusal_prompt import prompt_text, refusal_prompt

VERSION = "1-A"


@task
def nq(
    data: str = "hub",
    revision: str | None = None,
    classes: str | None = None,
    intensities: str | None = None,
    generators: str | None = None,
    levers: str | None = None,
    per_stratum: int | None = None,
    seed: int = 0,
    controls: Controls = "none",
    confidence: bool = False,
    judge: JudgeMode = "cascade",
    protocol: Protocol = "paper",
    prompt: str | None = None,
    strict: bool = False,
    **unknown: Never,
) -> Task:
    """Return RefusalBench-NQ (arXiv 2510.10390): one passage, an answer or one of seven refusal codes.

    Args:
        data: `hub` (the released set), `sample` (rows shipped with the package), or the path of a JSONL, JSON, CSV or
            Parquet file.
        revision: Revision of the hub data set; the resolved one is in the log's metadata.
        classes: Comma list of perturbation classes.
        intensities: Comma list of LOW, MEDIUM, HIGH.
        generators: Comma list of the models that made the rows.
        levers: Comma list of lever names.
        per_stratum: Draw at most this many rows from each class x intensity, spread over the generators.
        seed: Seed of the draw and of the order of the rows.
        controls: Unperturbed originals as answerable rows: `none`, `add`, `only`.
        confidence: Ask for one of five confidence levels with every reply, and measure calibration.
        judge: `cascade` (parse first, judge the rest), `always` (judge every reply), `offline` (no model).
        protocol: `paper` (formulas as printed) or `official-code` (as the released code computes them).
        prompt: A prompt file to use instead of the bundled prompt, with the slots `{{query}}` and `{{context}}`.
        strict: Make duplicate inputs with conflicting labels an error instead of dropping them.
        **unknown: Nothing: a name that no task has is an error, before anything is loaded.
    """
    known_only(nq, unknown)
    texts(data=data, revision=revision, prompt=prompt)
    switches(confidence=confidence, strict=strict)
    one_of("judge", judge, JudgeMode)
    one_of("protocol", protocol, Protocol)
    loaded = load(NQ, data, revision, keep_conflicts=protocol == "official-code", strict=strict)
    items = select(loaded, Selection(classes, intensities, generators, levers, None, per_stratum, seed, controls))
    settings = {"judge": judge, "confidence": confidence, "protocol": protocol}
    return Task(
        dataset=as_dataset(items, NQ.name, settings),
        setup=announce_graders(needed=judge != "offline"),
        solver=refusal_prompt(prompt, confidence),
        scorer=[refusal_label(judge, confidence, protocol=protocol), refusal_scores(judge, confidence, protocol)],
        headline_metric=HeadlineMetric(scorer="refusal_scores", metric="calibrated_refusal_score"),
        version=VERSION,
        metadata=loaded.provenance
        | {
            "selected_rows": len(items),
            "selected_fingerprint": fingerprint(items),
            "prompt_sha256": sha256(prompt_text(prompt, confidence).encode()).hexdigest(),
        },
    )
