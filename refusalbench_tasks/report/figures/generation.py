"""The figures of generation runs."""

import math
from collections.abc import Sequence

from refusalbench_tasks.generators.agreement import Panel
from refusalbench_tasks.generators.judged import Row
from refusalbench_tasks.report.charts import NAN, Bars, HeatMap, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED

_WHOLE = "first attempts at the slots that all verifiers judged for all writers"
_NO_SELF = "no writer is a verifier as well, or no slot is judged by all for all writers"
_NOT_JUDGED = "no slot that the whole panel judged for every writer; run perturb with -T verify=all"
_BIAS = "pass rate of own candidates by oneself - mean by the others, 95 % intervals by base question"
_VALUE = ("ci_low", "ci_high", "n")

_ORDER = [one.value for one in (*CLASSES, *PERTURBED)]


def verdicts(panel: Panel) -> Figure | Absent:
    """Return the pass rate of each writer's candidates by each verifier."""
    rows = panel.tables["pass_rates"]
    if not rows:
        return Absent(_NOT_JUDGED)
    verifiers = [name for name in rows[0] if name not in ("writer", "n", "broken", "gated", "written")]
    chart = HeatMap(
        [str(row["writer"]) for row in rows],
        verifiers,
        [[float(row[name]) for name in verifiers] for row in rows],
        [[float(row["n"])] * len(verifiers) for row in rows],
        row_axis="writer",
        column_axis="verifier",
    )
    formula = f"passed / judged candidates; {_WHOLE}"
    return Figure("verdicts", "Pass rates by writer and verifier", formula, chart)


def pass_rates_by_class(panel: Panel) -> Figure | Absent:
    """Return the pass rate of each writer's candidates by class."""
    return _pass_rates(panel.tables["by_class"], "class")


def pass_rates_by_intensity(panel: Panel) -> Figure | Absent:
    """Return the pass rate of each writer's candidates by intensity."""
    return _pass_rates(panel.tables["by_intensity"], "intensity")


def pass_rates_by_lever(panel: Panel) -> Figure | Absent:
    """Return the pass rate of each writer's candidates by lever."""
    return _pass_rates(panel.tables["by_lever"], "lever")


def _pass_rates(rows: Sequence[Row], group: str) -> Figure | Absent:
    known = [row for row in rows if not math.isnan(float(row["pass_rate"]))]
    if not known:
        return Absent(_NOT_JUDGED)
    groups = sorted({str(row["group"]) for row in known}, key=_place)
    writers = sorted({str(row["writer"]) for row in known})
    cells = {(str(row["group"]), str(row["writer"])): row for row in known}
    nan = float("nan")
    chart = HeatMap(
        groups,
        writers,
        [[float(cells[g, w]["pass_rate"]) if (g, w) in cells else nan for w in writers] for g in groups],
        [[float(cells[g, w]["n"]) if (g, w) in cells else 0.0 for w in writers] for g in groups],
        row_axis=group,
        column_axis="writer",
    )
    formula = f"mean over the votes on a writer's candidates, by {group}; n counts candidates; {_WHOLE}"
    return Figure(f"pass-rates-by-{group}", f"Pass rates by {group}", formula, chart)


def _place(group: str) -> tuple[int, str]:
    """Return where a group stands: classes and intensities in the paper's order, anything else by name."""
    return (_ORDER.index(group) if group in _ORDER else len(_ORDER)), group


def kappa(panel: Panel) -> Figure | Absent:
    """Return the agreement of each two verifiers."""
    rows = panel.tables["kappa"]
    if not rows:
        return Absent("fewer than two verifiers voted")
    if all(math.isnan(float(row["kappa"])) for row in rows):
        return Absent("undefined: of each two verifiers one passed all that both judged, or none")
    names = sorted({str(row[key]) for row in rows for key in ("verifier", "other")})
    cells = {frozenset((str(row["verifier"]), str(row["other"]))): row for row in rows}
    nan = float("nan")
    pairs = [[cells.get(frozenset((a, b))) if a != b else None for b in names] for a in names]
    chart = HeatMap(
        names,
        names,
        [[float(row["kappa"]) if row else nan for row in line] for line in pairs],
        [[float(row["n"]) if row else 0.0 for row in line] for line in pairs],
        limits=(-1.0, 1.0),
    )
    formula = "Cohen's kappa of two verifiers' pass or fail on the candidates that both judged; blank where undefined"
    return Figure("verifier-kappa", "Agreement of the verifiers", formula, chart)


def self_and_cross(panel: Panel) -> Figure | Absent:
    """Return the pass rates of each writer's candidates by itself and by the others, and their means over writers."""
    rows, means = panel.tables["self_against_cross"], panel.tables["self_and_cross_means"]
    if not rows or not means:
        return Absent(_NO_SELF)
    (mean,) = means
    series = {
        name: [
            *(Value(float(row[name]), n=float(row["n"])) for row in rows),
            Value(*(float(mean[key]) for key in (name, f"{name}_low", f"{name}_high", "n"))),
        ]
        for name in ("self", "cross")
    }
    chart = Bars([*(str(row["writer"]) for row in rows), "mean of the writers"], series, "pass rate")
    formula = f"pass rate by oneself, and mean by the others; 95 % intervals of the means by base question; {_WHOLE}"
    return Figure("self-and-cross", "Pass rates by oneself and by others", formula, chart)


def self_bias(panel: Panel) -> Figure | Absent:
    """Return by how much more often a writer passes its own candidates than the others do."""
    rows = panel.tables["self_against_cross"]
    if not rows:
        return Absent(_NO_SELF)
    series = {"self - cross": [_value(row, "gap") for row in rows]}
    chart = Bars([str(row["writer"]) for row in rows], series, "difference of pass rates", limits=None)
    return Figure("self-evaluation", "Self-evaluation bias", _BIAS, chart)


def self_bias_by_class(panel: Panel) -> Figure | Absent:
    """Return the same by class: a bar for each writer."""
    rows = panel.tables["self_against_cross_by_class"]
    if not rows:
        return Absent(_NO_SELF)
    cells = {(str(row["class"]), str(row["writer"])): _value(row, "gap") for row in rows}
    classes, writers = (list(dict.fromkeys(pair[k] for pair in cells)) for k in (0, 1))
    series = {writer: [cells.get((name, writer), Value(NAN)) for name in classes] for writer in sorted(writers)}
    chart = Bars(classes, series, "difference of pass rates", limits=None)
    return Figure("self-evaluation-by-class", "Self-evaluation bias by class", _BIAS, chart)


def class_ranking(panel: Panel) -> Figure | Absent:
    """Return the classes by their pass rate over all pairs of writer and verifier."""
    return _ranking(panel, "class")


def intensity_ranking(panel: Panel) -> Figure | Absent:
    """Return the intensities by their pass rate over all pairs of writer and verifier."""
    return _ranking(panel, "intensity")


def writer_ranking(panel: Panel) -> Figure | Absent:
    """Return the writers by the pass rate of their candidates over all verifiers."""
    return _ranking(panel, "writer")


def _ranking(panel: Panel, group: str) -> Figure | Absent:
    rows = [row for row in panel.tables[f"{group}_ranking"] if not math.isnan(float(row["pass_rate"]))]
    if not rows:
        return Absent(_NOT_JUDGED)
    names, series = [str(row[group]) for row in rows], {"pass rate": [_value(row, "pass_rate") for row in rows]}
    chart = Bars(names, series, "pass rate", notes={"broken": [float(row["broken"]) for row in rows]})
    formula = (
        "passed votes / votes over all pairs of writer and verifier, 95 % intervals by base question; broken: share of "
        f"the written that a rule rejected, so that nobody voted; {_WHOLE}"
    )
    return Figure(f"{group}-ranking", f"Ranking by {group}", formula, chart)


def _value(row: Row, name: str) -> Value:
    return Value(*(float(row[key]) for key in (name, *_VALUE)))
