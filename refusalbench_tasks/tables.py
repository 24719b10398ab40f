"""A table, and every form in which one is written: text, CSV, JSON, Markdown, LaTeX."""

import html
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.sheets import sheet_csv

TableRow = dict[str, Any]
Format = Literal["text", "csv", "json", "markdown", "latex"]
GAP = "  "
"""What is between two columns of text."""
_MARKDOWN = re.compile(r"[\\`*\[\]|~$]|(?<![^\W_])_|_(?![^\W_])")
_NAMED = {
    "\\": "backslash",
    "^": "asciicircum",
    "~": "asciitilde",
    "`": "asciigrave",
    "<": "less",
    ">": "greater",
    "|": "bar",
}
_ESCAPED = {mark: f"\\{mark}" for mark in "{}$&#%_"}
_LATEX = str.maketrans(
    _ESCAPED | {mark: rf"\text{name}{{}}" for mark, name in _NAMED.items()}
)


@dataclass(frozen=True)
class Table:
    """Rows with equal keys, a name for files, a title, and what has to be known to read
    it.

    A number that is NaN or infinite, and None, are unknown: blank in CSV, null in JSON,
    a dash in Markdown and LaTeX. In text NaN is `undefined` and None is blank.
    """

    key: str
    title: str
    rows: Sequence[TableRow]
    note: str = ""
    names: Sequence[str] = ()
    """The columns; without names those of the rows, of which there may be none."""
    caption: str = ""
    """What stands by the table in a paper: Markdown has it below, LaTeX in a float."""

    @property
    def columns(self) -> list[str]:
        """Return the names of the columns."""
        return list(self.names or (self.rows[0] if self.rows else ()))

    def as_text(self) -> str:
        """Return aligned columns without control characters; columns of plain numbers
        stand to the right.
        """
        if not self.columns:
            return "(none)"
        plain = [list(map(one_line, line)) for line in self._lines("", "undefined")]
        return aligned(plain, list(map(self._numbers, self.columns)))

    def as_csv(self) -> str:
        """Return the table as CSV, in which no text is one that a spreadsheet takes for
        a formula.
        """
        return sheet_csv(self.columns, self.rows)

    def as_markdown(self) -> str:
        """Return the table in Markdown, in which all text is plain text; without
        columns nothing.
        """
        if not self.columns:
            return ""
        rule = [" ---: " if self._numbers(name) else " --- " for name in self.columns]
        head, *lines = map(_markdown_cells, self._lines())
        table = "".join(f"|{'|'.join(line)}|\n" for line in (head, rule, *lines))
        return f"{table}\n*{markdown_text(self.caption)}*\n" if self.caption else table

    def as_latex(self) -> str:
        """Return a `tabular` with the rules of booktabs, in which all text is plain
        text; without columns nothing.
        """
        if not self.columns:
            return ""
        numeric = map(self._numbers, self.columns)
        kinds = "".join("r" if is_numeric else "l" for is_numeric in numeric)
        head, *lines = map(_latex_line, self._lines())
        parts = [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", head, r"\midrule"]
        parts += [*lines, r"\bottomrule", r"\end{tabular}"]
        if self.caption:
            caption = rf"\caption{{{latex_text(self.caption)}}}"
            parts = [r"\begin{table}", r"\centering", caption, *parts, r"\end{table}"]
        return "\n".join(parts) + "\n"

    def values(self) -> list[TableRow]:
        """Return the rows with None for what is unknown."""
        blank = dict.fromkeys(self.columns)
        rows = []
        for row in self.rows:
            known = {name: row[name] for name in blank if not _unknown(row[name])}
            rows.append(blank | known)
        return rows

    def _lines(self, none: str = "–", nan: str = "–") -> list[list[str]]:
        lines = [self.columns]
        for row in self.rows:
            lines.append([_shown(row[name], none, nan) for name in self.columns])
        return lines

    def _numbers(self, name: str) -> bool:
        """Whether a column has numbers alone where it is known."""
        known = [row[name] for row in self.rows if not _unknown(row[name])]
        return bool(known) and all(isinstance(value, int | float) for value in known)


def filled(rows: Sequence[TableRow], blank: Any = None) -> list[TableRow]:
    """Return rows with the columns of all of them, blank where a row has none."""
    columns = dict.fromkeys((name for row in rows for name in row), blank)
    return [columns | row for row in rows]


def tables_text(tables: Sequence[Table], form: Format) -> str:
    """Return tables in one form: in JSON an object with the rows of each by its key,
    else one below the other.
    """
    if form == "json":
        rows = {table.key: table.values() for table in tables}
        return (
            json.dumps(
                rows,
                ensure_ascii=False,
                indent=1,
                allow_nan=False,
            )
            + "\n"
        )
    forms = {
        "text": lambda table: f"{table.as_text()}\n",
        "csv": Table.as_csv,
        "markdown": Table.as_markdown,
        "latex": Table.as_latex,
    }
    return "\n".join(text for text in map(forms[form], tables) if text)


def aligned(lines: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    """Return lines of cells as columns, each as wide as its widest cell, some of them
    to the right.
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    formats = [
        f"{'>' if to_right else '<'}{width}"
        for to_right, width in zip(right, widths, strict=True)
    ]
    rows = [GAP.join(map(format, line, formats)) for line in lines]
    return "\n".join(row.rstrip() for row in rows)


def markdown_text(text: str) -> str:
    """Return outside text as one line that Markdown shows as it is: no markup, no HTML,
    no end of a cell.
    """
    return _MARKDOWN.sub(r"\\\g<0>", html.escape(one_line(text), quote=False))


def _markdown_cells(cells: Sequence[str]) -> list[str]:
    return [f" {markdown_text(cell)} " for cell in cells]


def latex_text(text: str) -> str:
    """Return outside text as one line that LaTeX sets as it is, in its text mode."""
    plain = re.sub(
        "-(?=-)",
        "-{}",
        one_line(text).translate(_LATEX),
    )
    return re.sub(r"^-(?=[\d.])", r"\\textminus{}", plain)


def _latex_line(cells: Sequence[str]) -> str:
    line = " & ".join(map(latex_text, cells))
    # a rule or `\\` would take what follows for an option of its own
    return f"{'{}' if line[:1] in ('[', '(', '*') else ''}{line} \\\\"


def _shown(value: Any, none: str, nan: str) -> str:
    if _unknown(value):
        return none if value is None else nan
    if not isinstance(value, float):
        return str(value)
    return "< 0.001" if 0 < value < 0.001 else f"{value:.3f}"


def _unknown(value: Any) -> bool:
    if isinstance(value, float):
        return not math.isfinite(value)
    return value is None
