"""What a data card says of the runs: who wrote and verified, with which settings, by which prompts, at what price."""

import math
from collections.abc import Sequence
from typing import Any

from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, ModelConfig

from refusalbench_tasks.generators.counted import CountedRun
from refusalbench_tasks.generators.generation_logs import SCORER
from refusalbench_tasks.generators.judged import Row

_UNKNOWN = "not noted in the log"
_ARGUMENTS = (
    "coverage", "attempts", "write", "verify", "audit_share", "self_votes", "reading", "intensity", "order",
    "together", "skip_hopeless", "lever_file", "seed",
)  # fmt: skip


def run_lines(run: CountedRun) -> list[str]:
    """Return what a run was made by, a line each: models, settings, bases, levers, prompts, versions."""
    header = run.header
    facts, arguments = header.eval.metadata or {}, header.eval.task_args or {}
    told = {name: arguments.get(name, facts.get(name)) for name in _ARGUMENTS}
    revision = header.eval.revision
    versions = {**header.eval.packages, "task": header.eval.task_version}
    if revision:
        versions["commit"] = f"{revision.commit}{' (changed)' if getattr(revision, 'dirty', False) else ''}"
    prompts = facts.get("prompts") or {}
    return [
        f"writer `{header.eval.model}` ({_settings(header.plan.config)}), {header.eval.created[:10]}",
        f"verifiers: {'; '.join(_bound(header, 'verifier')) or '(none)'}",
        f"blind reader: {_reader(header, told['reading'])}",
        ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in told.items()),
        f"bases: {facts.get('base_questions')} questions, fingerprint `{facts.get('bases_fingerprint')}`",
        f"levers: {facts.get('levers', _UNKNOWN)}, sha256 `{facts.get('levers_sha256', _UNKNOWN)}`, "
        f"{len(facts.get('own_levers') or ())} of them of a lever file",
        f"prompts, sha256: {', '.join(f'{name} `{digest}`' for name, digest in prompts.items()) or _UNKNOWN}",
        f"versions: {', '.join(f'{name} {value}' for name, value in versions.items())}",
    ]


def _bound(header: EvalLog, role: str) -> list[str]:
    bound: Any = (header.eval.model_roles or {}).get(role, [])
    models: Sequence[ModelConfig] = bound if isinstance(bound, list) else [bound]
    return [f"`{model.model}` ({_settings(model.config)})" for model in models]


def _reader(header: EvalLog, use: str | None) -> str:
    """Return who read the items blind: the first model of the role `reader`, else the first verifier that votes."""
    if use is None:
        return _UNKNOWN
    if use == "off":
        return "nobody"
    return (_bound(header, "reader") or ["the first verifier that votes"])[0]


def _settings(config: GenerateConfig) -> str:
    given = config.model_dump(exclude_none=True, mode="json")
    return ", ".join(f"{name} {value}" for name, value in given.items()) or "default settings"


def price(runs: Sequence[CountedRun]) -> list[Row]:
    """Return by writer the calls and tokens of writing and verifying, and per accepted item; cached calls count."""
    names = {
        "calls": "calls",
        "calls per accepted": "calls_per_accepted",
        "tokens per accepted": "tokens_per_accepted",
    }
    return [
        {"writer": run.header.eval.model} | {name: _metric(run.header, metric) for name, metric in names.items()}
        for run in runs
    ]


def usage(runs: Sequence[CountedRun]) -> list[Row]:
    """Return the tokens that each model was billed for over all runs, as the logs count them.

    With them the cost in dollars, where a log notes any; NaN for a model of which one log does not.
    """
    rows: dict[str, dict[str, float | int]] = {}
    priced = any(used.total_cost is not None for run in runs for used in run.header.stats.model_usage.values())
    for run in runs:
        for model, used in run.header.stats.model_usage.items():
            row = rows.setdefault(
                model, {"input": 0, "cached input": 0, "output": 0} | ({"cost ($)": 0.0} if priced else {})
            )
            row["input"] += used.input_tokens
            row["cached input"] += used.input_tokens_cache_read or 0
            row["output"] += used.output_tokens
            if priced:
                row["cost ($)"] = row.get("cost ($)", 0.0) + (math.nan if used.total_cost is None else used.total_cost)
    return [{"model": model, **counts} for model, counts in sorted(rows.items())]


def _metric(header: EvalLog, name: str) -> float:
    scores = header.results.scores if header.results else []
    found = [score.metrics[name].value for score in scores if score.scorer == SCORER and name in score.metrics]
    return float(found[-1]) if found else float("nan")
