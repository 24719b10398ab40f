"""Small charts of curves in rows."""

from typing import Any

from refusalbench_tasks.report.charts import CurvePanels, Curves
from refusalbench_tasks.report.drawing.style import colour, line, marker, shown, shown_names

_LEVEL = 4
"""Names of more places than this stand upright."""


def draw_curve_panels(chart: CurvePanels, figures: Any) -> Any:
    """Return the figure: rows of panels with one axis from 0 to 1, n below each place, one legend."""
    width = max(len(panels) for panels in chart.rows.values())
    names = list(dict.fromkeys(name for row in chart.rows.values() for one in row.values() for name in one.lines))
    heights = [1.08 if _level(row) else 1.45 for row in chart.rows.values()]
    figure = figures(figsize=(2.3 * width + 0.3, 1.75 * sum(heights) + 0.2 * (-(-len(names) // 2)) + 0.3))
    grid = figure.subplots(len(chart.rows), width, sharey=True, squeeze=False, gridspec_kw={"height_ratios": heights})
    drawn = zip(names, shown_names(names), strict=True)
    looks = {name: (chart.looks.get(name, i), label) for i, (name, label) in enumerate(drawn)}
    for i, (row, panels) in enumerate(chart.rows.items()):
        for axes, (title, panel) in zip(grid[i], panels.items(), strict=False):
            _draw(axes, panel, looks, _level(panels))
            if i == 0:
                axes.set_title(shown(title), fontsize=9)
        grid[i][0].set_ylabel(shown(row), fontsize=9, fontweight="bold")
        for axes in grid[i][len(panels) :]:
            axes.set_visible(False)
    figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize=8)
    return figure


def _level(panels: Any) -> bool:
    return all(len(panel.ticks) <= _LEVEL for panel in panels.values())


def _draw(axes: Any, panel: Curves, looks: dict[str, tuple[int, str]], level: bool) -> None:
    spread = min(0.06, 0.5 / len(panel.lines))
    for k, (name, points) in enumerate(panel.lines.items()):
        look, label = looks[name]
        x = [point.x + (k - (len(panel.lines) - 1) / 2) * spread for point in points]
        y = [point.y.value for point in points]
        style = line(look) if panel.joined else ""
        axes.plot(x, y, color=colour(look), linestyle=style, marker=marker(look), markersize=3.5, label=label)
        spans = [(at, p.y.low, p.y.high) for at, p in zip(x, points, strict=True) if p.y.has_interval]
        if spans:
            axes.vlines(*zip(*spans, strict=True), color=colour(look), linewidth=1)
    axes.set_xticks(range(len(panel.ticks)), _ticks(panel, "\n" if level else ", "), fontsize=7)
    if not level:
        axes.tick_params(axis="x", rotation=90)
    axes.tick_params(axis="y", labelsize=7)
    axes.set_xlim(-0.5, len(panel.ticks) - 0.5)
    axes.set_ylim(-0.04, 1.04)


def _ticks(panel: Curves, between: str) -> list[str]:
    most = [
        max((p.y.n for points in panel.lines.values() for p in points if p.x == k), default=0.0)
        for k in range(len(panel.ticks))
    ]
    # two numbers side by side would run into the neighbours
    names = [shown(tick.replace(" to ", "\nto ") if between == "\n" else tick) for tick in panel.ticks]
    return [f"{name}{between}n {n:.0f}" for name, n in zip(names, most, strict=True)]
