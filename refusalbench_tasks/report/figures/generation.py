"""The figures of what writers made and verifiers voted."""

from collections.abc import Callable

from refusalbench_tasks.report.charts import Dots, Grid
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.results.verifier_panel import Panel, gap
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED

_WHOLE = "first attempts at the slots that all verifiers judged for all writers"
_NO_SELF = (
    "no writer is a verifier as well, or no slot is judged by all for all writers"
)
_ORDER = [one.value for one in (*CLASSES, *PERTURBED)]
Of = Callable[[Panel], Figure | str]


def verdicts(panel: Panel) -> Figure | str:
    """Return the pass rate of each writer's candidates by each verifier."""
    writers = sorted(set(panel.matched["writer"]))
    cells = {
        (writer, name): panel.of_verifier(writer, name)
        for writer in writers
        for name in panel.verifiers
    }
    chart = Grid(
        {"": cells}, writers, panel.verifiers, row_axis="writer", column_axis="verifier"
    )
    return Figure(
        "verdicts",
        "Pass rates by writer and verifier",
        f"passed / judged candidates; {_WHOLE}",
        chart,
    )


def self_and_cross(panel: Panel) -> Figure | str:
    """Return the pass rates of each writer's candidates by itself and by the others,
    and the difference.
    """
    own = panel.own()
    if own.empty:
        return _NO_SELF
    writers = sorted(set(own["writer"]))
    found = [gap(own[own["writer"] == writer]) for writer in writers]
    series = {
        name: [of[k] for of in found]
        for k, name in enumerate(("self", "cross", "self - cross"))
    }
    formula = (
        "pass rate by oneself, mean by the others, and their difference; 95 % CIs by"
        f" base question; {_WHOLE}"
    )
    return Figure(
        "self-and-cross",
        "Pass rates by oneself and by others",
        formula,
        Dots(writers, series, None),
    )


def self_bias_by_class(panel: Panel) -> Figure | str:
    """Return by class how much more often a writer passes its own candidates than the
    others do.
    """
    own = panel.own()
    if own.empty:
        return _NO_SELF
    names = [one.value for one in CLASSES if (own["class"] == one.value).any()]
    series = {
        str(writer): [
            gap(part)[2] if len(part := rows[rows["class"] == name]) else Estimate()
            for name in names
        ]
        for writer, rows in own.groupby("writer")
    }
    formula = (
        "pass rate of own candidates by oneself - mean by the others, 95 % CIs by base"
        " question"
    )
    return Figure(
        "self-evaluation-by-class",
        "Self-evaluation bias by class",
        formula,
        Dots(names, series, None),
    )


def kappa(panel: Panel) -> Figure | str:
    """Return the agreement of each two verifiers."""
    cells = {pair: panel.kappa(*pair) for pair in panel.pairs()}
    if not any(one.known for one in cells.values()):
        return (
            "fewer than two verifiers voted, or of each two one passed all that both"
            " judged, or none"
        )
    both = cells | {(b, a): one for (a, b), one in cells.items()}
    chart = Grid({"": both}, panel.verifiers, panel.verifiers, (-1.0, 1.0))
    formula = (
        "Cohen's kappa of two verifiers' pass or fail on the candidates that both"
        " judged; blank where undefined"
    )
    return Figure("verifier-kappa", "Agreement of the verifiers", formula, chart)


def pass_rates(column: str) -> Of:
    """Return the figure of the pass rate of each writer's candidates by a column."""

    def made(panel: Panel) -> Figure | str:
        cells = panel.by_writer(column)
        groups = sorted({group for group, _ in cells}, key=_place)
        writers = sorted({writer for _, writer in cells})
        chart = Grid(
            {"": cells}, groups, writers, row_axis=column, column_axis="writer"
        )
        formula = f"mean over the votes on a writer's candidates, by {column}; {_WHOLE}"
        return Figure(
            f"pass-rates-by-{column}", f"Pass rates by {column}", formula, chart
        )

    return made


def _place(group: str) -> tuple[int, str]:
    """Return where a group stands: classes and intensities in the paper's order,
    anything else by name.
    """
    return (_ORDER.index(group) if group in _ORDER else len(_ORDER)), group
