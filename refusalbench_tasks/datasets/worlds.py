"""Rows made on the spot from invented worlds: `data=worlds`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from refusalbench_tasks.arguments import whole_number
from refusalbench_tasks.datasets.files import Row
from refusalbench_tasks.datasets.selection import names_of
from refusalbench_tasks.errors import DataError

if TYPE_CHECKING:
    from refusalbench_tasks.worlds.rows import Layout

WORLDS = "worlds"
DEFAULT_ROWS: dict["Layout", int] = {"context": 1800, "grounding": 600}
"""How many rows a run has if it says nothing; ten passages have ten times the words, to make and to read."""
DEFAULT_SOURCE_ROWS = 288
"""Rows of 48 questions, in which the design of sources is balanced."""
LICENCE = "CC0-1.0"


@dataclass(frozen=True)
class Made:
    """Which rows are made: how many (None: the default), of which seed, from which domains (None: all)."""

    n: int | None = None
    seed: int = 0
    domains: str | None = None

    def check(self, data: str) -> None:
        """Raise DataError for a number of rows that cannot be, or that only made data has."""
        if self.n is None:
            return
        if data != WORLDS:
            raise DataError(f"n: only data=worlds is made to measure, not data={data}; use per_stratum or --limit")
        # what makes worlds takes a while to import, and most runs and reports have no use for it
        from refusalbench_tasks.worlds.rows import CELLS

        whole_number("n", self.n, 1)
        if self.n % CELLS:
            raise DataError(f"n: rows are made in fours, so n={self.n} cuts one; use {self.n + CELLS - self.n % CELLS}")


def made_rows(made: Made, layout: "Layout") -> tuple[list[Row], dict[str, Any]]:
    """Return the rows, and what the log says of where they come from.

    Raises DataError for unknown domains, and if a row can't be made or proven.
    """
    from refusalbench_tasks.worlds.pack import DOMAINS
    from refusalbench_tasks.worlds.proof import one_line
    from refusalbench_tasks.worlds.rows import VERSION, known_domains, rows

    number = DEFAULT_ROWS[layout] if made.n is None else made.n
    domains = known_domains(names_of(made.domains) or DOMAINS)
    with one_line():
        found = [Row(WORLDS, str(one["id"]), one) for one in rows(made.seed, 0, number, domains, layout)]
    about = {"data": WORLDS, "worlds": VERSION, "seed": made.seed, "n": number, "domains": list(domains)}
    return found, about | {"licence": LICENCE}


def made_source_rows(made: Made) -> tuple[list[Row], dict[str, Any]]:
    """Return rows with sets of sources (None: DEFAULT_SOURCE_ROWS of them), and what the log says of their origin."""
    from refusalbench_tasks.worlds.hearing import VERSION
    from refusalbench_tasks.worlds.source_rows import source_domains, source_rows

    number = DEFAULT_SOURCE_ROWS if made.n is None else made.n
    domains = source_domains(names_of(made.domains))
    found = [Row(WORLDS, str(one["id"]), one) for one in source_rows(made.seed, 0, number, domains)]
    about = {"data": WORLDS, "worlds": VERSION, "seed": made.seed, "n": number, "domains": list(domains)}
    return found, about | {"licence": LICENCE}
