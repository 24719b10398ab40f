"""Where rows come from: the arguments of all tasks, and synthetic rows from invented
worlds (`data=worlds`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal, Self

from pydantic import model_validator

from refusalbench_tasks.arguments import Arguments, Count, Names, Switch, Text, Whole
from refusalbench_tasks.errors import DataError

from .draw import ShardArgument
from .rows import Row

Domains = tuple[str, ...]

WORLDS = "worlds"
Kind = Literal["context", "grounding", "hard", "sources"]
DEFAULT_ROWS = {
    "context": 1800,
    "grounding": 600,
    "hard": 600,
    "sources": 288,
}
"""How many rows a run has by default: ten passages have ten times the words; 288 rows
with sources ask 48 questions.
"""


class RowArguments(Arguments):
    """The arguments that `nq`, `garage` and `bluff` share; docs/nq.md and docs/bluff.md
    say what each is.
    """

    data: Text = "hub"
    seed: Whole = 0
    quick: Switch = False
    shard: ShardArgument = None
    n: Count | None = None
    domains: Names = ()

    @model_validator(mode="after")
    def _worlds_alone_have_a_size(self) -> Self:
        if self.n is not None and self.data != WORLDS:
            raise DataError(
                f"n: only data=worlds is made to measure, not data={self.data}; use"
                " --limit"
            )
        if self.n is not None and self.n % 4:
            raise DataError(
                f"n: rows are made in fours, so n={self.n} cuts one; use"
                f" {self.n + -self.n % 4}"
            )
        return self


@dataclass(frozen=True)
class SyntheticRows:
    """Rows from invented worlds, and from what they are drawn."""

    version: str
    """The version of the generator: it is in the rows' ids."""
    domains: Domains
    rows: Iterator[dict[str, Any]]


def synthetic_rows(
    kind: Kind,
    seed: int,
    start: int,
    stop: int,
    domains: Domains = (),
) -> SyntheticRows:
    """Return rows `start` to `stop` (not included) of a seed, of all domains for ().

    Raises DataError for unknown domains.
    """
    # worlds are loaded where rows are made of them
    from refusalbench_tasks.worlds.document import DOCUMENTS, known_domains

    if kind == "sources":
        from refusalbench_tasks.worlds.source_question import VERSION
        from refusalbench_tasks.worlds.source_rows import source_rows

        chosen = known_domains(domains, DOCUMENTS)
        return SyntheticRows(
            VERSION,
            chosen,
            source_rows(
                seed,
                start,
                stop,
                chosen,
            ),
        )
    from refusalbench_tasks.worlds.quad_rows import quad_rows, version_of

    chosen = known_domains(domains)
    rows = quad_rows(
        seed,
        start,
        stop,
        chosen,
        kind,
    )
    return SyntheticRows(version_of(kind), chosen, rows)


@dataclass(frozen=True)
class WorldDocuments:
    """The documents of one invented world, as a corpus to be searched has them."""

    source: str
    """The base question of its rows."""
    originals: Domains
    """The passages of its rows without what makes these unanswerable."""
    near: Domains
    """Near twins: documents on the same things that change the answer of no row."""
    asked: Domains
    """The names of the things that its rows ask about."""


def world_documents(
    seed: int,
    start: int,
    domains: Domains = (),
) -> Iterator[WorldDocuments]:
    """Yield the documents of the worlds of a seed, from that of row `start` on, without
    an end.

    Raises DataError for unknown domains.
    """
    from refusalbench_tasks.worlds.document import known_domains
    from refusalbench_tasks.worlds.near_twins import documents_of
    from refusalbench_tasks.worlds.quad_rows import CELLS

    chosen = known_domains(domains)
    for index in count(start // CELLS):
        yield documents_of(seed, index, chosen)


def worlds_rows(
    args: RowArguments,
    kind: Kind,
) -> tuple[list[Row], dict[str, Any]]:
    """Return the synthetic rows of a run, and what the log says of where they come
    from.

    Raises DataError for unknown domains.
    """
    n = args.n or DEFAULT_ROWS[kind]
    synthetic = synthetic_rows(
        kind,
        args.seed,
        0,
        n,
        args.domains,
    )
    about = {
        "data": WORLDS,
        "worlds": synthetic.version,
        "seed": args.seed,
        "n": n,
        "domains": list(synthetic.domains),
        "licence": "CC0-1.0",
    }
    return [
        Row(
            WORLDS,
            str(row["id"]),
            row,
        )
        for row in synthetic.rows
    ], about
