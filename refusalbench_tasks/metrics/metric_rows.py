"""The rows of `data/metrics.yaml` as metrics."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from refusalbench_tasks.bounded_reading import data_yaml

from .metric import Metric, Metrics, Ratio


@cache
def _groups() -> Any:
    return data_yaml("metrics", "metrics.yaml")


def metric_rows(
    group: str,
    formulas: Mapping[str, Callable[..., Any]],
) -> Metrics:
    """Return the metrics of a group by name, in the order of the file.

    `formulas` are those that its rows name; any other name is that of a sum. Raises
    TypeError for a row that does not say which values are better.
    """
    metrics = {}
    for name, stated in _groups()[group].items():
        row = stated | dict.fromkeys(stated.get("is", ()), True)
        row.pop("is", None)
        of = row.pop("of", name)
        per = row.pop("per", f"n {of}")
        n = row.pop("n", per)
        defined_if = row.pop("defined_if", None)
        parts = (formulas.get(part, part) for part in (of, per, defined_if))
        formula = row.pop("formula", None)
        row["formula"] = formulas[formula] if formula else Ratio(*parts)
        row["arms"] = tuple(row.get("arms", ("",)))
        metrics[name] = Metric(
            name=name,
            n=formulas.get(n, n),
            **row,
        )
    return metrics
