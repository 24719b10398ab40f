"""What size, training and thinking do: figures over models that differ in one trait."""

import re
from collections import defaultdict

from refusalbench_tasks.report.cells import spoken
from refusalbench_tasks.report.charts import Curves, Point
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.system import Group, System
from refusalbench_tasks.results.published.papers import published_papers
from refusalbench_tasks.stats.estimate import Estimate

_SIZE = re.compile(r"(?<![a-z0-9.])(\d{1,4}(?:\.\d{1,2})?)\s?b(?![a-z0-9])", re.IGNORECASE)
_RELEASE = re.compile(r"(?<![0-9])\d{4}[-_ ]\*")
_METRICS = ("answer_accuracy", "refusal_accuracy")


def size_of(model: str) -> tuple[str, float] | None:
    """Return a model's family and size in billions of parameters, if they are known.

    The papers' models have theirs from `published/models.yaml` ('OLMo-2 DPO', 32). Of any other the name must tell
    ('llama-3-8b': 'llama-3-*', 8): its last part, after the provider and the organisation, with * for the size. Four
    digits right before the size are the month of a release, and sizes of one line come out in different ones.
    """
    for paper in published_papers():
        known = paper.models.get(paper.model_of(model) or "")
        if known is not None and known.size is not None:
            return " ".join(filter(None, (known.family, known.tuning))), known.size
    name = model.rpartition("/")[2].lower()
    match = _SIZE.search(name)
    return (_RELEASE.sub("*", _SIZE.sub("*", name, count=1)), float(match[1])) if match else None


def size(group: Group) -> Figure | str:
    """Return both accuracies by model size."""
    families: dict[str, dict[float, System]] = defaultdict(dict)
    for one in group.models:
        family_size = size_of(one.run.model)
        if family_size:
            families[family_size[0]][family_size[1]] = one
    chart = _lines(families, "billion parameters", log_x=True)
    formula = (
        "size in billions of parameters, of the papers' models as they are known, of any other as its name tells it; * "
        "stands for it in the family's name, without a month of release before it; the newest run of each model"
    )
    why = "no two models of one family whose names tell their size (8b, 70B)"
    return Figure("scaling", "Accuracies by model size", formula, chart) if chart else why


def thinking(group: Group) -> Figure | str:
    """Return both accuracies by the budget of thinking tokens."""
    budgets: dict[str, dict[float, System]] = defaultdict(dict)
    for one in sorted(group.systems, key=lambda one: one.run.created):
        # a run that was not told to think is the point at 0
        budgets[one.run.model][float(one.run.header.eval.model_generate_config.reasoning_tokens or 0)] = one
    chart = _lines(budgets, "thinking tokens")
    formula = "budget as set by --reasoning-tokens, whatever was used of it; 0 is a run without that option"
    why = "no model with two budgets of thinking tokens (--reasoning-tokens)"
    return Figure("thinking", "Accuracies by the budget of thinking tokens", formula, chart) if chart else why


def _lines(by_name: dict[str, dict[float, System]], axis: str, log_x: bool = False) -> Curves | None:
    lines = {
        f"{name}: {spoken(metric)}": [Point(Estimate(x), by_x[x].main[metric]) for x in sorted(by_x)]
        for name, by_x in sorted(by_name.items())
        if len(by_x) > 1
        for metric in _METRICS
    }
    known = {name: points for name, points in lines.items() if any(point.y.known for point in points)}
    return Curves(known, axis, "accuracy", log_x=log_x) if known else None
