"""What became of the questions to a system of one's own, now and before."""

from refusalbench_tasks.report.charts import Curves, Figure, Point, Stacks
from refusalbench_tasks.report.groups import Group
from refusalbench_tasks.report.question_counts import question_counts
from refusalbench_tasks.report.reply_kinds import COLOURS, PATTERNS, meanings
from refusalbench_tasks.stats.estimate import Estimate

_TREND = {
    "false refusals": "false_refusal_rate",
    "missed refusals": "missed_refusal_rate",
    "answer accuracy": "answer_accuracy",
}


def counts_of_questions(group: Group) -> Figure:
    """Return what became of the questions, of each system beside its last run."""
    counts = {}
    formula = "numbers of questions"
    for side in ("answerable", "unanswerable"):
        for system in group.shown:
            name = f"{side}, {system.label}" if len(group.shown) > 1 else side
            counts[name] = question_counts(system)[side]
            before = group.before(system)
            if before:
                counts[f"{name}, before"] = question_counts(before)[side]
                formula = "numbers of questions; before: in the last run of the system"
    chart = Stacks(
        counts,
        COLOURS,
        PATTERNS,
        as_counts=True,
    )
    return Figure(
        "counts",
        "What became of the questions",
        formula + meanings(chart.parts),
        chart,
    )


def trend(group: Group) -> Figure | str:
    """Return the main rates of the runs of each system, the oldest first."""
    runs = [system for system in group.by_age if system.own]
    if len(runs) < 2:
        return "one run alone"
    lines: dict[str, list[Point]] = {}
    for x, system in enumerate(runs):
        name = f"{system.run.model}: " if len(group.shown) > 1 else ""
        for title, metric in _TREND.items():
            point = Point(Estimate(float(x)), system.number(metric))
            lines.setdefault(f"{name}{title}", []).append(point)
    return Figure(
        "trend",
        "The last runs",
        "the rates of each run on these rows, with 95 % CIs by base question; a rate"
        " that is withheld has no point",
        Curves(
            lines,
            "run",
            "share",
            [system.run.created[:10] for system in runs],
        ),
    )
