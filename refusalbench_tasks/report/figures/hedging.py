"""The figures of BLUFF-1000 runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from refusalbench_tasks.metrics.calibration import equal_width
from refusalbench_tasks.metrics.hedging_effects import effects
from refusalbench_tasks.metrics.hedging_rows import Floats, column
from refusalbench_tasks.metrics.hedging_values import calibration_values, counts, credited, main_values
from refusalbench_tasks.metrics.selective import risk_coverage
from refusalbench_tasks.report.charts import Bars, Curves, Mark, Point, Scatter, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure, Found
from refusalbench_tasks.report.figures.tradeoffs import correlation_note
from refusalbench_tasks.report.run import HedgingRun

DENOMINATORS = {
    "asi": "pairs_n",
    "asi_with_refusals": "pairs_with_refusals_n",
    "confidence_drop": "pairs_n",
    "hedging_difference": "pairs_n",
    "vui": "hedge_n",
    "hedge_precision": "hedged_n",
    "hedge_recall": "hedge_wrong_n",
    "hedge_lift": "hedge_n",
    "lexical_overconfidence": "hedge_wrong_n",
    "source_set_on_hedging": "n",
    "refusal_rate": "refusal_n",
    "refusal_count": "refusal_n",
    "refusal_sensitivity": "refusal_n",
    "answer_correctness": "answer_correctness_n",
    "ece": "confidence_n",
    "brier": "confidence_n",
}
"""The n of each metric that is not called like it."""


@dataclass(frozen=True)
class HedgingTally:
    """The metrics of one run of `bluff`, by name."""

    run: HedgingRun
    label: str

    @cached_property
    def metrics(self) -> Mapping[str, float]:
        """Return every metric of the run, as its log has them (1,000 resamples, seed 0)."""
        rows = list(self.run.rows.values())
        hedged = sum(
            row.answered and row.numbers["hedges"] > 0 and _is_known(row.numbers["correctness"]) for row in rows
        )
        found = main_values(rows) | calibration_values(rows) | counts(rows) | effects(rows, 1000, 0)
        return found | {"hedged_n": float(hedged)}

    def value(self, name: str) -> Value:
        """Return a metric with its interval and n, NaN where it has none."""
        nan = float("nan")
        low, high = (self.metrics.get(f"{name}_ci_{end}", nan) for end in ("low", "high"))
        n = self.metrics.get(DENOMINATORS.get(name, f"{name}_n"), nan)
        return Value(self.metrics.get(name, nan), low, high, n)


def hedging_figures(tallies: Sequence[HedgingTally]) -> Found:
    """Return the figures of BLUFF-1000 that runs of `bluff` allow, and ours."""
    return [
        _index_against_correctness(tallies),
        _hedge_quality(tallies),
        _index(tallies),
        _sensitivity(tallies),
        *_calibration(tallies),
        Absent("BLUFF-1000", (13, 14), "what these figures show is not known to this version"),
    ]


def _index_against_correctness(tallies: Sequence[HedgingTally]) -> Figure | Absent:
    marks = [Mark(t.label, t.value("answer_correctness"), t.value("asi")) for t in tallies]
    marks = [mark for mark in marks if mark.x.value == mark.x.value and mark.y.value == mark.y.value]
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
        Scatter(marks, "answer correctness", "ASI", note=note, limits=None),
        "BLUFF-1000",
        (3,),
    )


def _hedge_quality(tallies: Sequence[HedgingTally]) -> Figure:
    names = {"hedge precision": "hedge_precision", "hedge recall": "hedge_recall", "VUI": "vui"}
    always = {"VUI of always hedging": "vui_of_always_hedging"}
    series = {shown: [t.value(name) for t in tallies] for shown, name in (names | always).items()}
    return Figure(
        "hedges",
        "Do hedges mark wrong answers?",
        "precision = wrong / hedged answers; recall = hedged / wrong answers; VUI = 2PR / (P + R); the last bar is "
        "what hedging every answer would reach",
        Bars([t.label for t in tallies], series, ""),
        "BLUFF-1000",
        (4,),
    )


def _index(tallies: Sequence[HedgingTally]) -> Figure:
    series = {
        "ASI": [t.value("asi") for t in tallies],
        "expected without any effect": [Value(t.metrics.get("asi_null", float("nan"))) for t in tallies],
    }
    doubled = "each doubled" if tallies[0].run.protocol == "official-code" else "CS doubled"
    return Figure(
        "asi",
        "Ambiguity Sensitivity Index",
        "mean over pairs without refusals of (CS + HS) / 2; CS = confidence under clear - under ambiguous sources, "
        f"HS = hedging density under ambiguous - under clear sources, {doubled} if negative; the second bar is the "
        "mean of the ASI and the ASI with the arms exchanged",
        Bars([t.label for t in tallies], series, "ASI", limits=None),
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
        "BLUFF-1000",
        (6,),
    )


def _calibration(tallies: Sequence[HedgingTally]) -> Found:
    known = {t.label: _confident(t) for t in tallies}
    known = {label: pair for label, pair in known.items() if len(pair[0])}
    if not known:
        return []
    diagram = {
        label: [Point(b.confidence, Value(b.accuracy, n=b.n)) for b in equal_width(c, a) if b.n]
        for label, (c, a) in known.items()
    }
    lines = {}
    for label, (confidence, correctness) in known.items():
        curve = risk_coverage(confidence, 1 - correctness)
        points = zip(curve.coverage, curve.risk, strict=True)
        lines[f"{label} (AURC {curve.area:.3f})"] = [
            Point(float(x), Value(float(y), n=round(float(x) * len(confidence)))) for x, y in points
        ]
    return [
        Figure(
            "reliability",
            "Reliability diagram",
            f"mean grade of the answers{_credit(tallies)} by confidence, ten bins of equal width, drawn at the bin's "
            "mean confidence; the diagonal is perfect calibration",
            Curves(diagram, "confidence", "answer correctness", diagonal=True),
        ),
        Figure(
            "risk-coverage",
            "Risk against coverage",
            f"coverage = share of graded answers{_credit(tallies)} with at least a confidence; risk = 1 - their mean "
            "grade; AURC = mean risk over all coverages, ties in random order",
            Curves(lines, "coverage", "risk"),
        ),
    ]


def _credit(tallies: Sequence[HedgingTally]) -> str:
    return " (refusals at 0.4)" if tallies[0].run.protocol == "official-code" else ""


def _is_known(value: float) -> bool:
    return value == value


def _confident(tally: HedgingTally) -> tuple[Floats, Floats]:
    rows = list(tally.run.rows.values())
    confidence, correctness = column(rows, "confidence"), credited(rows, tally.run.protocol)
    both = ~(np.isnan(confidence) | np.isnan(correctness))
    return confidence[both], correctness[both]
