"""The figures of BLUFF-1000 runs."""

from collections.abc import Sequence

from refusalbench_tasks.metrics.hedging import MISSED_BELOW
from refusalbench_tasks.report.charts import BarMarks, Bars, Mark, Scatter
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.figures.tradeoffs import correlation_note
from refusalbench_tasks.report.hedging_tally import HedgingTally


def faithfulness_against_sensitivity(tallies: Sequence[HedgingTally]) -> Figure | Absent:
    """Return faithfulness against refusal sensitivity."""
    formula = (
        "refusal sensitivity = refusal rate under ambiguous - under clear sources; faithfulness as in the table of "
        "metrics"
    )
    return _scatter(tallies, "refusal_sensitivity", "faithfulness", formula)


def correctness_against_refusals(tallies: Sequence[HedgingTally]) -> Figure | Absent:
    """Return the correctness of the answers against how many replies refuse."""
    formula = "refusal count = replies that refuse, of all replies; answer correctness = mean grade of the answers"
    return _scatter(tallies, "refusal_count", "answer_correctness", formula)


def correctness_against_missed_refusals(tallies: Sequence[HedgingTally]) -> Figure | Absent:
    """Return the correctness of the answers against how many answers should have been refusals."""
    formula = (
        f"missed refusals = answers with a grade below {MISSED_BELOW:g}; answer correctness = mean grade of the answers"
    )
    return _scatter(tallies, "missed_refusals", "answer_correctness", formula)


def index_against_correctness(tallies: Sequence[HedgingTally]) -> Figure | Absent:
    """Return the index against the correctness of the answers, with their correlation over the models."""
    marks = _marks(tallies, "answer_correctness", "asi")
    if not marks:
        return Absent("no run has graded answers and pairs with a confidence")
    newest = {t.run.model: t.label for t in sorted(tallies, key=lambda t: t.run.created) if not t.run.baseline}
    models = [mark for mark in marks if mark.name in newest.values()]
    note = correlation_note([m.x for m in models], [m.y for m in models])
    return Figure(
        "asi-against-correctness",
        "Ambiguity sensitivity against answer correctness",
        "ASI = mean over pairs of (CS + HS) / 2; answer correctness = mean grade of the answers; crosses are 95 % "
        "intervals by question",
        Scatter(marks, "answer correctness", "ASI", note=note, limits=None, x_limits=None),
    )


def hedge_quality(tallies: Sequence[HedgingTally]) -> Figure:
    """Return whether hedges mark wrong answers, beside what hedges that tell nothing reach."""
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
    )


def index(tallies: Sequence[HedgingTally]) -> Figure:
    """Return the index, beside what it would be without any effect."""
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
    )


def refusal_sensitivity(tallies: Sequence[HedgingTally]) -> Figure:
    """Return by how much more often a run refuses under ambiguous sources."""
    series = {"refusal sensitivity": [t.value("refusal_sensitivity") for t in tallies]}
    return Figure(
        "refusal-sensitivity",
        "Refusal sensitivity",
        "refusal rate under ambiguous sources - under clear sources, 95 % intervals by question",
        Bars([t.label for t in tallies], series, "difference of refusal rates", limits=None),
    )


def _scatter(tallies: Sequence[HedgingTally], x: str, y: str, formula: str) -> Figure | Absent:
    marks, names = _marks(tallies, x, y), [name.replace("_", " ") for name in (x, y)]
    if not marks:
        return Absent(f"no run has {names[0]} and {names[1]}")
    return Figure(
        f"{y}-against-{x}".replace("_", "-"),
        f"{names[1].capitalize()} against {names[0]}",
        f"{formula}; lines are 95 % intervals by question, where there are any",
        Scatter(marks, names[0], names[1], limits=None, x_limits=None),
    )


def _marks(tallies: Sequence[HedgingTally], x: str, y: str) -> list[Mark]:
    marks = [Mark(t.label, t.value(x), t.value(y)) for t in tallies]
    return [mark for mark in marks if mark.x.known and mark.y.known]


def _values(tallies: Sequence[HedgingTally], name: str) -> list[float]:
    return [t.metrics.get(name, float("nan")) for t in tallies]
