"""The pictures of a report's figures, drawn while sections are still counted."""

from collections.abc import Sequence
from concurrent.futures import Future

from refusalbench_tasks.report.drawing.picture import Picture, picture
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.one_section import Section
from refusalbench_tasks.results.logs.parallel import Helpers

_MANY = 8
"""From so many figures on, other processes share the work."""


class Pictures:
    """The pictures of figures, by section and figure, which helpers draw."""

    def __init__(self, helpers: Helpers) -> None:
        self._helpers = helpers
        self._begun: dict[tuple[str, str], Future[Picture]] = {}

    def begin(self, section: Section, worth_it: bool = True) -> None:
        """Have the figures of a section drawn, by other processes where it is `worth_it`."""
        for figure in section.figures:
            self._begun[section.key, figure.key] = self._helpers.begin(_picture, figure, worth_it)

    def begin_all(self, sections: Sequence[Section]) -> None:
        """Have the figures drawn that nobody has begun yet."""
        left = [one for one in sections if any((one.key, figure.key) not in self._begun for figure in one.figures)]
        for section in left:
            self.begin(section, sum(len(one.figures) for one in left) >= _MANY)

    def of(self, section: Section, figure: Figure) -> Picture:
        """Return the picture of a figure that was begun, as soon as it is there."""
        return self._begun[section.key, figure.key].result()


def _picture(_: object, figure: Figure) -> Picture:
    return picture(figure.chart, figure.title)
