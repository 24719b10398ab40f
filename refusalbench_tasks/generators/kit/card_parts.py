"""Lists and tables of a data card, in Markdown."""

from collections.abc import Sequence

from refusalbench_tasks.tables import Table, TableRow


def bullets(lines: Sequence[str]) -> str:
    """Return a list with one line an entry."""
    return "\n".join(f"- {' '.join(line.split())}" for line in lines)


def markdown(rows: Sequence[TableRow]) -> str:
    """Return a table without a title; no text if it has no rows."""
    return Table("", "", rows).as_markdown().rstrip()
