"""Preference pairs for training: what to say to a question beside a passage, and what not to."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import Label

HELD_OUT = range(9_000, 10_000)
"""Seeds that are kept for measuring: no training data is made from them."""
_ID = re.compile(r"RBW\d+\.(?P<seed>\d+)\.\d+\.\d")
NEIGHBOURS: Mapping[Label, Label] = {
    Label.AMBIGUOUS: Label.CONTRADICTORY,
    Label.CONTRADICTORY: Label.AMBIGUOUS,
    Label.MISSING: Label.GRANULARITY,
    Label.GRANULARITY: Label.MISSING,
    Label.FALSE_PREMISE: Label.MISSING,
    Label.NONFACTUAL: Label.GRANULARITY,
}
"""The code that a row's code is most easily taken for (our choice)."""


def check_seed(seed: int) -> None:
    """Raise DataError for a seed that is held out."""
    if seed in HELD_OUT:
        raise DataError(
            f"seed {seed} is held out for measuring ({HELD_OUT.start} to {HELD_OUT.stop - 1}); train on another one"
        )


def check_row(row: Mapping[str, Any]) -> None:
    """Raise DataError for a row that was made from a seed that is held out, which its id tells."""
    made = _ID.fullmatch(str(row["id"]))
    if made:
        check_seed(int(made["seed"]))


def preferences(row: Mapping[str, Any], due_in_quad: Label) -> Iterator[dict[str, Any]]:
    """Yield the preference pairs of a row: `id`, `kind`, `question`, `passages`, `chosen`, `rejected`.

    An answerable row prefers its answer to the code of the other rows of its quad, `due_in_quad`. Another one prefers
    its code to that answer (`answer_or_refuse`), and to the code that it is most easily taken for (`which_code`).
    Raises DataError for a row of a seed that is held out.
    """
    check_row(row)
    due = Label(row["expected_rag_behavior"])
    answer, code = str(row["original_answers"][0]), due_in_quad.value
    shared = {
        "question": row.get("perturbed_query") or row["query"],
        "passages": [one["text"] for one in row["grounding"]] if "grounding" in row else [row["perturbed_context"]],
    }
    chosen, rejected = (answer, code) if due is Label.ANSWER else (code, answer)
    yield {"id": row["id"], "kind": "answer_or_refuse", **shared, "chosen": chosen, "rejected": rejected}
    if due is not Label.ANSWER:
        other = NEIGHBOURS[due].value
        yield {"id": row["id"], "kind": "which_code", **shared, "chosen": code, "rejected": other}


def quad_code(rows: list[dict[str, Any]]) -> Label:
    """Return the code of the rows of a quad that have no answer."""
    return next(label for label in (Label(row["expected_rag_behavior"]) for row in rows) if label is not Label.ANSWER)
