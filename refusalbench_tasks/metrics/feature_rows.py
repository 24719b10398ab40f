"""The metrics of features: by the names of their modules, since the core imports no
feature.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from .metric import Metric, Metrics

if TYPE_CHECKING:
    import pandas as pd

    Parts = Mapping[str, tuple[pd.Series, pd.Series]]

MODULES = ("refusalbench_tasks.search.search_metrics",)
"""A feature with metrics beside those of `nq` has its module here."""


class FeatureRows(Protocol):
    """What such a module offers."""

    COLUMNS: Sequence[str]
    """The numbers that its scorer adds to a score; they become columns of the table of
    replies. Only its scores have the first of them.
    """
    METRICS: Metrics

    def row_shares(self, rows: "pd.DataFrame") -> "Parts":
        """Return numerator and denominator of its metrics for each row."""

    def group_shares(self, rows: "pd.DataFrame") -> "Parts":
        """Return those of its metrics whose parts are groups of rows."""


def features() -> Iterator[FeatureRows]:
    """Yield the modules of `MODULES`."""
    for name in MODULES:
        yield cast(FeatureRows, import_module(name))


def feature_metrics() -> dict[str, Metric]:
    """Return the metrics of all features by name."""
    metrics: dict[str, Metric] = {}
    for feature in features():
        metrics |= feature.METRICS
    return metrics


def features_in(columns: Sequence[str]) -> list[FeatureRows]:
    """Return the features whose numbers a score, or a table of replies, has."""
    return [feature for feature in features() if feature.COLUMNS[0] in columns]
