"""What the card of synthetic questions says of yield, composition and agreement."""

from refusalbench_tasks.generators.card_sections import (
    composition_table,
    verifiers_agree,
)
from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.verification import ItemVote
from refusalbench_tasks.taxonomy import CLASSES
from tests.generators.items import HIGH, item


def judged(**votes: bool) -> Generated:
    """Return an item of a whole panel, with the vote of each verifier."""
    plain = item("text")
    ballots = tuple(
        ItemVote(verifier=name, digest="d", passed=passed)
        for name, passed in votes.items()
    )
    return Generated(
        plain.writer,
        plain.slot,
        plain.candidate,
        ballots,
        True,
        panel_share=1.0,
    )


def test_each_class_and_intensity_is_counted() -> None:
    table = composition_table(
        [item("a"), item("b"), item("c", cell=(CLASSES[1], HIGH))]
    )
    assert f"| {CLASSES[0].value} | 2 | 0 | 0 |" in table
    assert f"| {CLASSES[1].value} | 0 | 0 | 1 |" in table


def test_two_verifiers_are_compared_on_what_both_judged() -> None:
    items = [judged(a=True, b=True), judged(a=True, b=False), judged(a=False, c=True)]
    pairs = {(row["verifier"], row["other"]): row for row in verifiers_agree(items)}
    assert (pairs["a", "b"]["n"], pairs["a", "b"]["agreement"]) == (2, 0.5)
    assert pairs["a", "c"]["n"] == 1


def test_verifiers_of_different_runs_have_no_agreement() -> None:
    assert verifiers_agree([judged(a=True), judged(b=False)]) == []
