"""CSV sheets that people fill in with a spreadsheet."""

import csv
import io
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from refusalbench_tasks.bounded_reading import file_at, read_text
from refusalbench_tasks.errors import DataError

LONGEST_CELL = 10_000_000
_YES = ("1", "yes", "y", "true", "pass")
_NO = ("0", "no", "n", "false", "fail")


def sheet_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a table as CSV with lines that end in a line feed; a cell with any line
    end in it is quoted.

    What is unknown is blank, and no text or heading is a formula to a spreadsheet.
    """
    out = io.StringIO()
    # a writer quotes only the line ends that it uses itself; a bare \r would begin a
    # line of its own
    writer = csv.writer(out, lineterminator="\r\n")
    if columns:
        writer.writerow(map(plain_cell, columns))
    for row in rows:
        writer.writerow([_value(row.get(name, "")) for name in columns])
    return out.getvalue().replace("\r\n", "\n")


def _value(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else ""
    return plain_cell(value) if isinstance(value, str) else value


def plain_cell(cell: str) -> str:
    """Return a cell with line feeds for Windows' line ends, and an apostrophe first if
    it begins as a formula does.
    """
    cell = cell.replace("\r\n", "\n")
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def read_sheet_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a filled sheet; a short row has empty cells, and cells beyond
    the header's are left out.

    Raises DataError for a missing file, one that is not CSV in UTF-8, and a column that
    is there twice.
    """
    csv.field_size_limit(LONGEST_CELL)
    text = read_text(file_at(path, "sheet"), str(path))
    try:
        reader = csv.DictReader(io.StringIO(text), restval="")
        check_columns(path.name, reader.fieldnames or ())
        rows = list(reader)
    except csv.Error as error:
        raise DataError(
            f"{path.name}: not a CSV file ({error}); save it as CSV UTF-8"
        ) from None
    for row in rows:
        # the cells beyond the header's
        row.pop(None, None)
    return rows


def keep_filled(path: Path, columns: Sequence[str]) -> None:
    """Raise DataError if a sheet is there in which somebody has filled in one of the
    columns, or another table.
    """
    for row in read_sheet_rows(path) if path.is_file() else ():
        cells = [row[name] for name in columns if name in row]
        if not cells or "".join(cells).strip():
            raise DataError(
                f"{path} is filled in, or another table; write to another place, or"
                " move it away"
            )


def yes_or_no(cell: str) -> bool | None:
    """Return what a person wrote into a cell: yes or no in one of the usual words; None
    for anything else.
    """
    word = cell.strip().lower()
    if word in _YES:
        return True
    return False if word in _NO else None


def check_columns(source: str, names: Sequence[str]) -> None:
    """Raise DataError for a column name that is there twice."""
    for name, n in Counter(names).items():
        if name and n > 1:
            raise DataError(
                f"{source}: the column '{name}' is there {n} times; keep one"
            )
