"""A table, and every form in which one is written: text, CSV, JSON, Markdown, LaTeX."""

import html
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from refusalbench_tasks.sheets import sheet_csv
from refusalbench_tasks.terminal import one_line

TableRow = dict[str, Any]
Format = Literal["text", "csv", "json", "markdown", "latex"]
GAP = "  "
"""What is between two columns of text."""
DASH = "–"
"""What is unknown, in Markdown and LaTeX."""
_PAGE, _PARAGRAPH = 40, 60
"""The rows of a page, and the letters of a line, in LaTeX."""
_RAGGED = "\\raggedright "
_SMALL = r"\footnotesize\setlength{\tabcolsep}{2pt}"
_PLAIN = (str, int, float, bool, type(None))
"""Values of a row that need no lines of their own in JSON."""
_BREAKS = re.compile(r"\\_|/")
_MARKDOWN = re.compile(r"[\\`*\[\]|~$]|(?<![^\W_])_|_(?![^\W_])")
_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "{}$&#%_"}
    | {
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "`": r"\textasciigrave{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
    }
)


@dataclass(frozen=True)
class Table:
    """Rows with equal keys, a name for files, a title, and what has to be known to read it.

    A number that is NaN or infinite, and None, are unknown: blank in CSV, null in JSON, a dash in Markdown and LaTeX.
    In text NaN is `undefined` and None is blank.
    """

    key: str
    title: str
    rows: Sequence[TableRow]
    note: str = ""
    names: Sequence[str] = ()
    """The columns; without names those of the rows, of which there may be none."""
    formats: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    """How the known values of a column are shown to readers; CSV and JSON have the values."""
    caption: str = ""
    """What stands by the table in a paper: Markdown has it below, LaTeX in a float."""
    widths: Mapping[str, float] = field(default_factory=dict)
    """In centimetres, of columns that LaTeX breaks so that the table fits a page; all of it is then in small print."""

    @property
    def columns(self) -> list[str]:
        """Return the names of the columns."""
        return list(self.names or (self.rows[0] if self.rows else ()))

    def as_text(self, head: bool = True) -> str:
        """Return aligned columns without control characters; columns of plain numbers stand to the right."""
        names = self.columns
        lines = [[one_line(name) for name in names]] * head
        lines += [[one_line(self._shown(row, name, _undefined(row[name]))) for name in names] for row in self.rows]
        if not names or not lines:
            return "(none)"
        return aligned(lines, [name not in self.formats and self._all_numbers(name) for name in names])

    def as_csv(self) -> str:
        """Return the table as CSV, in which no text is one that a spreadsheet takes for a formula."""
        return sheet_csv(self.columns, self.rows)

    def as_json(self) -> str:
        """Return the table as a JSON list of objects."""
        return _json(self.values())

    def as_markdown(self) -> str:
        """Return the table in Markdown, in which all text is plain text; without columns nothing."""
        names = self.columns
        if not names:
            return ""
        rule = [" ---: " if self._holds_numbers(name) else " --- " for name in names]
        lines = [[f" {markdown_text(cell)} " for cell in line] for line in self._shown_lines()]
        table = "".join(f"|{'|'.join(line)}|\n" for line in (lines[0], rule, *lines[1:]))
        return f"{table}\n*{markdown_text(self.caption)}*\n" if self.caption else table

    def as_latex(self) -> str:
        """Return a `tabular` with the rules of booktabs, in which all text is plain text; without columns nothing.

        More rows than a page holds are a `longtable`, which breaks; a column of long texts is one of paragraphs.
        """
        shown = self._shown_lines()
        kinds = [self._latex_kind(column) for column in zip(*shown, strict=True)]
        if not kinds:
            return ""
        head, *lines = (self._latex_line(line, kinds) for line in shown)
        small = _SMALL if self.widths else ""
        top, body = [r"\toprule", head, r"\midrule"], [*lines, r"\bottomrule"]
        caption = [rf"\caption{{{latex_text(self.caption)}}}"] if self.caption else []
        if len(lines) > _PAGE:
            above = [rf"{line} \\" for line in caption]
            parts = [rf"\begin{{longtable}}{{{''.join(kinds)}}}", *above, *top, r"\endhead", *body, r"\end{longtable}"]
            if small:
                parts = [rf"\begingroup{small}", *parts, r"\endgroup"]
        else:
            parts = [rf"\begin{{tabular}}{{{''.join(kinds)}}}", *top, *body, r"\end{tabular}"]
            if caption:
                parts = [r"\begin{table}", rf"\centering{small}", *caption, *parts, r"\end{table}"]
        return "\n".join(parts) + "\n"

    def _latex_kind(self, column: Sequence[str]) -> str:
        if self._holds_numbers(column[0]):
            return "r"
        if column[0] in self.widths:
            return f"p{{{self.widths[column[0]]}cm}}"
        return "l" if max(map(len, column)) <= _PARAGRAPH else "p{5cm}"

    def _latex_line(self, cells: Sequence[str], kinds: Sequence[str]) -> str:
        if not self.widths:
            return _latex_line(map(latex_text, cells))
        pairs = zip(cells, kinds, strict=True)
        *firsts, last = (_narrow(cell) if kind.startswith("p") else latex_text(cell) for cell, kind in pairs)
        # in the last column it would take the end of the line for its own
        return _latex_line([*firsts, last.removeprefix(_RAGGED)])

    def values(self) -> list[TableRow]:
        """Return the rows with None for what is unknown."""
        return [{name: None if _unknown(row[name]) else row[name] for name in self.columns} for row in self.rows]

    def _shown_lines(self) -> list[list[str]]:
        names = self.columns
        return [names, *([self._shown(row, name, DASH) for name in names] for row in self.rows)]

    def _shown(self, row: TableRow, name: str, unknown: str) -> str:
        value = row[name]
        if _unknown(value):
            return unknown
        if name in self.formats:
            return self.formats[name](value)
        return f"{value:.3f}" if isinstance(value, float) else str(value)

    def _all_numbers(self, name: str) -> bool:
        return bool(self.rows) and all(isinstance(row[name], int | float) for row in self.rows)

    def _holds_numbers(self, name: str) -> bool:
        known = [row[name] for row in self.rows if not _unknown(row[name])]
        return bool(known) and all(isinstance(value, int | float) for value in known)


def written(tables: Sequence[Table], form: Format) -> str:
    """Return tables in one form: in JSON an object with the rows of each by its key, else one below the other."""
    if form == "json":
        return _json({table.key: table.values() for table in tables})
    forms: dict[Format, Callable[[Table], str]] = {
        "text": lambda table: f"{table.as_text()}\n",
        "csv": Table.as_csv,
        "markdown": Table.as_markdown,
        "latex": Table.as_latex,
    }
    return "\n".join(text for text in map(forms[form], tables) if text)


def aligned(lines: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    """Return lines of cells as columns, each as wide as its widest cell, some of them to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(GAP.join(map(_padded, line, widths, right)).rstrip() for line in lines)


def markdown_text(text: str) -> str:
    """Return outside text as one line that Markdown shows as it is: no markup, no HTML, no end of a cell."""
    return _MARKDOWN.sub(r"\\\g<0>", html.escape(one_line(text), quote=False))


def latex_text(text: str) -> str:
    """Return outside text as one line that LaTeX sets as it is, in its text mode."""
    plain = re.sub("-(?=-)", "-{}", one_line(text).translate(_LATEX))
    return re.sub(r"^-(?=[\d.])", r"\\textminus{}", plain)


def _narrow(text: str) -> str:
    """Return a text that LaTeX breaks in a narrow column, also behind the marks within a name."""
    return _RAGGED + _BREAKS.sub(r"\g<0>\\allowbreak{}", latex_text(text))


def _latex_line(cells: Iterable[str]) -> str:
    line = " & ".join(cells)
    # a rule or `\\` would take what follows for an option of its own
    return f"{'{}' if line[:1] in ('[', '(', '*') else ''}{line} \\\\"


def _padded(cell: str, width: int, right: bool) -> str:
    return cell.rjust(width) if right else cell.ljust(width)


def _json(value: Any) -> str:
    if isinstance(value, list) and value and all(map(_is_flat, value)):
        return "[\n " + ",\n ".join(map(_flat_json, value)) + "\n]\n"
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _is_flat(row: Any) -> bool:
    return isinstance(row, dict) and bool(row) and all(isinstance(value, _PLAIN) for value in row.values())


def _flat_json(row: TableRow) -> str:
    # what json has for an indent is written in Python, and takes ten times as long
    text = json.dumps(row, ensure_ascii=False, separators=(",\n  ", ": "), allow_nan=False)
    return f"{{\n  {text[1:-1]}\n }}"


def _unknown(value: Any) -> bool:
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def _undefined(value: Any) -> str:
    return "" if value is None else "undefined"
