"""A figure of a report, or why there is none."""

from dataclasses import dataclass
from typing import Literal

from refusalbench_tasks.report.charts import Chart

Paper = Literal["RefusalBench", "BLUFF-1000", ""]


@dataclass(frozen=True)
class Figure:
    """A chart with its name, title and exact formula, and the figures of a paper that it stands for (none: ours).

    The catalogue knows the paper and the numbers; a function that makes a figure leaves them out.
    """

    key: str
    title: str
    formula: str
    chart: Chart
    paper: Paper = ""
    numbers: tuple[int, ...] = ()
    places: str = ""
    """Where the paper's text has the finding that it shows, if no figure of the paper does."""

    @property
    def source(self) -> str:
        """Return which figures of which paper this is, for people."""
        if not self.numbers:
            return f"{self.paper}, {self.places}" if self.places else "not in the papers"
        return f"{self.paper}, Figure {', '.join(map(str, self.numbers))}"


@dataclass(frozen=True)
class Absent:
    """Why these logs don't allow a figure, and the figures of a paper that it would stand for."""

    reason: str
    paper: Paper = ""
    numbers: tuple[int, ...] = ()
    places: str = ""
