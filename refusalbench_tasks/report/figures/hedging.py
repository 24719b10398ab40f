"""The figures of BLUFF-1000 runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from refusalbench_tasks.logs.run import HedgingRun
from refusalbench_tasks.metrics.calibration import equal_width
from refusalbench_tasks.metrics.hedging import MISSED_BELOW
from refusalbench_tasks.metrics.hedging_effects import effects
from refusalbench_tasks.metrics.hedging_n import N_OF
from refusalbench_tasks.metrics.hedging_rates import rate_cells, rate_statistics
from refusalbench_tasks.metrics.hedging_rows import HedgingRow, column, protocol_of
from refusalbench_tasks.metrics.hedging_values import calibration_values, counts, credited, main_values
from refusalbench_tasks.metrics.selective import risk_coverage
from refusalbench_tasks.report.charts import BarMarks, Bars, Curves, Mark, Point, Scatter, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure, Found
from refusalbench_tasks.report.figures.reliability import INTERVALS, reliability_points
from refusalbench_tasks.report.figures.tradeoffs import correlation_note
from refusalbench_tasks.stats.cluster import Floats, bootstrap, cluster_sums


@dataclass(frozen=True)
class HedgingTally:
    """The metrics of one run of `bluff`, by name."""

    run: HedgingRun
    label: str

    @cached_property
    def metrics(self) -> Mapping[str, float]:
        """Return every metric of the run, as its log has them (1,000 resamples, seed 0)."""
        rows = list(self.run.rows.values())
        found = main_values(rows) | calibration_values(rows) | counts(rows) | effects(rows, 1000, 0)
        return found | _hedge_intervals(rows)

    def value(self, name: str) -> Value:
        """Return a metric with its interval and n, NaN where it has none."""
        nan = float("nan")
        low, high = (self.metrics.get(f"{name}_ci_{end}", nan) for end in ("low", "high"))
        n = self.metrics.get(N_OF.get(name, f"{name}_n"), nan)
        return Value(self.metrics.get(name, nan), low, high, n)


def hedging_figures(tallies: Sequence[HedgingTally]) -> Found:
    """Return the figures of BLUFF-1000 that runs of `bluff` allow, and ours."""
    return [
        _index_against_correctness(tallies),
        _hedge_quality(tallies),
        _index(tallies),
        _sensitivity(tallies),
        *_against_refusals(tallies),
        *_calibration(tallies),
    ]


def _marks(tallies: Sequence[HedgingTally], x: str, y: str) -> list[Mark]:
    marks = [Mark(t.label, t.value(x), t.value(y)) for t in tallies]
    return [mark for mark in marks if not np.isnan([mark.x.value, mark.y.value]).any()]


def _against_refusals(tallies: Sequence[HedgingTally]) -> Found:
    return [
        _scatter(tallies, "refusal_sensitivity", "faithfulness", 6,
                 "refusal sensitivity = refusal rate under ambiguous - under clear sources; faithfulness as in the "
                 "table of metrics"),
        _scatter(tallies, "refusal_count", "answer_correctness", 13,
                 "refusal count = replies that refuse, of all replies; answer correctness = mean grade of the answers"),
        _scatter(tallies, "missed_refusals", "answer_correctness", 14,
                 f"missed refusals = answers with a grade below {MISSED_BELOW:g}; answer correctness = mean grade of "
                 "the answers"),
    ]  # fmt: skip


def _scatter(tallies: Sequence[HedgingTally], x: str, y: str, number: int, formula: str) -> Figure | Absent:
    marks, names = _marks(tallies, x, y), [name.replace("_", " ") for name in (x, y)]
    if not marks:
        return Absent("BLUFF-1000", (number,), f"no run has {names[0]} and {names[1]}")
    return Figure(
        f"{y}-against-{x}".replace("_", "-"),
        f"{names[1].capitalize()} against {names[0]}",
        f"{formula}; lines are 95 % intervals by question, where there are any",
        Scatter(marks, names[0], names[1], limits=None, x_limits=None),
        "BLUFF-1000",
        (number,),
    )


def _index_against_correctness(tallies: Sequence[HedgingTally]) -> Figure | Absent:
    marks = _marks(tallies, "answer_correctness", "asi")
    if not marks:
        return Absent("BLUFF-1000", (3,), "no run has graded answers and pairs with a confidence")
    newest = {t.run.model: t.label for t in sorted(tallies, key=lambda t: t.run.created) if not t.run.baseline}
    models = [mark for mark in marks if mark.name in newest.values()]
    note = correlation_note([m.x for m in models], [m.y for m in models])
    return Figure(
        "asi-against-correctness",
        "Ambiguity sensitivity against answer correctness",
        "ASI = mean over pairs of (CS + HS) / 2; answer correctness = mean grade of the answers; crosses are 95 % "
        "intervals by question",
        Scatter(marks, "answer correctness", "ASI", note=note, limits=None, x_limits=None),
        "BLUFF-1000",
        (3,),
    )


def _hedge_quality(tallies: Sequence[HedgingTally]) -> Figure:
    names = {
        "hedge precision": "hedge_precision",
        "hedge recall": "hedge_recall",
        "VUI": "vui",
        "answer correctness": "answer_correctness",
    }
    series = {shown: [t.value(name) for t in tallies] for shown, name in names.items()}
    marks = [
        BarMarks("share of wrong answers", "hedge precision", _values(tallies, "hedge_base_rate")),
        BarMarks("VUI of always hedging", "VUI", _values(tallies, "vui_of_always_hedging")),
    ]
    return Figure(
        "hedges",
        "Do hedges mark wrong answers?",
        "precision = wrong / hedged answers; recall = hedged / wrong answers; VUI = 2PR / (P + R). A model that is "
        "often wrong reaches high values with any hedges, so the marks are what to compare with: the share of wrong "
        "answers (precision of hedges that tell nothing) and the VUI of hedging every answer; lift = precision / "
        "share of wrong answers",
        Bars([t.label for t in tallies], series, "", marks=marks, notes={"lift": _values(tallies, "hedge_lift")}),
        "BLUFF-1000",
        (4,),
    )


def _index(tallies: Sequence[HedgingTally]) -> Figure:
    series = {"ASI": [t.value("asi") for t in tallies]}
    null = BarMarks("ASI without any effect", "ASI", _values(tallies, "asi_null"))
    doubled = "each doubled" if tallies[0].run.protocol == "official-code" else "CS doubled"
    return Figure(
        "asi",
        "Ambiguity Sensitivity Index",
        "mean over pairs without refusals of (CS + HS) / 2; CS = confidence under clear - under ambiguous sources, "
        f"HS = hedging density under ambiguous - under clear sources, {doubled} if negative. Because of the doubling "
        "an ASI without any effect is not 0 but at the mark, the mean of the ASI and the ASI with the arms exchanged; "
        "p is two-sided, against the mark, by exchanging arms",
        Bars(
            [t.label for t in tallies], series, "ASI", limits=None, marks=[null], notes={"p": _values(tallies, "asi_p")}
        ),
        "BLUFF-1000",
        (5,),
    )


def _sensitivity(tallies: Sequence[HedgingTally]) -> Figure:
    series = {"refusal sensitivity": [t.value("refusal_sensitivity") for t in tallies]}
    return Figure(
        "refusal-sensitivity",
        "Refusal sensitivity",
        "refusal rate under ambiguous sources - under clear sources, 95 % intervals by question",
        Bars([t.label for t in tallies], series, "difference of refusal rates", limits=None),
    )


def _values(tallies: Sequence[HedgingTally], name: str) -> list[float]:
    return [t.metrics.get(name, float("nan")) for t in tallies]


def _calibration(tallies: Sequence[HedgingTally]) -> Found:
    known = {t.label: _confident(t) for t in tallies}
    known = {label: pair for label, pair in known.items() if len(pair[0])}
    if not known:
        return []
    diagram = {
        label: reliability_points(equal_width(c, a), c.tolist(), questions)
        for label, (c, a, questions) in known.items()
    }
    lines, areas = {}, {}
    for label, (confidence, correctness, _) in known.items():
        curve = risk_coverage(confidence, 1 - correctness)
        points = zip(curve.coverage, curve.risk, strict=True)
        areas[label] = curve.area
        lines[label] = [Point(float(x), Value(float(y), n=round(float(x) * len(confidence)))) for x, y in points]
    return [
        Figure(
            "reliability",
            "Reliability diagram",
            f"mean grade of the answers{_credit(tallies)} by confidence, ten bins of equal width, drawn at the bin's "
            f"mean confidence; the diagonal is perfect calibration; {INTERVALS}",
            Curves(diagram, "confidence", "answer correctness", diagonal=True, joined=False),
        ),
        Figure(
            "risk-coverage",
            "Risk against coverage",
            f"coverage = share of graded answers{_credit(tallies)} with at least a confidence; risk = 1 - their mean "
            "grade; AURC = mean risk over all coverages, ties in random order; confidence that tells nothing gives the "
            "risk at full coverage everywhere",
            Curves(lines, "coverage", "risk", notes={"AURC": areas}),
        ),
    ]


def _credit(tallies: Sequence[HedgingTally]) -> str:
    return " (refusals at 0.4)" if tallies[0].run.protocol == "official-code" else ""


def _hedge_intervals(rows: Sequence[HedgingRow]) -> dict[str, float]:
    """Return the 95 % intervals of hedge precision and recall by question, like those of the other rates."""
    if not rows:
        return {}
    sums = cluster_sums(rate_cells(rows, protocol_of(rows)), [row.question for row in rows])
    names = ("hedge_precision", "hedge_recall")
    interval = bootstrap(sums, lambda totals: rate_statistics(totals, names))
    ends = {"low": interval.low, "high": interval.high}
    return {f"{name}_ci_{end}": float(values[i]) for end, values in ends.items() for i, name in enumerate(names)}


def _confident(tally: HedgingTally) -> tuple[Floats, Floats, list[str]]:
    rows = list(tally.run.rows.values())
    confidence, correctness = column(rows, "confidence"), credited(rows, tally.run.protocol)
    both = ~(np.isnan(confidence) | np.isnan(correctness))
    return confidence[both], correctness[both], [row.question for row, known in zip(rows, both, strict=True) if known]
