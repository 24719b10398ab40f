"""`bluff` on made sources: a model that minds one thing alone, and a log that finds
this thing and no other.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

from inspect_ai import eval
from inspect_ai.log import EvalLog

from refusalbench_tasks.datasets.bluff import load_bluff
from refusalbench_tasks.datasets.bluff_item import FACTORS, LEVELS
from refusalbench_tasks.datasets.worlds import RowArguments
from refusalbench_tasks.metrics.source_factors import factor_effects
from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.report.section import section_of
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.solvers.hedging_prompt import sources_text
from refusalbench_tasks.tasks.bluff import bluff
from tests.models import fake
from tests.tasks.hedging import metrics, replies

ROWS = 24
PAIRS = (
    "reliability x conflict",
    "reliability x sufficiency",
    "conflict x sufficiency",
)


@cache
def told() -> dict[str, dict[str, bool]]:
    """Return by the text of its sources and question which factors of an item give
    cause for doubt.
    """
    items, _ = load_bluff("worlds", row_args=RowArguments(data="worlds", n=ROWS))
    return {
        sources_text(item): {
            name: item.factors[name] == LEVELS[name][1] for name in FACTORS
        }
        for item in items
    }


def run(minds: Callable[[dict[str, bool]], bool]) -> EvalLog:
    """Run a model that hedges where it minds what gives cause for doubt."""

    def reply(prompt: str) -> str:
        doubts = next(
            factors for text, factors in told().items() if prompt.startswith(text)
        )
        return "It may be so." if minds(doubts) else "It is so."

    task = bluff(data="worlds", n=ROWS, ptrue="none", judge="offline")
    (log,) = eval(task, model=fake(reply), log_dir="logs", display="none")
    assert log.status == "success", log.error
    return log


def effects(log: EvalLog, measure: str) -> dict[str, tuple[float, float]]:
    return {
        one.name: (one.found.value, one.found.n)
        for one in factor_effects(replies(log), (measure,), 20)
    }


def table(log: EvalLog, key: str) -> list[dict[str, Any]]:
    """Return the rows of a table of the report."""
    (group,) = groups_of(read_logs([log.location]).runs)
    return [
        row for one in section_of(group).details if one.key == key for row in one.rows
    ]


def test_what_a_model_minds_is_found_out_and_nothing_else() -> None:
    log = run(lambda doubts: doubts["reliability"] and doubts["conflict"])
    # "may": six questions, in each of which four pairs of sets differ in one factor
    # alone
    found = effects(log, "hedges")
    due = (0.5, 0.5, 0, 1, 0, 0)
    assert found == dict(
        zip(
            (*FACTORS, *PAIRS),
            zip(due, (24, 24, 24, 12, 12, 12), strict=True),
            strict=True,
        )
    )
    assert effects(log, "confidence")["conflict"][1] == 0
    # the four rows of a question are pairs of their own, and are resampled together
    m = metrics(log)
    assert (m["n"], m["n_pairs"], m["n_questions"]) == (48, 24, 6)
    assert {
        row["factor"]: (row["hedges"], row["hedges n"]) for row in table(log, "factors")
    } == found


def test_a_model_that_minds_rivals_is_told_from_one_that_minds_conflict() -> None:
    log = run(lambda doubts: doubts["conflict"] and not doubts["sufficiency"])
    assert effects(log, "hedges")["conflict"] == (0.5, 24)
    rows = table(log, "conflicts")
    # six questions: in each two pairs that suffice, and two that don't, of which three
    # have the gap `missing`
    assert {
        row["conflict about"]: (row["hedges"], row["hedges n"])
        for row in rows
        if row["hedges n"]
    } == {
        "asked": (1.0, 12),
        "other_thing": (0.0, 6),
        "former_value": (0.0, 6),
    }
    bounds = next(row for row in rows if row["conflict about"] == "bounds")
    assert (bounds["hedges n"], math.isnan(bounds["hedges"])) == (0, True)
