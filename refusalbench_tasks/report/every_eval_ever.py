"""What the database Every Eval Ever takes: a file for each run, in its schema."""

import hashlib
import json
import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.metric import Metric
from refusalbench_tasks.metrics.metric_table import METRICS
from refusalbench_tasks.results.coverage import coverage
from refusalbench_tasks.results.log_files import noted
from refusalbench_tasks.results.read_offline import run_bounds
from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.safe_writing import write_folder
from refusalbench_tasks.stats.estimate import Estimate

from .evaluation_report import (
    known_metrics,
    rounded,
    run_command,
    whole_runs,
)

SCHEMA_VERSION = "0.3.0"
APPLICATION = "application"
"""The developer of a model whose name has none."""
SOURCE = {
    "source_name": "refusalbench-tasks",
    "source_type": "evaluation_run",
    "source_organization_name": "unknown",
    "evaluator_relationship": "third_party",
}
"""Who measured: for people to fill in."""
Block = dict[str, Any]
"""A part of a record, as JSON."""


def write_every_eval_ever(paths: Iterable[str], folder: Path) -> list[str]:
    """Write the main metrics of each finished run of a model over all of its rows, and
    return warnings, a line each.

    A run is `data/refusalbench_TASK/DEVELOPER/MODEL/UUID.json`; the same log has the
    same name. It holds no rows and no replies. Raises DataError if there is no such
    run, or it cannot be written.
    """
    runs, warnings = whole_runs(paths)
    files = {}
    for run in runs:
        try:
            record = _record(run)
        except DataError as error:
            warnings.append(f"left out: {error}")
            continue
        files[_path(run)] = json.dumps(
            record,
            indent=1,
            ensure_ascii=False,
            allow_nan=False,
        )
    if not files:
        raise DataError(warnings[-1])
    write_folder(folder, files)
    return warnings


def _path(run: Run) -> str:
    digest = hashlib.sha256(run.header.eval.eval_id.encode()).digest()
    name = UUID(bytes=digest[:16], version=4)
    # as the database makes a folder of an id
    folder = model_id(run.model).replace(":", "_")
    return f"data/refusalbench_{run.task}/{folder}/{name}.json"


def _record(run: Run) -> Block:
    spec = run.header.eval
    view = RunView(run)
    began = str(int(datetime.fromisoformat(run.created).timestamp()))
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"refusalbench_{run.task}/{model_id(run.model)}/{began}",
        "evaluation_timestamp": began,
        "retrieved_timestamp": began,
        "source_metadata": SOURCE,
        "eval_library": {
            "name": "inspect_ai",
            "version": spec.packages.get("inspect_ai", "unknown"),
            "additional_details": {
                **spec.packages,
                "task_version": str(spec.task_version),
            },
        },
        "model_info": _model(run.model),
        "evaluation_results": [
            _result(view, METRICS[name], estimate)
            for name, estimate in known_metrics(view).items()
        ],
    }


def _result(
    view: RunView,
    metric: Metric,
    estimate: Estimate,
) -> Block:
    run = view.run
    return {
        "evaluation_name": f"refusalbench_{run.task}",
        "source_data": _source(run),
        "metric_config": _metric(run, metric),
        "score_details": _score(view, metric.name, estimate),
        "generation_config": _generation(run),
    }


def _source(run: Run) -> Block:
    repo = noted(run.header, "repo")
    return _stated(
        {
            "dataset_name": repo or run.data,
            "source_type": "hf_dataset" if repo else "other",
            "hf_repo": repo,
            "additional_details": _stated(
                {
                    "rows_sha256": run.fingerprint,
                    "revision": noted(run.header, "revision"),
                }
            ),
        }
    )


def _metric(run: Run, metric: Metric) -> Block:
    config: Block = {
        "evaluation_description": f"{metric.name}, as defined by: {metric.source}",
        "metric_id": f"refusalbench.{metric.name}",
        "metric_name": metric.label,
        "lower_is_better": metric.better == "lower",
    }
    if metric.bounded:
        config |= {"score_type": "continuous", "metric_unit": "proportion"}
        config |= {"min_score": 0, "max_score": 1}
    details = {
        # the word that converters of this database use
        "polarity": "not_applicable" if metric.better == "neither" else "",
        "reader": run.reader,
        "protocol": run.protocol,
        "lexicon": run.lexicon,
    }
    if run.graders:
        config["llm_scoring"] = {
            "judges": [{"model_info": _model(name)} for name in sorted(run.graders)],
            "input_prompt": "the grader's prompts of refusalbench_tasks",
        }
    return config | {"additional_details": _stated(details)}


def _score(
    view: RunView,
    name: str,
    estimate: Estimate,
) -> Block:
    run = view.run
    uncertainty: Block = {"num_samples": round(estimate.n)}
    if estimate.has_interval:
        uncertainty["confidence_interval"] = {
            "lower": rounded(estimate.low),
            "upper": rounded(estimate.high),
            "confidence_level": 0.95,
            "method": f"percentile bootstrap by {run.cluster}; Wilson where all"
            " resamples agree or units are few",
        }
    details = {
        "coverage": f"{coverage(run.main):.6f}",
        "not_known": view.not_known,
        "independent_clusters": str(estimate.units),
    }
    bounds = run_bounds(run)
    if name in bounds:
        low, high = bounds[name]
        details["bounds"] = f"{low:.6f} to {high:.6f}"
    return {
        "score": rounded(estimate.value),
        "details": details,
        "uncertainty": uncertainty,
    }


def _generation(run: Run) -> Block:
    config = run.header.eval.model_generate_config
    return {
        "generation_args": _stated(
            {
                "temperature": config.temperature,
                "max_tokens": config.max_tokens,
                "execution_command": run_command(run),
            }
        ),
        "additional_details": _stated(
            {"prompt_sha256": run.prompt, "treatment": run.treatment}
        ),
    }


def _model(name: str) -> Block:
    return {
        "name": name,
        "id": model_id(name),
        "additional_details": {
            "deployment_type": "unknown",
            "model_availability": "unknown",
        },
    }


def model_id(name: str) -> str:
    """Return DEVELOPER/MODEL, without the provider that Inspect calls it by.

    It becomes a path, and comes from a log: it must not lead elsewhere.
    """
    parts = [re.sub(r"[^\w.:-]+", "-", part).strip(".-") for part in name.split("/")]
    developer, model = [APPLICATION, APPLICATION, *filter(None, parts)][-2:]
    return f"{developer}/{model}"


def _stated(facts: Block) -> Block:
    """Return the facts that are known."""
    return {name: fact for name, fact in facts.items() if fact not in (None, "")}
