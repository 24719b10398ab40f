"""What generation runs have in the place of published numbers of writers and verifiers (RefusalBench, RQ1, App. E)."""

import math
from collections.abc import Callable, Mapping, Sequence

from refusalbench_tasks.generators.agreement import panel_tables
from refusalbench_tasks.generators.generation_logs import GenerationRun
from refusalbench_tasks.generators.judged import Row
from refusalbench_tasks.results.published.numbers import over_models
from refusalbench_tasks.results.published.papers import PublishedRow
from refusalbench_tasks.stats.estimate import Estimate

ALL = "all writers"
_OF_WRITER = {"self_pass_rate": "self", "cross_pass_rate": "cross", "self_bias": "gap"}
PUBLISHED_OF = Callable[[str], str | None]


def base_of(run: GenerationRun) -> str:
    """Return which benchmark a run's base questions are like: `nq` has one passage, `garage` several."""
    return "garage" if any(item.slot.multi for item in run.items) else "nq"


class Writers:
    """The agreement tables of the runs by published writers over one kind of bases."""

    def __init__(self, runs: Sequence[GenerationRun], published_of: PUBLISHED_OF, expected: int) -> None:
        self.runs = [run for run in runs if published_of(run.header.eval.model)]
        self._published_of = published_of
        self._expected = expected
        self._tables = panel_tables([item for run in self.runs for item in run.items]).tables

    @property
    def log(self) -> str:
        """Return the newest of the logs."""
        return str(max(self.runs, key=lambda run: run.header.eval.created).header.location) if self.runs else ""

    @property
    def differences(self) -> tuple[str, ...]:
        """Return what keeps the runs from reproducing the published numbers, a few words each."""
        writers = {self._name(run.header.eval.model) for run in self.runs}
        arguments = [run.header.eval.task_args or {} for run in self.runs]
        found = [f"{len(writers)} of {self._expected} writers"] if len(writers) < self._expected else []
        for name in ("coverage", "verify"):
            others = sorted({str(one.get(name)) for one in arguments} - {"all"})
            found += [f"{name}={value}" for value in others]
        return (*found, "the published base questions are not known")

    def measure(self, row: PublishedRow) -> Estimate:
        """Return what the runs have in the place of a published number."""
        if row.metric in _OF_WRITER:
            return self._of_writer(row)
        if row.metric == "kappa":
            return self._kappa(row)
        if row.metric == "class_range":
            rates = self._by_class(None)
            return over_models("spread", [Estimate(rate) for rate, _ in rates.values()], [])
        if row.model == ALL or row.subset.startswith("P-"):
            rate, n = self._by_class(None if row.model == ALL else row.model).get(row.subset, (math.nan, math.nan))
            return Estimate(rate, n=n)
        own = [one for one in self._rows("by_intensity", "writer", row.model) if one["group"] == row.subset]
        return Estimate(float(own[0]["pass_rate"]), n=float(own[0]["n"])) if own else Estimate()

    def _name(self, model: str) -> str:
        return self._published_of(model) or model

    def _rows(self, table: str, column: str, model: str) -> list[Row]:
        return [row for row in self._tables[table] if self._name(str(row[column])) == model]

    def _of_writer(self, row: PublishedRow) -> Estimate:
        column = _OF_WRITER[row.metric]
        if row.model == ALL:
            values = [Estimate(float(one[column])) for one in self._tables["self_against_cross"]]
            return over_models("mean", values, [])
        own = self._rows("self_against_cross", "writer", row.model)
        if not own:
            return Estimate()
        ends = [float(own[0][f"ci_{end}"]) if column == "gap" else math.nan for end in ("low", "high")]
        return Estimate(float(own[0][column]), float(own[0]["n"]), low=ends[0], high=ends[1])

    def _kappa(self, row: PublishedRow) -> Estimate:
        pairs = {
            frozenset(self._name(str(one[side])) for side in ("verifier", "other")): one
            for one in self._tables["kappa"]
        }
        if row.across:
            return over_models(row.across, [Estimate(float(one["kappa"])) for one in pairs.values()], [])
        own = pairs.get(frozenset(row.subset.split(", ")))
        return Estimate(float(own["kappa"]), n=float(own["n"])) if own else Estimate()

    def _by_class(self, writer: str | None) -> Mapping[str, tuple[float, float]]:
        """Return the pass rate of each class over the votes of all verifiers, and its candidates, by writer."""
        rows = self._tables["by_class"] if writer is None else self._rows("by_class", "writer", writer)
        found: dict[str, tuple[float, float]] = {}
        for group in {str(row["group"]) for row in rows}:
            own = [(float(row["pass_rate"]), float(row["n"])) for row in rows if row["group"] == group]
            n = sum(count for rate, count in own if not math.isnan(rate))
            found[group] = (sum(rate * count for rate, count in own if count) / n if n else math.nan, n)
        return found
