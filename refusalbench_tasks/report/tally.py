"""The replies of one run as counts, so that any part of them gives its rates."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.metrics.outcome import Outcome
from refusalbench_tasks.metrics.refusal import METRICS, Floats, count_rows, denominators, rates
from refusalbench_tasks.metrics.refusal_rows import RefusalRow
from refusalbench_tasks.report.charts import Value
from refusalbench_tasks.report.run import RefusalRun
from refusalbench_tasks.stats.cluster import bootstrap, cluster_sums
from refusalbench_tasks.taxonomy import Label

Mask = NDArray[np.bool_]
_FACTS = {"class": "perturbation", "type": "question_type", "complexity": "question_complexity"}


class Tally:
    """The perturbed rows of one run: a count vector per row, and the groups that rows belong to."""

    def __init__(self, run: RefusalRun, label: str) -> None:
        self.run, self.label = run, label
        self.rows: list[RefusalRow] = [row for row in run.rows.values() if not row.is_control]
        self.counts = count_rows([row.outcome for row in self.rows])
        self.clusters = [row.outcome.cluster for row in self.rows]
        self._groups: dict[str, NDArray[np.str_]] = {}

    def group(self, name: str) -> NDArray[np.str_]:
        """Return the group of each row: `class`, `intensity`, `generator`, `domain`, `type`, `complexity`, `lever`."""
        if name not in self._groups:
            fact = _FACTS.get(name, name)
            self._groups[name] = np.array([str(row.facts.get(fact) or "") for row in self.rows], dtype=str)
        return self._groups[name]

    def rate(self, metric: str, mask: Mask | None = None) -> Value:
        """Return a metric over all rows, or those of the mask, with its n and without an interval."""
        return self.table(mask)[metric]

    def table(self, mask: Mask | None = None) -> dict[str, Value]:
        """Return every metric over all rows, or those of the mask, with its n."""
        totals = (self.counts if mask is None else self.counts[mask]).sum(axis=0)
        ns, values = denominators(totals), rates(totals, self.run.protocol)
        return {name: Value(float(value), n=ns[name]) for name, value in zip(METRICS, values, strict=True)}

    @cached_property
    def main(self) -> dict[str, Value]:
        """Return every metric with its 95 % interval by base question (1,000 resamples, seed 0) and its n."""
        sums = cluster_sums(self.counts, self.clusters)
        interval = bootstrap(sums, lambda totals: rates(totals, self.run.protocol))
        return {
            name: Value(value.value, float(low), float(high), value.n)
            for (name, value), low, high in zip(self.table().items(), interval.low, interval.high, strict=True)
        }

    def interval(self, metric: str, mask: Mask) -> Value:
        """Return a metric over the rows of the mask with its 95 % interval by base question and its n."""
        k, chosen = METRICS.index(metric), self.counts[mask]
        sums = cluster_sums(chosen, [name for name, inside in zip(self.clusters, mask, strict=True) if inside])
        found = bootstrap(sums, lambda totals: rates(totals, self.run.protocol)[..., k : k + 1])
        value = self.rate(metric, mask)
        return Value(value.value, float(found.low[0]), float(found.high[0]), value.n)

    def confusion(self, mask: Mask | None = None) -> Floats:
        """Return the decided replies by gold label (rows, an answer first) and given label (columns): shape (8, 8)."""
        found = np.zeros((len(Label), len(Label)))
        labels = list(Label)
        for row, inside in zip(self.rows, [True] * len(self.rows) if mask is None else mask, strict=True):
            if inside and row.outcome.predicted is not None:
                found[labels.index(row.outcome.expected), labels.index(row.outcome.predicted)] += 1
        return found


def reference(rows: Sequence[RefusalRow], label: Label) -> dict[str, Value]:
    """Return the metrics of a model that gives every row the same label, undefined where its answers would matter."""
    same = [Outcome(row.outcome.expected, label, None, row.outcome.cluster) for row in rows]
    totals = count_rows(same).sum(axis=0)
    ns = denominators(totals)
    return {name: Value(float(v), n=ns[name]) for name, v in zip(METRICS, rates(totals), strict=True)}
