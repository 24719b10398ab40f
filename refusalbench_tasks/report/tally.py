"""The replies of one run as counts, so that any part of them gives its rates."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from refusalbench_tasks.metrics.alike_rows import AlikeRows
from refusalbench_tasks.metrics.refusal import METRICS, WIDTH, count_rows, denominators, rates
from refusalbench_tasks.metrics.refusal_rows import RefusalRows
from refusalbench_tasks.metrics.refusal_values import OF_CONTROLS
from refusalbench_tasks.metrics.retrieval import RETRIEVAL, retrieval, retrieval_intervals
from refusalbench_tasks.metrics.sample_facts import SampleFacts
from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.report.charts import Value
from refusalbench_tasks.results.logs.run import Key, RefusalRun, refusal_rows
from refusalbench_tasks.stats.cluster import Floats, Mask, bounded_bootstrap, cluster_sums
from refusalbench_tasks.taxonomy import Label

_ANSWER = list(Label).index(Label.ANSWER)


class Tally:
    """The rows of one run that count: a count vector per row, and the groups that rows belong to."""

    def __init__(self, run: RefusalRun, label: str) -> None:
        self.run, self.label = run, label
        labels = list(Label)
        given: dict[Label | None, int] = {label: place for place, label in enumerate(labels)}
        self.rows = run.main_rows
        self.controls = refusal_rows(run.controls)
        """Unperturbed originals, which are in nothing but `of_controls`."""
        self.units = self.rows.unit_places()
        """The place of what each row is resampled with: its question, or itself, as the run was told."""
        self.expected = self.rows.each(lambda row: labels.index(row.outcome.expected), np.int64)
        self.predicted = self.rows.each(lambda row: given.get(row.outcome.predicted, -1), np.int64)
        """Positions in `Label`; -1 is undecided."""
        self._groups: dict[str, NDArray[np.object_]] = {}

    def group(self, name: str) -> NDArray[np.object_]:
        """Return the group of each row: by a name in `GROUPS` (`class`, `intensity`, `domain` ...)."""
        if name not in self._groups:
            # an array of strings would have as many bytes a row as the longest needs
            self._groups[name] = self.rows.groups(name)
        return self._groups[name]

    def rate(self, metric: str, mask: Mask | None = None) -> Value:
        """Return a metric over all rows, or those of the mask, with its n and without an interval."""
        return self.table(mask)[metric]

    def table(self, mask: Mask | None = None) -> dict[str, Value]:
        """Return every metric over all rows, or those of the mask, with its n; undefined without rows."""
        totals = self.rows.totals(mask)
        ns, values = denominators(totals, self.run.protocol), rates(totals, self.run.protocol)
        return {
            # official-code has 0 where there is nothing; a figure must not
            name: Value(float(value) if ns[name] else float("nan"), n=ns[name])
            for name, value in zip(METRICS, values, strict=True)
        }

    @cached_property
    def main(self) -> dict[str, Value]:
        """Return every metric over all rows, as `with_intervals` does."""
        return self.with_intervals()

    def with_intervals(self, mask: Mask | None = None) -> dict[str, Value]:
        """Return every metric over all rows, or those of the mask, with its n and 95 % interval.

        The interval is that of 1,000 resamples of `units`, seed 0.
        """
        rows, units = (self.rows, self.units) if mask is None else (self.rows.at(mask), self.units[mask])
        sums = cluster_sums(rows.vectors, units, rows.which)
        interval = bounded_bootstrap(sums, lambda totals: rates(totals, self.run.protocol))
        return {
            name: Value(value.value, float(low), float(high), value.n)
            for (name, value), low, high in zip(self.table(mask).items(), interval.low, interval.high, strict=True)
        }

    def by_group(self, name: str, groups: Sequence[str], metrics: Sequence[str]) -> dict[str, list[Value]]:
        """Return metrics of each group of rows, by the metric, with n and 95 % intervals from one resampling of all."""
        place = {group: k for k, group in enumerate(groups)}
        index = self.rows.each(lambda row: place.get(row.facts.group(name), -1), np.intp)
        tables = [self.table(index == k) for k in range(len(groups))]
        sums = self.rows.group_sums(self.units, (index, len(groups)))

        def statistic(totals: Floats) -> Floats:
            of_groups = totals.reshape(*totals.shape[:-1], len(groups), WIDTH)
            found = rates(of_groups, self.run.protocol, metrics)
            return found.reshape(*found.shape[:-2], -1)

        interval = bounded_bootstrap(sums, statistic)
        bounds = [ends.reshape(len(groups), len(metrics)).T for ends in (interval.low, interval.high)]
        return {
            metric: [
                replace(table[metric], low=float(low), high=float(high)) if table[metric].known else table[metric]
                for table, low, high in zip(tables, *(ends[k] for ends in bounds), strict=True)
            ]
            for k, metric in enumerate(metrics)
        }

    @property
    def asked(self) -> RefusalRows:
        """Return the rows of known correctness for which a confidence was asked."""
        return self.rows.at(self.rows.mask(lambda row: row.confidence_asked and row.outcome.right is not None))

    @property
    def unread_confidences(self) -> int:
        """Return how many of these state no readable one."""
        return self.asked.number(lambda row: not row.level)

    @cached_property
    def of_controls(self) -> dict[str, Value]:
        """Return the controls' answer accuracy and false refusal rate as `main` does; empty without controls."""
        if not self.controls:
            return {}
        interval = bounded_bootstrap(self.controls.unit_sums(), rates)
        totals = self.controls.totals()
        values, ns = rates(totals), denominators(totals)
        places = {name: METRICS.index(name) for name in OF_CONTROLS}
        return {
            name: Value(float(values[i]), float(interval.low[i]), float(interval.high[i]), ns[name])
            for name, i in places.items()
        }

    @cached_property
    def of_retrieval(self) -> dict[str, Value]:
        """Return the metrics of retrieval with n and interval; empty if the application told of none."""
        values = retrieval(self.rows)
        sure = retrieval_intervals(self.rows)
        return {
            name: Value(values[name], sure[f"{name}_ci_low"], sure[f"{name}_ci_high"], values[f"{name}_n"])
            for name in (RETRIEVAL if values else ())
        }

    def refusals(self, mask: Mask) -> Value:
        """Return the share of refusals among the decided rows of the mask, with its 95 % interval and n.

        By either protocol: the refusal rate of `official-code` is about unanswerable rows only.
        """
        return self.share(self.predicted != _ANSWER, mask & (self.predicted >= 0))

    def share(self, hit: Mask, among: Mask) -> Value:
        """Return the share of rows that are a hit, of those of the mask `among`, with its 95 % interval and n."""
        # of each unit as many rows as are a hit, and as there are
        sums = cluster_sums(np.array([[0.0, 1.0], [1.0, 1.0]]), self.units[among], hit[among].astype(np.intp))

        def share(totals: Floats) -> Floats:
            with np.errstate(invalid="ignore"):
                result: Floats = totals[..., :1] / totals[..., 1:]
            return result

        if not len(sums):
            return Value(float("nan"), n=0)
        interval = bounded_bootstrap(sums, share)
        return Value(
            float(share(sums.sum(axis=0))[0]), float(interval.low[0]), float(interval.high[0]), int(among.sum())
        )

    def confusion(self, mask: Mask | None = None) -> Floats:
        """Return the decided replies by gold label (rows, an answer first) and given label (columns): shape (8, 8)."""
        known = self.predicted >= 0 if mask is None else mask & (self.predicted >= 0)
        cells = self.expected[known] * len(Label) + self.predicted[known]
        return np.bincount(cells, minlength=len(Label) ** 2).reshape(len(Label), len(Label)).astype(float)


@dataclass(frozen=True, slots=True)
class DataRow:
    """One perturbed row of the data set, whoever answered it."""

    expected: Label
    facts: SampleFacts


@dataclass(frozen=True)
class RefusalGroup:
    """The runs of `nq` or `garage` over one set of rows: what tables and figures are made from."""

    tallies: Sequence[Tally]

    @cached_property
    def rows(self) -> AlikeRows[DataRow]:
        """Return the perturbed rows that any of the runs was given, each once, scored or lost."""
        return data_rows(self.tallies)

    @cached_property
    def models(self) -> list[Tally]:
        """Return the newest run of each model, without baselines."""
        return newest_of_each_model(self.tallies)


def data_rows(tallies: Sequence[Tally]) -> AlikeRows[DataRow]:
    """Return the perturbed rows that any of the runs was given, each once, scored or lost; names are left out."""
    kinds: list[DataRow] = []
    rows: dict[str, int] = {}
    for tally in tallies:
        first, held = len(kinds), tally.rows
        kinds += [DataRow(row.outcome.expected, row.facts) for row in held.kinds]
        rows.update(zip((name for name, _ in tally.run.perturbed), (held.which + first).tolist(), strict=True))
        for (name, _), facts in perturbed_losses(tally.run).items():
            if name not in rows and facts.expected:
                rows[name] = len(kinds)
                kinds.append(DataRow(facts.expected, facts))
    return AlikeRows(kinds, np.array([rows[name] for name in sorted(rows)], dtype=np.int32))


def perturbed_losses(run: RefusalRun) -> dict[Key, SampleFacts]:
    """Return the samples without a score that are not known to be unperturbed controls."""
    return {key: facts for key, facts in run.lost.items() if not facts.control}


def newest_of_each_model(tallies: Sequence[Tally]) -> list[Tally]:
    """Return the newest run of each model, without baselines: what is said of models must count each of them once."""
    runs = sorted((tally for tally in tallies if not tally.run.baseline), key=lambda t: t.run.created)
    return list({tally.run.model: tally for tally in runs}.values())


def reference(rows: AlikeRows[DataRow], label: Label) -> dict[str, Value]:
    """Return the metrics of a model that gives every row the same label, undefined where its answers would matter."""
    kinds = rows.counted(lambda row: row.expected)
    vectors = count_rows([Outcome(expected, label, None, "") for expected in kinds])
    totals = np.array(list(kinds.values()), dtype=float) @ vectors
    ns = denominators(totals)
    return {name: Value(float(v), n=ns[name]) for name, v in zip(METRICS, rates(totals), strict=True)}
