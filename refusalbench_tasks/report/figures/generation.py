"""The figures of generation runs."""

import math
from collections.abc import Sequence

from refusalbench_tasks.generators.agreement import Panel, Row
from refusalbench_tasks.report.charts import Bars, HeatMap, Value
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED

_WHOLE = "first attempts that the whole panel was to judge"

_ORDER = [one.value for one in (*CLASSES, *PERTURBED)]


def verdicts(panel: Panel) -> Figure | Absent:
    """Return the pass rate of each writer's candidates by each verifier."""
    rows = panel.tables["pass_rates"]
    if not rows:
        reason = "no slot that the whole panel judged for every writer; run perturb with -T verify=all"
        return Absent(reason)
    verifiers = [name for name in rows[0] if name not in ("writer", "n")]
    chart = HeatMap(
        [str(row["writer"]) for row in rows],
        verifiers,
        [[float(row[name]) for name in verifiers] for row in rows],
        [[float(row["n"])] * len(verifiers) for row in rows],
        row_axis="writer",
        column_axis="verifier",
    )
    formula = f"passed / judged candidates, over the slots that all verifiers judged for all writers; {_WHOLE}"
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
        return Absent("no verifier voted")
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


def self_bias(panel: Panel) -> Figure | Absent:
    """Return by how much more often a writer passes its own candidates than the others do."""
    rows = panel.tables["self_against_cross"]
    if not rows:
        return Absent("no writer is a verifier as well, or no slot is judged by all for all writers")
    values = [Value(*(float(row[key]) for key in ("gap", "ci_low", "ci_high", "n"))) for row in rows]
    chart = Bars(
        [str(row["writer"]) for row in rows], {"self - cross": values}, "difference of pass rates", limits=None
    )
    formula = "pass rate of own candidates by oneself - mean by the others, 95 % intervals by base question"
    return Figure("self-evaluation", "Self-evaluation bias", formula, chart)
