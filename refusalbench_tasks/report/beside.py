"""The same models on two data sets of the refusal kind, scored alike: what ten passages do to one passage's results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets.benchmarks import GARAGE, NQ
from refusalbench_tasks.report.charts import Value
from refusalbench_tasks.report.tally import RefusalGroup, Tally
from refusalbench_tasks.stats.difference import difference_interval
from refusalbench_tasks.tables import Table, TableRow

COMPARED = ("refusal_accuracy", "false_refusal_rate", "missed_refusal_rate", "detection_f1", "category_accuracy")
"""The metrics that the paper discusses for both data sets (4.2, F.7, F.8)."""
DIFFERENCE = f"{GARAGE.task} - {NQ.task}"


@dataclass(frozen=True)
class Beside:
    """The newest runs of one model of `nq` and of `garage`, by one protocol and with one budget of thinking."""

    label: str
    nq: Tally
    garage: Tally

    def difference(self, metric: str) -> Value:
        """Return garage - nq with its 95 % interval; NaN where either is undefined; its n is the smaller of the two."""
        nq, garage = self.nq.main[metric], self.garage.main[metric]
        low, high = difference_interval((garage.value, garage.low, garage.high), (nq.value, nq.low, nq.high))
        return Value(garage.value - nq.value, low, high, min(nq.n, garage.n))


def models_beside(nq: RefusalGroup, garage: RefusalGroup, names: Mapping[str, str]) -> list[Beside]:
    """Return the models that have runs in both groups, baselines left out; none if the groups are scored differently.

    A model's runs with different budgets of thinking tokens stand apart. `names` are the short names of models.
    """
    first, second = _newest(nq), _newest(garage)
    return [
        Beside(names[model] + (f" ({tokens} thinking tokens)" if tokens else ""), first[model, tokens], other)
        for (model, tokens), other in second.items()
        if (model, tokens) in first and first[model, tokens].run.protocol == other.run.protocol
    ]


def _newest(group: RefusalGroup) -> dict[tuple[str, int], Tally]:
    runs = [tally for tally in group.tallies if not tally.run.baseline]
    # in the order of the section, whichever run is newer
    newest = {(tally.run.model, tally.run.reasoning_tokens or 0): tally for tally in runs}
    by_age = sorted(runs, key=lambda tally: tally.run.created)
    return newest | {(tally.run.model, tally.run.reasoning_tokens or 0): tally for tally in by_age}


def beside_table(models: Sequence[Beside]) -> Table:
    """Return one row per model and metric: both values and their difference, with intervals and n."""
    rows: list[TableRow] = [
        {"model": one.label, "metric": metric.replace("_", " ")}
        | one.nq.main[metric].cells(NQ.task)
        | one.garage.main[metric].cells(GARAGE.task)
        | one.difference(metric).cells(DIFFERENCE)
        for one in models
        for metric in COMPARED
    ]
    note = "95 % intervals resample base questions; the difference's follows from both (MOVER), as the sets are apart."
    return Table("rates", f"{NQ.task} beside {GARAGE.task}", rows, note)


def beside_warnings(models: Sequence[Beside]) -> list[str]:
    """Return what else than the data set may make a difference."""
    warnings = []
    for one in models:
        graders = [" + ".join(sorted(tally.run.graders)) for tally in (one.nq, one.garage)]
        if all(graders) and graders[0] != graders[1]:
            warnings.append(f"{one.label}: graded by {graders[0]} on {NQ.task} and by {graders[1]} on {GARAGE.task}.")
        for tally in (one.nq, one.garage):
            if tally.run.status != "success":
                warnings.append(
                    f"{one.label}: the run of {tally.run.task} did not finish (status: {tally.run.status})."
                )
    return warnings
