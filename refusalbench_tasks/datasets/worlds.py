"""Where rows come from: the arguments of all tasks, and rows made on the spot from
invented worlds (`data=worlds`).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from pydantic import model_validator

from refusalbench_tasks.arguments import Arguments, Count, Names, Text, Whole
from refusalbench_tasks.datasets.draw import ShardArgument
from refusalbench_tasks.datasets.rows import Row
from refusalbench_tasks.errors import DataError

WORLDS = "worlds"
Kind = Literal["context", "grounding", "sources"]
DEFAULT_ROWS: dict[Kind, int] = {"context": 1800, "grounding": 600, "sources": 288}
"""How many rows a run has by default: ten passages have ten times the words; 288 rows
with sources ask 48 questions.
"""


class RowArguments(Arguments):
    """The arguments that `nq`, `garage` and `bluff` share; docs/nq.md and docs/bluff.md
    say what each is.
    """

    data: Text = "hub"
    seed: Whole = 0
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


def made_rows(args: RowArguments, kind: Kind) -> tuple[list[Row], dict[str, Any]]:
    """Return rows of a kind, and what the log says of where they come from.

    Raises DataError for unknown domains.
    """
    n = args.n or DEFAULT_ROWS[kind]
    wanted = args.domains
    contents: Sequence[Mapping[str, Any]]
    if kind == "sources":
        from refusalbench_tasks.worlds import source_question
        from refusalbench_tasks.worlds.source_rows import source_domains, source_rows

        domains = source_domains(wanted)
        version = source_question.VERSION
        contents = list(source_rows(args.seed, 0, n, domains))
    else:
        from refusalbench_tasks.worlds import quad
        from refusalbench_tasks.worlds.document import known_domains
        from refusalbench_tasks.worlds.quad_rows import rows

        domains = known_domains(wanted)
        version = quad.VERSION
        contents = list(rows(args.seed, 0, n, domains, kind))
    about = {
        "data": WORLDS,
        "worlds": version,
        "seed": args.seed,
        "n": n,
        "domains": list(domains),
        "licence": "CC0-1.0",
    }
    return [Row(WORLDS, str(content["id"]), content) for content in contents], about
