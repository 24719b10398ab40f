"""The one way to rows that are made on the spot from invented worlds (`data=worlds`), imported when it is taken."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from refusalbench_tasks.arguments import names_of
from refusalbench_tasks.datasets.rows import Row

WORLDS = "worlds"
Kind = Literal["context", "grounding", "sources"]
DEFAULT_ROWS: dict[Kind, int] = {"context": 1800, "grounding": 600, "sources": 288}
"""How many rows a run has if it says nothing: ten passages have ten times the words, to make and to read; 288 rows with
sets of sources ask 48 questions, in which the design of sources is balanced."""


@dataclass(frozen=True)
class WorldsConfig:
    """Which rows are made: how many (None: the default), of which seed, from which domains (None: all)."""

    n: int | None = None
    seed: int = 0
    domains: str | Sequence[str] | None = None


def made_rows(config: WorldsConfig, kind: Kind) -> tuple[list[Row], dict[str, Any]]:
    """Return rows with a passage, with ten or with sets of sources, and what the log says of where they come from.

    Raises DataError for unknown domains.
    """
    n, wanted = config.n or DEFAULT_ROWS[kind], names_of(config.domains)
    made: Sequence[Mapping[str, Any]]
    if kind == "sources":
        from refusalbench_tasks.worlds import hearing
        from refusalbench_tasks.worlds.source_rows import source_domains, source_rows

        domains, version = source_domains(wanted), hearing.VERSION
        made = list(source_rows(config.seed, 0, n, domains))
    else:
        from refusalbench_tasks.worlds import quad
        from refusalbench_tasks.worlds.document import known_domains
        from refusalbench_tasks.worlds.quad_rows import rows

        domains, version = known_domains(wanted), quad.VERSION
        made = list(rows(config.seed, 0, n, domains, kind))
    about = {"worlds": version, "seed": config.seed, "n": n, "domains": list(domains), "licence": "CC0-1.0"}
    return [Row(WORLDS, str(row["id"]), row) for row in made], {"data": WORLDS, **about}
