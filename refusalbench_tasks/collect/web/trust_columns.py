"""What the columns of a CSV list of hosts are called: by its publisher, or by the user who has another file."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.sheets import LONGEST_CELL

Role = Literal["host", "label", "quality", "bias", "score"]
ROLES: tuple[Role, ...] = get_args(Role)
Row = dict[str, str]


@dataclass(frozen=True)
class Columns:
    """What a user calls columns, by their role; a role that isn't named has the names of the list's publisher."""

    named: tuple[tuple[Role, str], ...] = ()

    @classmethod
    def of(cls, text: str) -> "Columns":
        """Return the columns of an argument such as `host=Site,quality=Score`.

        Raises DataError for a part that isn't ROLE=COLUMN, an unknown role and one that is named twice.
        """
        named: dict[Role, str] = {}
        for part in filter(None, (one.strip() for one in text.split(","))):
            name, sign, column = part.partition("=")
            role = next((one for one in ROLES if one == name.strip().lower()), None)
            if role is None or not sign or not column.strip():
                raise DataError(
                    f"trust_columns: '{part[:100]}' is not ROLE=COLUMN, as in host=Site,quality=Score; roles: "
                    f"{', '.join(ROLES)}"
                )
            if role in named:
                raise DataError(f"trust_columns: names two columns for {role}")
            named[role] = column.strip()
        return cls(tuple(named.items()))

    def require_used(self, tables: Sequence["Table"]) -> None:
        """Raise DataError for a column that none of the lists has: a slip in its name would else go unseen."""
        for role, column in self.named:
            if not any(plain(column) in table.names for table in tables):
                there = "; ".join(f"{one.source}: {', '.join(one.names)[:300]}" for one in tables)
                instead = f"found {there}" if there else "no list of 'trust' is a CSV file"
                raise DataError(f"trust_columns: no column '{column}' for {role}; {instead}")


@dataclass(frozen=True)
class Table:
    """The text of a CSV file with a header; `names` are those of its columns, in small letters without spaces."""

    text: str
    source: str
    columns: Columns = Columns()
    names: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Read the header."""
        object.__setattr__(self, "names", tuple(plain(cell) for cell in next(self._lines(), [])))

    def find(self, role: Role, usual: Sequence[str]) -> tuple[str, ...]:
        """Return the columns of a role that are there: the user's, or else those with the usual names."""
        mine = tuple(plain(column) for one, column in self.columns.named if one == role)
        return tuple(name for name in mine if name in self.names) or tuple(name for name in usual if name in self.names)

    def require(self, role: Role, usual: Sequence[str]) -> tuple[str, ...]:
        """Return the same; raise DataError if there is none, saying how another is named."""
        found = self.find(role, usual)
        if not found:
            wanted = " or ".join(f"'{name}'" for name in usual)
            there = ", ".join(self.names)[:300] or "none"
            raise DataError(
                f"trust: {self.source}: expected a column {wanted}, found {there}; name yours by "
                f"trust_columns={role}=COLUMN"
            )
        return found

    def rows(self) -> Iterator[Row]:
        """Yield the rows that aren't blank, each as its cells by column."""
        lines = self._lines()
        next(lines, None)
        for cells in lines:
            if any(cell.strip() for cell in cells):
                yield dict(zip(self.names, (cell.strip() for cell in cells), strict=False))

    def _lines(self) -> Iterator[list[str]]:
        delimiter = max(",;\t", key=self.text.split("\n", 1)[0].count)
        csv.field_size_limit(LONGEST_CELL)  # of the process: whoever reads CSV sets the same
        reader = csv.reader(io.StringIO(self.text), delimiter=delimiter, strict=True)
        try:
            yield from reader
        except csv.Error as error:
            raise DataError(f"trust: {self.source}, line {reader.line_num}: not valid CSV ({error})") from None


def plain(column: str) -> str:
    """Return a column's name as names are compared: without outer spaces, in small letters, with `_` for a space."""
    return column.strip().lower().replace(" ", "_")


def first(row: Row, columns: Sequence[str]) -> str:
    """Return the first cell of these columns that isn't empty, or ""."""
    return next((row[name] for name in columns if row.get(name)), "")
