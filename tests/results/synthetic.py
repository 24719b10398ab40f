"""Logs whose right answers are known by construction, as Inspect writes them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
    write_eval_log,
)
from inspect_ai.model import GenerateConfig, ModelConfig, ModelOutput
from inspect_ai.scorer import Score

from refusalbench_tasks.results.table import Run, run_of
from refusalbench_tasks.taxonomy import (
    Intensity,
    Label,
    PerturbationClass,
    expected_label,
)

NAN = float("nan")


def row(
    key: str,
    predicted: Label | None,
    perturbation: PerturbationClass = PerturbationClass.MISSING_INFO,
    intensity: Intensity = Intensity.HIGH,
    correct: bool = True,
    reason: str = "undecided_offline",
    level: str | None = None,
    reply: str = "",
    grade: float = NAN,
    decided_by: str = "parse",
    numbers: Mapping[str, float] | None = None,
    **facts: Any,
) -> EvalSample:
    """Return a scored sample of `nq`: the reply is `predicted` (None: unscored), an
    attempt is right if `correct`.
    """
    expected = expected_label(perturbation, intensity)
    right = NAN
    if predicted is not None:
        attempt = predicted is Label.ANSWER and expected is Label.ANSWER
        right = float(correct) if attempt else float(predicted is expected)
    score = Score(
        value={
            "refused": NAN if predicted is None else float(predicted.is_refusal),
            "hit": NAN if predicted is None else float(predicted is expected),
            "right": right,
            "grade": grade,
            "confidence": NAN,
            "unscored": float(predicted is None),
            **(numbers or {}),
        },
        answer=None if predicted is None else predicted.value,
        reason=reason if predicted is None else None,
        metadata={
            "decided_by": None if predicted is None else decided_by,
            "level": level,
            "graders": ["judge"] if decided_by == "judge" else [],
            "self_graded": False,
            "protocol": "paper",
            "confidence_asked": level is not None,
        },
    )
    about = {
        "source_id": f"source-{key}",
        "query": f"question {key}",
        "passages": ["text"],
        "answers": ["gold"],
        "perturbation": perturbation.value,
        "intensity": intensity.value,
        "expected": expected.value,
        "lever": "",
        "generator": "",
    }
    return EvalSample(
        id=key,
        epoch=1,
        input=f"question {key}",
        target=expected.value,
        metadata=about | facts,
        scores={"refusal_scores": score},
        output=ModelOutput.from_content("m", reply or "reply"),
    )


def hedging_sample(question: str, arm: str, **numbers: float) -> EvalSample:
    """Return a scored sample of `bluff`; a refusal has no grade."""
    value = {
        "refused": 0.0,
        "correctness": 1.0,
        "confidence": 0.5,
        "hedges": 0.0,
        "boosters": 0.0,
        "words": 10.0,
        "faithfulness": NAN,
        "overlap": NAN,
        "attribution": NAN,
        "hallucination": NAN,
        "grounding": NAN,
        "unscored": 0.0,
    }
    value |= numbers
    if value["refused"]:
        value["correctness"] = NAN
    about = {
        "decided_by": "phrase",
        "graders": [],
        "protocol": "paper",
        "epoch": 1,
        "self_graded": False,
    }
    return EvalSample(
        id=f"{question}-{arm}",
        epoch=1,
        input=question,
        target="",
        metadata={"source_id": question, "arm": arm, "query": question},
        scores={"hedging_scores": Score(value=value, metadata=about)},
        output=ModelOutput.from_content("m", "reply"),
    )


def write_log(
    folder: Path,
    model: str,
    samples: Iterable[EvalSample],
    task: str = "nq",
    scorer: str = "refusal_scores",
    status: str = "success",
    created: str = "",
    sample_ids: list[str] | None = None,
    **facts: Any,
) -> Path:
    """Write a log and return its path.

    `facts` change the metadata of the run (`selected_fingerprint`, `data`).
    """
    rows = list(samples)
    for one in rows:
        one.scores = (
            {scorer: next(iter((one.scores or {}).values()))} if one.scores else None
        )
    folder.mkdir(parents=True, exist_ok=True)
    k = len(list(folder.iterdir()))
    created = created or f"2026-01-01T00:00:{k:02d}+00:00"
    log = header(model, rows, task, scorer, status, created, sample_ids, **facts)
    log.samples = rows
    path = folder / f"{k}.eval"
    write_eval_log(log, str(path))
    return path


def header(
    model: str,
    rows: Sequence[EvalSample],
    task: str = "nq",
    scorer: str = "refusal_scores",
    status: str = "success",
    created: str = "2026-01-01T00:00:00+00:00",
    sample_ids: list[str] | None = None,
    task_args: dict[str, Any] | None = None,
    config: EvalConfig | None = None,
    generate: GenerateConfig | None = None,
    model_roles: Mapping[str, ModelConfig] | None = None,
    application: str = "",
    **facts: Any,
) -> EvalLog:
    """Return the header of a log of these samples; an `application` replied in place
    of a model.
    """
    spec = EvalSpec(
        created=created,
        task=f"refusalbench_tasks/{task}",
        task_id=f"id-{model}-{task}",
        model=model,
        dataset=EvalDataset(
            name="d",
            samples=len(rows),
            sample_ids=list(sample_ids) if sample_ids else None,
        ),
        config=config or EvalConfig(),
        task_args=task_args or {},
        model_generate_config=generate or GenerateConfig(),
        solver="refusalbench_tasks/replay" if application else None,
        solver_args={"name": application} if application else None,
        model_roles=dict(model_roles or {}),
        metadata={"data": "sample", "selected_fingerprint": "f"} | facts,
    )
    results = EvalResults(
        total_samples=len(rows),
        completed_samples=len(rows),
        scores=[EvalScore(name=scorer, scorer=scorer)],
    )
    return EvalLog(
        status=status,
        eval=spec,
        results=results,
        stats=EvalStats(),
        location=f"{model}.eval",
    )


def run(
    samples: Iterable[EvalSample], model: str = "m", task: str = "nq", **given: Any
) -> Run:
    """Return the run of these samples, which is in no file."""
    rows = list(samples)
    scorer = "hedging_scores" if task == "bluff" else "refusal_scores"
    return run_of(header(model, rows, task, scorer, **given), rows, scorer)
