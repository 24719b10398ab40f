"""Groups of runs in few words, and the charts of figures."""

from pathlib import Path
from typing import Any

from inspect_ai.log import EvalSample

from refusalbench_tasks.report.charts import Figure
from refusalbench_tasks.report.groups import Group, groups_of
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.synthetic import row, write_log


def group(folder: Path, runs: dict[str, list[EvalSample]], **facts: Any) -> Group:
    """Return the one group of the runs of models."""
    for model, samples in runs.items():
        write_log(folder, model, samples, **facts)
    [only] = groups_of(read_logs([str(folder)], texts=True).runs)
    return only


def low(key: str, given: Label | None, **more: Any) -> EvalSample:
    """Return an answerable row."""
    return row(key, given, intensity=Intensity.LOW, **more)


def shown(figure: Figure | str) -> Any:
    """Return the chart of a figure, which there must be."""
    assert isinstance(figure, Figure), figure
    return figure.chart
