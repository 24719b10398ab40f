"""The use of hedge terms."""

import pytest

from refusalbench_tasks.metrics.hedge_terms import term_uses
from tests.metrics.bluff_table import NAN, REFUSAL, reply, table


def test_the_use_of_terms_counts_replies_and_answers_that_are_wrong() -> None:
    rows = (
        reply("a", "clear", terms={"perhaps": 2}, hedges=2),
        reply("a", "ambiguous", terms={"perhaps": 1, "may": 1}, hedges=2, correctness=0.5),
        reply("b", "clear"),
        reply("b", "ambiguous", terms={"perhaps": 1}, hedges=1, correctness=0.2),
        reply("c", "clear", terms={"may": 1}, hedges=1, **REFUSAL),
        reply("c", "ambiguous", terms={"perhaps": 1}, hedges=1, correctness=NAN),
        reply("d", "clear", "truncated", terms={"perhaps": 1}),
        reply("d", "gold", terms={"may": 1}, hedges=1),
    )
    perhaps, may = term_uses(table(*rows)).to_dict("records")
    assert perhaps == pytest.approx(
        {"term": "perhaps", "replies": 4, "n": 6, "share": 4 / 6, "share_clear": 1 / 3, "clear_n": 3,
         "share_ambiguous": 1.0, "ambiguous_n": 3, "difference": 2 / 3, "wrong": 1 / 3, "graded_n": 3}
    )  # fmt: skip
    assert (may["replies"], may["wrong"], may["graded_n"]) == (2, 0.0, 1)  # the refusal's is not graded
    assert len(term_uses(table(reply("a", "clear")))) == len(term_uses(table())) == 0
