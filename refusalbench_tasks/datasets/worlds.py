"""The one way to rows that are made on the spot from invented worlds (`data=worlds`), imported when it is taken."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from refusalbench_tasks.arguments import Count, names_of, require
from refusalbench_tasks.datasets.rows import Row
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
class WorldsConfig:
    """Which rows are made: how many (None: the default), of which seed, from which domains (None: all)."""

    n: int | None = None
    seed: int = 0
    domains: str | Sequence[str] | None = None

    def check(self, data: str) -> None:
        """Raise DataError for a number of rows that cannot be, or that only made data has."""
        if self.n is None:
            return
        if data != WORLDS:
            raise DataError(f"n: only data=worlds is made to measure, not data={data}; use --limit")
        from refusalbench_tasks.worlds.rows import CELLS

        require(Count, n=self.n)
        if self.n % CELLS:
            raise DataError(f"n: rows are made in fours, so n={self.n} cuts one; use {self.n + CELLS - self.n % CELLS}")


def made_rows(config: WorldsConfig, layout: "Layout") -> tuple[list[Row], dict[str, Any]]:
    """Return the rows, and what the log says of where they come from.

    Raises DataError for unknown domains.
    """
    from refusalbench_tasks.worlds.document import known_domains
    from refusalbench_tasks.worlds.quad import VERSION
    from refusalbench_tasks.worlds.rows import rows

    number = DEFAULT_ROWS[layout] if config.n is None else config.n
    domains = known_domains(names_of(config.domains))
    return _made(rows(config.seed, 0, number, domains, layout), VERSION, number, config.seed, domains)


def made_source_rows(config: WorldsConfig) -> tuple[list[Row], dict[str, Any]]:
    """Return rows with sets of sources (None: DEFAULT_SOURCE_ROWS of them), and what the log says of their origin."""
    from refusalbench_tasks.worlds.hearing import VERSION
    from refusalbench_tasks.worlds.source_rows import source_domains, source_rows

    number = DEFAULT_SOURCE_ROWS if config.n is None else config.n
    domains = source_domains(names_of(config.domains))
    return _made(source_rows(config.seed, 0, number, domains), VERSION, number, config.seed, domains)


def source_rows_from(seed: int, start: int, stop: int) -> list[Mapping[str, Any]]:
    """Return rows `start` to `stop` (not included) of a seed with sets of sources, of all their domains."""
    from refusalbench_tasks.worlds.source_rows import source_rows

    return list(source_rows(seed, start, stop))


def _made(
    rows: Iterable[Mapping[str, Any]], version: object, n: int, seed: int, domains: Sequence[str]
) -> tuple[list[Row], dict[str, Any]]:
    about = {"data": WORLDS, "worlds": version, "seed": seed, "n": n, "domains": list(domains), "licence": LICENCE}
    return [Row(WORLDS, str(row["id"]), row) for row in rows], about
