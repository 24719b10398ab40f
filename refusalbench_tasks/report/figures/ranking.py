"""Models in order."""

from collections.abc import Sequence

from refusalbench_tasks.report.charts import Bars
from refusalbench_tasks.report.figures.figure import Figure, Found
from refusalbench_tasks.report.tally import DataRow, Tally, reference
from refusalbench_tasks.taxonomy import Label

_SIX = (
    "answer_accuracy",
    "refusal_accuracy",
    "calibrated_refusal_score",
    "false_refusal_rate",
    "missed_refusal_rate",
    "correct_refusal_rate",
)

_PUBLISHED = {"nq": (24,), "garage": (25,)}
"""The number of the paper's dashboard of a task's data set."""


def ranking_figures(tallies: Sequence[Tally], rows: Sequence[DataRow], task: str) -> Found:
    """Return the ranking by refusal accuracy, and the six metrics of the dashboard side by side."""
    order = sorted(tallies, key=lambda t: (-_or_last(t.main["refusal_accuracy"].value), t.label))
    names = [t.label for t in order]
    best = max(reference(rows, label)["refusal_accuracy"].value for label in Label)
    ranking = Bars(
        names,
        {"refusal accuracy": [t.main["refusal_accuracy"] for t in order]},
        "refusal accuracy",
        lines={"refusal accuracy": best} if best == best else {},
    )
    six = Bars(
        names,
        {name.replace("_", " "): [t.main[name] for t in order] for name in _SIX},
        "",
        apart=True,
    )
    return [
        Figure(
            "ranking",
            "Refusal accuracy, best first",
            "replies with the row's own code / unanswerable rows, 95 % intervals by base question; the line is the "
            "best that always giving one code could reach",
            ranking,
            "RefusalBench",
            (23,),
        ),
        Figure(
            "dashboard",
            "Six metrics of each model",
            "answer accuracy = correct attempts / answerable rows; refusal accuracy = own code / unanswerable rows; "
            "calibrated refusal score = their mean; false refusal rate = refused / answerable; missed refusal rate = "
            "answered / unanswerable; correct refusal rate = refused with any code / unanswerable",
            six,
            "RefusalBench",
            _PUBLISHED.get(task, ()),
        ),
    ]


def _or_last(value: float) -> float:
    return value if value == value else float("-inf")
