"""What registers of evaluations take: the `evaluation_report` of Inspect Evals, and
Hugging Face's `.eval_results`.
"""

import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import yaml

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.log_files import noted
from refusalbench_tasks.results.run_view import RunView
from refusalbench_tasks.results.table import Run, read_logs
from refusalbench_tasks.safe_writing import write_folder
from refusalbench_tasks.stats.estimate import Estimate

REPORT = "evaluation_report.yaml"


def write_evaluation_report(paths: Iterable[str], folder: Path) -> list[str]:
    """Write what the models of finished runs of one task reached, and return warnings,
    a line each.

    `evaluation_report.yaml` holds the block for the entry of the task in the register
    of Inspect Evals; `MODEL/.eval_results/TASK.yaml` goes to the repository of a model
    on the Hugging Face hub, and is written for rows from there alone. A metric has its
    95 % CI and its n. Raises DataError if no such run is there, if the runs are of
    several tasks, versions, commits or settings, or if it cannot be written.
    """
    runs, warnings = whole_runs(paths)
    files = {REPORT: _yaml({"evaluation_report": report_block(runs)})}
    for run in runs:
        if noted(run.header, "repo"):
            # a model's name comes from a log, and must not lead out of the folder
            model = re.sub(r"[^\w.-]+", "--", run.model).lstrip(".-") or "model"
            name = f"{model}/.eval_results/{run.task}.yaml"
            files[name] = _yaml(_entries(run))
        else:
            warnings.append(
                f"{run.name}: no .eval_results, since its rows ({run.data}) are not"
                " from the hub"
            )
    write_folder(folder, files)
    return warnings


def whole_runs(paths: Iterable[str]) -> tuple[list[Run], list[str]]:
    """Return the finished runs of models over all of their rows, and a warning for each
    other run. Raises DataError if there is none.
    """
    every = read_logs(paths).runs
    runs = [run for run in every if not run.baseline and _is_whole(run)]
    warnings = [
        f"left out: {run.name}: a baseline, or not all rows were run"
        for run in every
        if run not in runs
    ]
    if not runs:
        raise DataError(
            "no finished run of a model over all of its rows; baselines and parts are"
            " not reported"
        )
    return runs, warnings


def _is_whole(run: Run) -> bool:
    config = run.header.eval.config
    in_part = config.limit is not None or config.sample_id is not None
    return run.status == "success" and not (in_part or run.never_run or len(run.lost))


def report_block(runs: Sequence[Run]) -> dict[str, Any]:
    """Return the block of some runs. Raises DataError if they are of several tasks,
    versions, commits or settings.
    """
    first, *others = map(_setup, runs)
    differing: dict[str, None] = {}
    for other in others:
        differing |= {name: None for name in first if other[name] != first[name]}
    if differing:
        raise DataError(
            f"the runs differ in {' and '.join(differing)}: an entry is of one; name"
            " fewer logs"
        )
    return {
        "commit": first["commit"],
        "version": first["version"],
        "command": first["command"],
        "results": [_result(run) for run in runs],
        "notes": [
            "commit: of the folder that the runs were started in; ci_low, ci_high: 95"
            " % CI"
        ],
    }


def _setup(run: Run) -> dict[str, str]:
    """Return what the runs of an entry have in common."""
    spec = run.header.eval
    return {
        "task": run.task,
        "version": str(spec.task_version),
        "commit": spec.revision.commit if spec.revision else "unknown",
        "command": run_command(run),
    }


def _result(run: Run) -> dict[str, Any]:
    metrics = []
    for name, estimate in known_metrics(RunView(run)).items():
        metric = {"key": name, "value": rounded(estimate.value)}
        if estimate.has_interval:
            metric["ci_low"] = rounded(estimate.low)
            metric["ci_high"] = rounded(estimate.high)
        metrics.append(metric | {"n": int(estimate.n)})
    return {
        "model": run.model,
        "task": run.task,
        "date": run.created,
        "metrics": metrics,
    }


def known_metrics(view: RunView) -> dict[str, Estimate]:
    """Return the main metrics that are defined, the headline first; raises DataError if
    none is.
    """
    values = {name: view.number(name) for name in view.main_names}
    known = {name: value for name, value in values.items() if value.known}
    if not known:
        raise DataError(
            f"{view.run.name}: none of its main metrics is defined: too few replies are"
            " scored"
        )
    return known


def rounded(value: float) -> float:
    """Return a value to six places."""
    return round(float(value), 6)


def run_command(run: Run) -> str:
    """Return the command of a run, for any model."""
    spec = run.header.eval
    words = ["inspect eval", spec.task]
    for name, value in sorted(spec.task_args_passed.items()):
        words += ["-T", shlex.quote(f"{name}={value}")]
    return " ".join([*words, "--model MODEL"])


def _entries(run: Run) -> list[dict[str, Any]]:
    """Return the entry of the headline, in Hugging Face's own form."""
    try:
        from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml
    except ImportError:
        raise DataError(
            "report: .eval_results needs huggingface-hub 2; pip install"
            " 'refusalbench-tasks[report]'"
        ) from None

    name, headline = next(iter(known_metrics(RunView(run)).items()))
    ci = f"95 % CI {headline.low:.3f} to {headline.high:.3f}"
    entry = EvalResultEntry(
        dataset_id=noted(run.header, "repo"),
        task_id=run.task,
        value=rounded(headline.value),
        dataset_revision=noted(run.header, "revision") or None,
        date=run.created,
        notes=f"{name}, {ci}, n={headline.n:g}; {run_command(run)}",
    )
    return eval_result_entries_to_yaml([entry])


def _yaml(content: object) -> str:
    return yaml.safe_dump(
        content,
        sort_keys=False,
        allow_unicode=True,
        width=120,
    )
