"""What thinking does: a figure over models that were run with several budgets or
efforts.
"""

from collections import defaultdict

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.report.charts import Curves, Figure, Point
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.stats.estimate import Estimate

_METRICS = ("answer_accuracy", "refusal_accuracy")


def thinking(group: Group) -> Figure | str:
    """Return both accuracies by the tokens that a reply took, thinking included."""
    by_model: dict[str, dict[float, SystemView]] = defaultdict(dict)
    for system in thinking_systems(group):
        spent = system.spending.get("output_tokens_per_row")
        if spent is not None:
            by_model[system.run.model][spent.value] = system
    lines = {}
    for model, by_tokens in sorted(by_model.items()):
        for metric in _METRICS:
            points = [
                Point(Estimate(tokens), by_tokens[tokens].number(metric))
                for tokens in sorted(by_tokens)
            ]
            if len(points) > 1 and any(point.y.known for point in points):
                lines[f"{model}: {label_of(metric)}"] = points
    if not lines:
        return (
            "no model with two budgets (--reasoning-tokens) or efforts"
            " (--reasoning-effort) and counted tokens"
        )
    return Figure(
        "thinking",
        "Accuracies by tokens spent on thinking",
        "mean output tokens a reply, those of thinking among them, as the provider"
        " counts them; the newest run of each budget (--reasoning-tokens) and effort"
        " (--reasoning-effort), the run without either included",
        Curves(lines, "output tokens a row", "accuracy"),
    )


def thinking_systems(group: Group) -> list[SystemView]:
    """Return the newest run of each model, budget and effort by the plain prompt, of
    models with two of these.
    """
    newest: dict[str, dict[str, SystemView]] = defaultdict(dict)
    for system in sorted(group.systems, key=lambda system: system.run.created):
        if not system.run.treatment:
            newest[system.run.model][thinking_of(system)] = system
    systems: list[SystemView] = []
    for by_setting in newest.values():
        if len(by_setting) > 1:
            systems += by_setting.values()
    return systems


def thinking_of(system: SystemView) -> str:
    """Return how a run was told to think: its budget of tokens, its
    effort, or neither.
    """
    config = system.run.header.eval.model_generate_config
    settings = []
    if config.reasoning_tokens:
        settings.append(f"{config.reasoning_tokens} tokens")
    if config.reasoning_effort not in (None, "none"):
        settings.append(f"effort {config.reasoning_effort}")
    return ", ".join(settings) or "none"
