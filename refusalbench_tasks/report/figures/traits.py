"""What size, training and thinking do: figures over models that differ in one trait."""

import re
from collections import defaultdict

from refusalbench_tasks.report.charts import Bars, Curves, Point
from refusalbench_tasks.report.figures.figure import Absent, Figure
from refusalbench_tasks.report.tally import RefusalGroup, Tally
from refusalbench_tasks.results.published.papers import published_papers

_SIZE = re.compile(r"(?<![a-z0-9.])(\d{1,4}(?:\.\d{1,2})?)\s?b(?![a-z0-9])", re.IGNORECASE)
_RELEASE = re.compile(r"(?<![0-9])\d{4}[-_ ]\*")
_TRAINING = re.compile(r"(?<![a-z])(sft|dpo)(?![a-z])", re.IGNORECASE)
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


def size(group: RefusalGroup) -> Figure | Absent:
    """Return both accuracies by model size."""
    families: dict[str, dict[float, Tally]] = defaultdict(dict)
    for tally in group.models:
        family_size = size_of(tally.run.model)
        if family_size:
            families[family_size[0]][family_size[1]] = tally
    lines = {
        f"{family}: {metric.replace('_', ' ')}": [Point(size, by_size[size].main[metric]) for size in sorted(by_size)]
        for family, by_size in sorted(families.items())
        if len(by_size) > 1
        for metric in _METRICS
    }
    if not lines:
        return Absent("no two models of one family whose names tell their size (8b, 70B)")
    return Figure(
        "scaling",
        "Accuracies by model size",
        "size in billions of parameters, of the papers' models as they are known, of any other as its name tells it; "
        "* stands for it in the family's name, without a month of release before it; the newest run of each model",
        Curves(lines, "billion parameters", "accuracy", log_x=True),
    )


def training(group: RefusalGroup) -> Figure | Absent:
    """Return both accuracies of SFT beside DPO models."""
    kinds: dict[str, dict[str, Tally]] = defaultdict(dict)
    for tally in group.models:
        match = _TRAINING.search(tally.run.model)
        if match:
            kinds[_TRAINING.sub("*", tally.run.model).lower()][match[1].upper()] = tally
    pairs = {family: by_kind for family, by_kind in kinds.items() if len(by_kind) == 2}
    if not pairs:
        return Absent("no two models whose names differ in SFT and DPO alone")
    series = {
        f"{metric.replace('_', ' ')}, {kind}": [by_kind[kind].main[metric] for by_kind in pairs.values()]
        for metric in _METRICS
        for kind in ("SFT", "DPO")
    }
    names = list(pairs)
    formula = "models whose names differ in SFT and DPO alone, side by side"
    return Figure("training", "SFT beside DPO", formula, Bars(names, series, "accuracy"))


def thinking(group: RefusalGroup) -> Figure | Absent:
    """Return both accuracies by the budget of thinking tokens."""
    budgets: dict[str, dict[int, Tally]] = defaultdict(dict)
    for tally in sorted(group.tallies, key=lambda t: t.run.created):
        # a run that was not told to think is the point at 0
        budgets[tally.run.model][tally.run.reasoning_tokens or 0] = tally
    lines = {
        f"{model}: {metric.replace('_', ' ')}": [
            Point(tokens, by_budget[tokens].main[metric]) for tokens in sorted(by_budget)
        ]
        for model, by_budget in budgets.items()
        if len(by_budget) > 1
        for metric in _METRICS
    }
    if not lines:
        return Absent("no model with two budgets of thinking tokens (--reasoning-tokens)")
    return Figure(
        "thinking",
        "Accuracies by the budget of thinking tokens",
        "budget as set by --reasoning-tokens, whatever was used of it; 0 is a run without that option",
        Curves(lines, "thinking tokens", "accuracy"),
    )
