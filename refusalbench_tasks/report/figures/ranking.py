"""Models in order."""

import math
from collections.abc import Sequence

from refusalbench_tasks.report.charts import Bars
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.tally import RefusalGroup, Tally, reference
from refusalbench_tasks.taxonomy import Label

_RANKED = ("refusal_accuracy", "hierarchical_score")
_SIX = (
    "answer_accuracy",
    "refusal_accuracy",
    "calibrated_refusal_score",
    "false_refusal_rate",
    "missed_refusal_rate",
    "correct_refusal_rate",
)


def by_refusal_accuracy(group: RefusalGroup) -> Figure:
    """Return refusal accuracy beside the hierarchical score, the best run first, with what one code for all reaches."""
    order = _best_first(group.tallies)
    references = [reference(group.rows, label) for label in Label]
    best = {name: max(one[name].value for one in references) for name in _RANKED}
    chart = Bars(
        [tally.label for tally in order],
        {name.replace("_", " "): [tally.main[name] for tally in order] for name in _RANKED},
        "score",
        lines={name.replace("_", " "): value for name, value in best.items() if not math.isnan(value)},
    )
    return Figure(
        "ranking",
        "Refusal accuracy and hierarchical score, best refusal accuracy first",
        "refusal accuracy = replies with the row's own code / unanswerable rows; hierarchical score = detection F1 x "
        "category accuracy; 95 % intervals by base question; the lines are the best that always giving one code "
        "could reach: dashed of refusal accuracy, dotted of the hierarchical score",
        chart,
    )


def dashboard(group: RefusalGroup) -> Figure:
    """Return six metrics side by side, the best run first."""
    order = _best_first(group.tallies)
    series = {name.replace("_", " "): [tally.main[name] for tally in order] for name in _SIX}
    return Figure(
        "dashboard",
        "Six metrics of each model",
        "answer accuracy = correct attempts / answerable rows; refusal accuracy = own code / unanswerable rows; "
        "calibrated refusal score = their mean; false refusal rate = refused / answerable; missed refusal rate = "
        "answered / unanswerable; correct refusal rate = refused with any code / unanswerable",
        Bars([tally.label for tally in order], series, "", apart=True),
    )


def _best_first(tallies: Sequence[Tally]) -> list[Tally]:
    """Return the runs by refusal accuracy, those without one last, equal ones by their names."""

    def place(tally: Tally) -> tuple[float, str]:
        accuracy = tally.main["refusal_accuracy"]
        return -accuracy.value if accuracy.known else math.inf, tally.label

    return sorted(tallies, key=place)
