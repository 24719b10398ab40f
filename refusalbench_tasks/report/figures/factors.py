"""Which of reliability, conflict and sufficiency of the sources moves hedging."""

from collections.abc import Sequence

from refusalbench_tasks.datasets.factorial import FACTORS
from refusalbench_tasks.report.charts import Bars, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.hedging_tally import HedgingTally

_FORMULA = (
    "share of replies with a hedge, or that refuse: mean difference, doubtful - sound, over pairs of source sets for "
    "one question that differ in this factor alone; without a grader no reply is decided, and it is hedge terms a "
    "reply; bars are 95 % intervals by question. Interactions are in the table"
)


def main_effects(tallies: Sequence[HedgingTally]) -> Figure | Absent:
    """Return the main effect of each factor on guarded replies, or on the number of hedges if no reply is decided."""
    told = [t for t in tallies if t.factors]
    if not told:
        return Absent("no row tells the factors of its sources (factors, which rows of data=worlds have)")
    for measure, axis in (("guarded_rate", "difference of guarded rates"), ("hedges", "difference of hedges a reply")):
        series = {str(name): [_effect(t, name, measure) for t in told] for name in FACTORS}
        if any(one.known for values in series.values() for one in values):
            bars = Bars([t.label for t in told], series, axis, limits=None)
            return Figure("factors", "Which of reliability, conflict and sufficiency moves hedging?", _FORMULA, bars)
    return Absent("no two replies to one question have sources that differ in one factor alone")


def _effect(tally: HedgingTally, factor: str, measure: str) -> Value:
    one = next(one for one in tally.factors if (one.name, one.measure) == (factor, measure))
    return Value(one.value, one.low, one.high, one.n)
