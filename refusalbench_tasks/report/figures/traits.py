"""What thinking does: a figure over models that were run with several budgets or
efforts.
"""

from collections import defaultdict

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.report.charts import Curves, Point
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.stats.estimate import Estimate

_METRICS = ("answer_accuracy", "refusal_accuracy")


def thinking(group: Group) -> Figure | str:
    """Return both accuracies by the tokens that a reply took, thinking included."""
    spent: dict[str, dict[float, SystemView]] = defaultdict(dict)
    for one in thinking_systems(group):
        written = one.spending.get("output_tokens_per_row")
        if written is not None:
            spent[one.run.model][written.value] = one
    chart = _lines(spent, "output tokens a row")
    formula = (
        "mean output tokens a reply, those of thinking among them, as the provider"
        " counts them; the newest run of each budget (--reasoning-tokens) and effort"
        " (--reasoning-effort), the run without either included"
    )
    why = (
        "no model with two budgets (--reasoning-tokens) or efforts (--reasoning-effort)"
        " and counted tokens"
    )
    return (
        Figure("thinking", "Accuracies by tokens spent on thinking", formula, chart)
        if chart
        else why
    )


def thinking_systems(group: Group) -> list[SystemView]:
    """Return the newest run of each model, budget and effort by the plain prompt, of
    models with two of these.
    """
    newest: dict[str, dict[str, SystemView]] = defaultdict(dict)
    for one in sorted(group.systems, key=lambda one: one.run.created):
        if not one.run.treatment:
            newest[one.run.model][thinking_of(one)] = one
    return [
        one
        for by_setting in newest.values()
        if len(by_setting) > 1
        for one in by_setting.values()
    ]


def thinking_of(system: SystemView) -> str:
    """Return how a run was told to think: its budget of tokens, its
    effort, or neither.
    """
    config = system.run.header.eval.model_generate_config
    budget = f"{config.reasoning_tokens} tokens" if config.reasoning_tokens else ""
    effort = (
        f"effort {config.reasoning_effort}"
        if config.reasoning_effort not in (None, "none")
        else ""
    )
    return ", ".join(filter(None, (budget, effort))) or "none"


def _lines(by_name: dict[str, dict[float, SystemView]], axis: str) -> Curves | None:
    lines = {
        f"{name}: {label_of(metric)}": [
            Point(Estimate(x), by_x[x].number(metric)) for x in sorted(by_x)
        ]
        for name, by_x in sorted(by_name.items())
        if len(by_x) > 1
        for metric in _METRICS
    }
    known = {
        name: points
        for name, points in lines.items()
        if any(point.y.known for point in points)
    }
    return Curves(known, axis, "accuracy") if known else None
