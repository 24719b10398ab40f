"""The figures of what writers made and verifiers voted."""

from collections.abc import Callable

from refusalbench_tasks.report.charts import Dots, Figure, Grid
from refusalbench_tasks.results.verifier_panel import Panel, gap
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED

_WHOLE = "first attempts at the slots that all verifiers judged for all writers"
_NO_SELF = (
    "no writer is a verifier as well, or no slot is judged by all for all writers"
)
_ORDER = [part.value for part in (*CLASSES, *PERTURBED)]


def verdicts(panel: Panel) -> Figure:
    """Return the pass rate of each writer's candidates by each verifier."""
    writers = sorted(set(panel.matched["writer"]))
    cells = {
        (writer, name): panel.of_verifier(writer, name)
        for writer in writers
        for name in panel.verifiers
    }
    chart = Grid(
        {"": cells},
        writers,
        panel.verifiers,
        row_axis="writer",
        column_axis="verifier",
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
    votes = panel.own()
    if votes.empty:
        return _NO_SELF
    writers = sorted(set(votes["writer"]))
    rates = [gap(votes[votes["writer"] == writer]) for writer in writers]
    names = ("self", "cross", "self - cross")
    series = dict(
        zip(
            names,
            zip(*rates, strict=True),
            strict=True,
        )
    )
    return Figure(
        "self-and-cross",
        "Pass rates by oneself and by others",
        "pass rate by oneself, mean by the others, and their difference; 95 % CIs by"
        f" base question; {_WHOLE}",
        Dots(writers, series, None),
    )


def self_bias_by_class(panel: Panel) -> Figure | str:
    """Return by class how much more often a writer passes its own candidates than the
    others do.
    """
    votes = panel.own()
    if votes.empty:
        return _NO_SELF
    classes = [kind.value for kind in CLASSES if (votes["class"] == kind.value).any()]
    series = {}
    for writer, rows in votes.groupby("writer"):
        parts = [rows[rows["class"] == name] for name in classes]
        series[str(writer)] = [
            gap(part)[2] if len(part) else Estimate() for part in parts
        ]
    return Figure(
        "self-evaluation-by-class",
        "Self-evaluation bias by class",
        "pass rate of own candidates by oneself - mean by the others, 95 % CIs by base"
        " question",
        Dots(classes, series, None),
    )


def kappa(panel: Panel) -> Figure | str:
    """Return the agreement of each two verifiers."""
    cells = {}
    for first, second in panel.pairs():
        agreement = panel.kappa(first, second)
        cells[first, second] = agreement
        cells[second, first] = agreement
    if not any(agreement.known for agreement in cells.values()):
        return (
            "fewer than two verifiers voted, or of each two one passed all that both"
            " judged, or none"
        )
    return Figure(
        "verifier-kappa",
        "Agreement of the verifiers",
        "Cohen's kappa of two verifiers' pass or fail on the candidates that both"
        " judged; blank where undefined",
        Grid(
            {"": cells},
            panel.verifiers,
            panel.verifiers,
            (-1.0, 1.0),
        ),
    )


def pass_rates_by(column: str) -> Callable[[Panel], Figure]:
    """Return the figure of the pass rate of each writer's candidates by a column."""

    def figure(panel: Panel) -> Figure:
        cells = panel.by_writer(column)
        groups = sorted({group for group, _ in cells}, key=_rank)
        writers = sorted({writer for _, writer in cells})
        return Figure(
            f"pass-rates-by-{column}",
            f"Pass rates by {column}",
            f"mean over the votes on a writer's candidates, by {column}; {_WHOLE}",
            Grid(
                {"": cells},
                groups,
                writers,
                row_axis=column,
                column_axis="writer",
            ),
        )

    return figure


def _rank(group: str) -> tuple[int, str]:
    """Return where a group stands: classes and intensities in the paper's order,
    anything else by name.
    """
    return (_ORDER.index(group) if group in _ORDER else len(_ORDER)), group
