"""What size, training and thinking do: figures over models that differ in one trait."""

import re
from collections import defaultdict

from refusalbench_tasks.report.cells import spoken
from refusalbench_tasks.report.charts import Curves, Point
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.system import Group, ShownSystem
from refusalbench_tasks.results.published.papers import published_papers
from refusalbench_tasks.results.spending import spending
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
    families: dict[str, dict[float, ShownSystem]] = defaultdict(dict)
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
    """Return both accuracies by the tokens that a reply took, thinking included."""
    spent: dict[str, dict[float, ShownSystem]] = defaultdict(dict)
    for one in thinking_systems(group):
        written = spending(one.run).get("output_tokens_per_row")
        if written is not None:
            spent[one.run.model][written.value] = one
    chart = _lines(spent, "output tokens a row")
    formula = (
        "mean output tokens a reply, those of thinking among them, as the provider counts them; the newest run of each "
        "budget (--reasoning-tokens) and effort (--reasoning-effort), the run without either included"
    )
    why = "no model with two budgets (--reasoning-tokens) or efforts (--reasoning-effort) and counted tokens"
    return Figure("thinking", "Accuracies by tokens spent on thinking", formula, chart) if chart else why


def thinking_systems(group: Group) -> list[ShownSystem]:
    """Return the newest run of each model, budget and effort by the plain prompt, of models with two of these."""
    newest: dict[str, dict[str, ShownSystem]] = defaultdict(dict)
    for one in sorted(group.systems, key=lambda one: one.run.created):
        if not one.run.treatment:
            newest[one.run.model][thinking_of(one)] = one
    return [one for by_setting in newest.values() if len(by_setting) > 1 for one in by_setting.values()]


def thinking_of(system: ShownSystem) -> str:
    """Return how a run was told to think: its budget of tokens, its effort, or neither."""
    config = system.run.header.eval.model_generate_config
    budget = f"{config.reasoning_tokens} tokens" if config.reasoning_tokens else ""
    effort = f"effort {config.reasoning_effort}" if config.reasoning_effort not in (None, "none") else ""
    return ", ".join(filter(None, (budget, effort))) or "none"


def _lines(by_name: dict[str, dict[float, ShownSystem]], axis: str, log_x: bool = False) -> Curves | None:
    lines = {
        f"{name}: {spoken(metric)}": [Point(Estimate(x), by_x[x].main[metric]) for x in sorted(by_x)]
        for name, by_x in sorted(by_name.items())
        if len(by_x) > 1
        for metric in _METRICS
    }
    known = {name: points for name, points in lines.items() if any(point.y.known for point in points)}
    return Curves(known, axis, "accuracy", log_x=log_x) if known else None
