"""A figure of a report."""

from dataclasses import dataclass

from refusalbench_tasks.report.charts import Chart


@dataclass(frozen=True)
class Figure:
    """A chart with the name of its files, its title, and the formula of what it shows,
    as its caption has it.
    """

    key: str
    title: str
    formula: str
    chart: Chart
    source: str = ""
    """Which figures of a paper it stands for; the catalogue tells."""
