"""What a row says of an accepted item beside its texts, and that `nq` reads it."""

from refusalbench_tasks.datasets.benchmarks import NQ
from refusalbench_tasks.datasets.rows import Row
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.evidence import Premise
from refusalbench_tasks.generators.generation_logs import Generated
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.perturbation import with_alternatives
from refusalbench_tasks.generators.released_rows import row_of
from refusalbench_tasks.generators.slot import Slot
from refusalbench_tasks.taxonomy import Label, expected_label
from tests.generators.test_checks import TEXT, single

GROUND = "No second mill was ever built there."
LEVERS = bundled_levers()


def written(lever: str, **changes: object) -> tuple[Slot, Candidate]:
    slot, cell = single(lever)
    plain = Candidate(query="Who built the second mill?", passages=(TEXT,), lever=lever, reasoning="As planned.")
    return slot, with_alternatives(slot, plain.model_copy(update=changes), cell)


def test_the_ground_sentence_and_the_evidence_stand_apart_from_the_passage() -> None:
    evidence = Premise(premise="There is a second mill.", contradicted_by=GROUND)
    slot, candidate = written(
        "First vs. Second Mission Clash", passages=(f"{TEXT} {GROUND}",), ground_added=GROUND, evidence=evidence
    )
    row = row_of(Generated("a/b", slot, candidate, (), True), "RB")
    assert (row["ground_added"], row["evidence"]) == (GROUND, evidence.model_dump())
    assert row["perturbed_context"].removesuffix(f" {GROUND}") == row["original_context"] == TEXT


def test_what_an_item_does_not_have_is_no_field_of_its_row() -> None:
    row = row_of(Generated("a/b", *written("First vs. Second Mission Clash"), (), True), "RB")
    assert not row.keys() & {"ground_added", "evidence", "accepted_alternatives"}


def test_other_codes_that_the_lever_accepts_come_from_its_file_into_the_row_and_the_item() -> None:
    row = row_of(Generated("a/b", *written("Average From Individual"), (), True), "RB")
    assert row["accepted_alternatives"] == ["REFUSE_GRANULARITY_MISMATCH"]
    (item,) = NQ.items_of([Row("rows.jsonl", "line 1", row)])
    assert (item.expected, item.accepted_alternatives) == (Label.MISSING, (Label.GRANULARITY,))


def test_only_refusals_by_another_code_than_the_gold_one_are_accepted_besides() -> None:
    assert sum(bool(lever.accepted_alternatives) for lever in LEVERS) == 26
    for lever in LEVERS:
        gold = expected_label(lever.perturbation, lever.intensity)
        assert gold not in lever.accepted_alternatives, lever.name
        assert Label.ANSWER not in lever.accepted_alternatives, lever.name
        assert gold.is_refusal or not lever.accepted_alternatives, lever.name
