"""What registers of evaluations take: the `evaluation_report` of Inspect Evals, and
Hugging Face's `.eval_results`.
"""

import math
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
    every = read_logs(paths, makers=False).runs
    runs = [run for run in every if not run.baseline and _whole(run)]
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
    files = {REPORT: _yaml({"evaluation_report": _block(runs)})}
    for run in runs:
        if noted(run.header, "repo"):
            files[f"{_file_name(run.model)}/.eval_results/{run.task}.yaml"] = _yaml(
                _entries(run)
            )
        else:
            warnings.append(
                f"{run.name}: no .eval_results, since its rows ({run.data}) are not"
                " from the hub"
            )
    write_folder(folder, files)
    return warnings


def _whole(run: Run) -> bool:
    config = run.header.eval.config
    in_part = config.limit is not None or config.sample_id is not None
    return run.status == "success" and not (in_part or run.never_run or len(run.lost))


def _block(runs: Sequence[Run]) -> dict[str, Any]:
    run = runs[0]
    spec = run.header.eval
    same: dict[str, set[object]] = {
        "task": {one.task for one in runs},
        "version": {one.header.eval.task_version for one in runs},
        "commit": {_commit(one) for one in runs},
        "command": {_command(one) for one in runs},
    }
    if several := [name for name, found in same.items() if len(found) > 1]:
        raise DataError(
            f"the runs differ in {' and '.join(several)}: an entry is of one; name"
            " fewer logs"
        )
    return {
        "commit": _commit(run),
        "version": str(spec.task_version),
        "command": _command(run),
        "results": [_result(one) for one in runs],
        "notes": [
            "commit: of the folder that the runs were started in; ci_low, ci_high: 95"
            " % CI"
        ],
    }


def _result(run: Run) -> dict[str, Any]:
    return {
        "model": run.model,
        "task": run.task,
        "date": run.created,
        "metrics": [{"key": name, **_numbers(one)} for name, one in _main(run).items()],
    }


def _main(run: Run) -> dict[str, Estimate]:
    """Return the main metrics that are defined, the headline first; raises DataError if
    none is.
    """
    view = RunView(run)
    known = {
        name: view.numbers[name] for name in view.main_names if view.number(name).known
    }
    if not known:
        raise DataError(
            f"{run.name}: none of its main metrics is defined: too few replies are"
            " scored"
        )
    return known


def _numbers(one: Estimate) -> dict[str, Any]:
    ends = {"ci_low": one.low, "ci_high": one.high}
    known = {
        name: round(float(end), 6) for name, end in ends.items() if not math.isnan(end)
    }
    return {"value": round(float(one.value), 6), **known, "n": int(one.n)}


def _commit(run: Run) -> str:
    revision = run.header.eval.revision
    return revision.commit if revision else "REPOSITORY_COMMIT"


def _command(run: Run) -> str:
    spec = run.header.eval
    settings = [
        f"-T {shlex.quote(f'{name}={value}')}"
        for name, value in sorted(spec.task_args_passed.items())
    ]
    return " ".join([f"inspect eval {spec.task}", *settings, "--model MODEL"])


def _entries(run: Run) -> list[dict[str, Any]]:
    """Return the entry of the headline, in Hugging Face's own form."""
    try:
        from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml
    except ImportError:
        raise DataError(
            "report: .eval_results needs huggingface-hub 2; pip install"
            " 'refusalbench-tasks[report]'"
        ) from None

    name, one = next(iter(_main(run).items()))
    entry = EvalResultEntry(
        dataset_id=noted(run.header, "repo"),
        task_id=run.task,
        value=round(float(one.value), 6),
        dataset_revision=noted(run.header, "revision") or None,
        date=run.created,
        notes=(
            f"{name}, 95 % CI {one.low:.3f} to {one.high:.3f}, n={one.n:g};"
            f" {_command(run)}"
        ),
    )
    return eval_result_entries_to_yaml([entry])


def _yaml(content: object) -> str:
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120)


def _file_name(model: str) -> str:
    """Return a model's name as that of a folder: it comes from a log, and must not lead
    elsewhere.
    """
    return re.sub(r"[^\w.-]+", "--", model).lstrip(".-") or "model"
