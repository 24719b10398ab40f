"""Questions as logical forms."""

from dataclasses import dataclass
from typing import Literal

from refusalbench_tasks.worlds.statement import Names
from refusalbench_tasks.worlds.values import Value

Operator = Literal[
    "value",
    "at_least",
    "compare",
    "difference",
    "sum",
    "highest",
    "lowest",
    "total",
    "mean",
    "median",
    "share",
    "change",
    "count",
    "evaluate",
    "opinion",
    "moral",
    "norm",
    "forecast",
    "counterfactual",
    "probability",
]
"""What is asked of a relation.

`value` of one subject; `at_least`: is it at or above (after, for dates) a limit; `compare`: which of two subjects has
the higher (later) one; `difference` between two; `sum` over two; `highest` and `lowest` among the named subjects;
`total`, `mean` and `median` over all parts of a whole; `share` of a part (first subject) in the total of its whole
(second subject), in per cent; `change` between the first and the last year of the period `at`; `count`: how many
things a set of names holds; `evaluate`: does a term with a criterion hold. The others are no matters of fact unless the
text has settled them.
"""

NONFACTUAL = frozenset({"opinion", "moral", "norm", "forecast", "counterfactual", "probability"})


@dataclass(frozen=True, slots=True)
class Ask:
    """One question.

    `subjects` are names, or tuples of names between which the question leaves it open; `relation` likewise.
    `at` is the period asked for: a year, an ISO date, or two years with a stroke between them. `limit` belongs to
    `at_least`, `term` to `evaluate` and the operators that are no matters of fact. `via` describes the first subject
    instead of naming it: the thing whose relation is a value.
    `presumes` are relations of things that the question takes for granted, `(subject, relation)`.
    """

    operator: Operator
    relation: Names
    subjects: tuple[Names, ...]
    at: str = ""
    limit: Value | None = None
    term: str = ""
    via: tuple[str, Value] | None = None
    presumes: tuple[tuple[str, str], ...] = ()
