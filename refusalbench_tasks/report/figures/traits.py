"""What thinking, size and tuning do: figures over runs that differ in nothing else."""

from collections import defaultdict
from collections.abc import Callable, Mapping

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.report.charts import Curves, Figure, Point
from refusalbench_tasks.report.groups import Group, SystemView
from refusalbench_tasks.results.published.papers import (
    TUNINGS,
    SizedModel,
    sized_model,
)
from refusalbench_tasks.stats.estimate import Estimate

_METRICS = ("answer_accuracy", "refusal_accuracy")
_Place = tuple[float, str]
"""Where a model stands among others, and what the axis has there."""


def thinking(group: Group) -> Figure | str:
    """Return both accuracies by the tokens that a reply took, thinking included."""
    by_model: dict[str, dict[float, SystemView]] = defaultdict(dict)
    for system in thinking_systems(group):
        spent = system.spending.get("output_tokens_per_row")
        if spent is not None:
            by_model[system.run.model][spent.value] = system
    lines = _lines(by_model)
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


def by_size(group: Group) -> Figure | str:
    """Return both accuracies by the parameters of models of one family and tuning."""
    return _by_trait(
        group,
        "size",
        lambda model: f"{model.family} {model.tuning}",
        lambda model: (model.size, f"{model.size:g}B"),
    )


def by_tuning(group: Group) -> Figure | str:
    """Return both accuracies by the tuning of models of one family and size."""
    return _by_trait(
        group,
        "tuning",
        lambda model: f"{model.family} {model.size:g}B",
        lambda model: (TUNINGS.index(model.tuning), model.tuning),
    )


def _by_trait(
    group: Group,
    trait: str,
    line_of: Callable[[SizedModel], str],
    place_of: Callable[[SizedModel], _Place],
) -> Figure | str:
    """Return both accuracies of models that differ in one trait alone, at even
    distances, and name the models that are not known.
    """
    by_line: dict[str, dict[_Place, SystemView]] = defaultdict(dict)
    formula = "of models that differ in nothing else, the newest run of each"
    unknown = []
    for system in group.models:
        model = sized_model(system.run.model)
        if model:
            by_line[line_of(model)][place_of(model)] = system
        else:
            unknown.append(system.label)
    if unknown:
        formula += f". Left out, because their size is not known: {', '.join(unknown)}"
    several = {name: by for name, by in by_line.items() if len(by) > 1}
    places = sorted(set[_Place]().union(*several.values()))
    placed = {}
    for name, by_place in several.items():
        placed[name] = {float(places.index(at)): by_place[at] for at in by_place}
    lines = _lines(placed)
    if not lines:
        return f"no two points {formula}"
    ticks = [tick for _, tick in places]
    return Figure(
        trait,
        f"Accuracies by {trait}",
        formula,
        Curves(
            lines,
            trait,
            "accuracy",
            ticks,
        ),
    )


def _lines(
    by_line: Mapping[str, Mapping[float, SystemView]],
) -> dict[str, list[Point]]:
    """Return both accuracies of each line of several systems, by where they stand."""
    lines = {}
    for name, by_x in sorted(by_line.items()):
        for metric in _METRICS:
            points = [Point(Estimate(x), by_x[x].number(metric)) for x in sorted(by_x)]
            if len(points) > 1 and any(point.y.known for point in points):
                lines[f"{name}: {label_of(metric)}"] = points
    return lines


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
