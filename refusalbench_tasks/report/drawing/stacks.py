"""Stacked shares."""

import math
from typing import Any

from refusalbench_tasks.report.charts import Stacks
from refusalbench_tasks.report.drawing.style import GRID, colour, shown_names


def draw_stacks(chart: Stacks, figures: Any) -> Any:
    """Return the figure: one bar per name, cut into its parts."""
    figure = figures(figsize=(7.0, 1.5 + 0.3 * len(chart.names)))
    axes = figure.subplots()
    left = [0.0] * len(chart.names)
    for k, (part, shares) in enumerate(chart.parts.items()):
        known = [0.0 if math.isnan(share) else share for share in shares]
        axes.barh(
            range(len(known)), known, left=left, color=chart.colours.get(part, colour(k)), label=part, height=0.75
        )
        left = [a + b for a, b in zip(left, known, strict=True)]
    names = [f"{name} (n={n:.0f})" for name, n in zip(shown_names(chart.names), chart.n, strict=True)]
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of replies")
    axes.grid(False, axis="y")
    axes.grid(True, axis="x", color=GRID)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=8)
    return figure
