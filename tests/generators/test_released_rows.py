"""Accepted candidates as rows."""

from refusalbench_tasks.generators.draft import Candidate
from refusalbench_tasks.generators.evidence import Premise
from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.perturbing import with_alternatives
from refusalbench_tasks.generators.released_rows import released_row
from refusalbench_tasks.generators.slot import ItemSlot
from refusalbench_tasks.taxonomy import (
    Label,
)
from tests.generators.items import BASE, item


def test_a_row_says_what_its_item_has_beside_the_texts() -> None:
    lever = next(
        one for one in bundled_levers() if one.name == "Average From Individual"
    )
    slot = ItemSlot(
        base=BASE,
        perturbation=lever.perturbation,
        intensity=lever.intensity,
        lever=lever.name,
    )
    ground = "No second one was built."
    made = Candidate(
        query="q",
        passages=(f"{BASE.passages[0]} {ground}",),
        lever=lever.name,
        reasoning="",
        ground_added=ground,
        evidence=Premise(premise="p", contradicted_by=ground),
    )
    row = released_row(
        Generated(
            "a/b", slot, with_alternatives(slot, made, bundled_levers()), (), True
        )
    )
    assert (row["ground_added"], row["accepted_alternatives"]) == (
        ground,
        [Label.GRANULARITY.value],
    )
    assert row["evidence"] == {"premise": "p", "contradicted_by": ground}
    assert (
        row["perturbed_context"].removesuffix(f" {ground}") == row["original_context"]
    )
    plain = released_row(item("x"))
    assert not plain.keys() & {"ground_added", "evidence", "accepted_alternatives"}
