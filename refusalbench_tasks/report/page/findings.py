"""The first table as the page shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from refusalbench_tasks.report.first_screen import COLUMNS, Finding
from refusalbench_tasks.report.page.marks import bar_svg, mark_svg
from refusalbench_tasks.report.value import Value


@dataclass(frozen=True)
class ShownValue:
    """One value: the number, its interval and n in small print, and its picture."""

    name: str
    text: str
    small: str
    bar: Any


@dataclass(frozen=True)
class ShownFinding:
    """One line: a model with its mark, its values, and what they say."""

    label: str
    model: str
    look: int
    mark: Any
    values: Sequence[ShownValue]
    sentence: str


@dataclass(frozen=True)
class ShownTask:
    """The lines of one section."""

    key: str
    title: str
    lines: Sequence[ShownFinding]


def shown_task(key: str, title: str, findings: Sequence[Finding]) -> ShownTask:
    """Return the lines of a section for the page."""
    return ShownTask(key, title, [_line(one) for one in findings])


def _line(one: Finding) -> ShownFinding:
    from markupsafe import Markup

    values = [_value(name, one.values[name], one.look) for name in COLUMNS]
    # no line ends between a number and its sign
    sentence = one.sentence.replace(" %", "\u00a0%")
    # all of the pictures is ours: shapes, colours and numbers
    return ShownFinding(one.label, one.model, one.look, Markup(mark_svg(one.look)), values, sentence)


def _value(name: str, value: Value, look: int) -> ShownValue:
    from markupsafe import Markup

    if not value.known:
        return ShownValue(name, "–", "not known", "")
    written = _error if name == "calibration error" else _percent
    interval = f"{written(value.low)} to {written(value.high)}" if value.has_interval else "no interval"
    n = "" if value.n != value.n else f", n={value.n:,.0f}"
    text = written(value.value) + (" %" if written is _percent else "")
    return ShownValue(name, text, f"{interval}{n}", Markup(bar_svg(value, look)))


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"


def _error(value: float) -> str:
    return f"{value:.2f}"
