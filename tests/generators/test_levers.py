"""The lever catalogue: complete, well-formed, and each example keeps to the rules for
candidates.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.checks import candidate_problems
from refusalbench_tasks.generators.criteria import target_of
from refusalbench_tasks.generators.draft import Candidate
from refusalbench_tasks.generators.levers import (
    Lever,
    bundled_levers,
    load_levers,
    read_levers,
    select_levers,
)
from refusalbench_tasks.generators.plan import applicable
from refusalbench_tasks.generators.slot import ItemSlot
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Label

LEVERS = bundled_levers()
NAMES = Path(__file__).parents[3] / "shared" / "data" / "levers.json"
PER_CELL = (10, 9, 10, 8, 10, 10, 9, 11, 10, 10, 10, 10, 10, 10, 10, 9, 10, 10)
ONE = """
- name: My Lever
  class: P-Ambiguity
  intensity: {intensity}
  instruction: Do it.
  single: query
  multi: query
  example:
    answers: [five]
    before: {{query: "How many?", context: There are five.}}
    after: {{query: "How many are there?", context: There are five.}}
    expected: ANSWER_CORRECTLY
    why: It is the same.
"""


def case_of(lever: Lever) -> tuple[ItemSlot, Candidate]:
    """Return a lever's example as a slot and a candidate."""
    example = lever.example
    base = RefusalItem(
        item_id="x",
        source_id="x",
        query=example.before.query,
        passages=(example.before.context,),
        answers=example.answers,
        expected=Label.ANSWER,
    )
    slot = ItemSlot(
        base=base,
        perturbation=lever.perturbation,
        intensity=lever.intensity,
        lever=lever.name,
    )
    after = example.after
    ground = (
        after.context.removeprefix(example.before.context).strip()
        if lever.ground
        else ""
    )
    return slot, Candidate(
        query=after.query,
        passages=(after.context,),
        lever=lever.name,
        reasoning="",
        ground_added=ground,
    )


def test_there_are_176_levers_with_the_published_number_in_each_cell() -> None:
    counts = Counter((lever.perturbation, lever.intensity) for lever in LEVERS)
    assert len({lever.name.casefold() for lever in LEVERS}) == 176
    assert (
        tuple(counts[cell, level] for cell in CLASSES for level in PERTURBED)
        == PER_CELL
    )


@pytest.mark.skipif(
    not NAMES.is_file(), reason="the list of published names is not here"
)
def test_names_and_cells_are_the_published_ones() -> None:
    published = {
        (one["class"], one["intensity"], one["name"])
        for one in json.loads(NAMES.read_text())
    }
    assert {
        (lever.perturbation.value, lever.intensity.value, lever.name)
        for lever in LEVERS
    } == published


def test_each_lever_fits_its_example_and_that_keeps_the_candidates_rules() -> None:
    cases = {lever: case_of(lever) for lever in LEVERS}
    assert {
        lever.name: candidate_problems(slot, made, [lever])
        for lever, (slot, made) in cases.items()
    } == {lever.name: {} for lever in LEVERS}
    assert [
        lever.name
        for lever, (slot, _) in cases.items()
        if not applicable(lever, slot.base)
    ] == []


def test_a_ground_sentence_is_one_sentence_behind_a_passage_that_stays() -> None:
    grounded = [
        lever
        for lever in LEVERS
        if lever.ground and lever.example.after.context != lever.example.before.context
    ]
    assert len(grounded) == 16
    for lever in grounded:
        _, candidate = case_of(lever)
        assert candidate.ungrounded == (lever.example.before.context,), lever.name
        assert candidate.ground_added.endswith("."), lever.name
    assert {
        lever.name for lever in LEVERS if "One exception" in target_of(lever, 1, ())
    } == {lever.name for lever in LEVERS if lever.ground}


def test_targets_follow_the_class() -> None:
    for lever in LEVERS:
        if lever.perturbation.value in ("P-Contradiction", "P-MissingInfo"):
            assert lever.single == "context", lever.name
        if lever.perturbation.value == "P-FalsePremise":
            assert (lever.single, lever.multi) == ("query", "query"), lever.name
        if lever.perturbation.value == "P-Ambiguity" and lever.intensity != "LOW":
            assert lever.single != "query", lever.name
        assert (lever.multi == "one_noise") is (
            lever.perturbation.value == "P-Contradiction"
        ), lever.name


def test_the_fate_of_the_answer_follows_from_class_and_intensity() -> None:
    by_cell: dict[tuple[str, str], set[str]] = {}
    for lever in LEVERS:
        if lever.name != "Temporal Paradox":
            by_cell.setdefault(
                (lever.perturbation.short, lever.intensity.value), set()
            ).add(lever.keeps)
    for (name, intensity), kept in by_cell.items():
        due = {
            "MissingInfo": "no",
            "GranularityMismatch": "any",
            "EpistemicMismatch": "any",
        }.get(name, "yes")
        assert kept == {"yes" if intensity == "LOW" else due}, (name, intensity)
    assert select_levers(LEVERS, names=["Temporal Paradox"])[0].keeps == "any"


def test_the_optional_fields_may_be_left_out() -> None:
    [plain] = read_levers(ONE.format(intensity="LOW"), "x")
    assert (plain.answers, plain.keeps, plain.ground, plain.accepted_alternatives) == (
        (),
        "yes",
        False,
        (),
    )
    [bare] = read_levers(
        ONE.format(intensity="LOW").replace(
            "multi: query", "multi: query\n  keeps_answer: 'no'"
        ),
        "x",
    )
    assert bare.keeps == "no"


def test_levers_are_filtered_by_class_intensity_and_name() -> None:
    assert len(select_levers(LEVERS, ["ambiguity"], ["high"])) == 10
    assert [lever.name for lever in select_levers(LEVERS, names=["table gap"])] == [
        "Table Gap"
    ]
    with pytest.raises(DataError, match="levers: unknown name 'Nope'"):
        select_levers(LEVERS, names=["Nope"])


def test_users_may_add_levers(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(ONE.format(intensity="LOW"))
    assert load_levers(str(path))[-1].name == "My Lever"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            ONE.format(intensity="HIGH"),
            "mine.yaml, lever 1, field 'the whole': .*REFUSE_AMBIGUOUS_QUERY follows",
        ),
        (
            ONE.format(intensity="LOW").replace("My Lever", "Table Gap"),
            "the name 'Table Gap' is taken",
        ),
        (
            ONE.format(intensity="LOW").replace(
                "multi: query", "multi: query\n  answers: [gold]"
            ),
            "field 'answers.0",
        ),
        (
            ONE.format(intensity="LOW").replace(
                "single: query", "single: context\n  ground: true"
            ),
            "ground: only where the lever acts on the question alone",
        ),
        (
            ONE.format(intensity="LOW").replace(
                "multi: query", "multi: query\n  accepted_alternatives: [REFUSE_OTHER]"
            ),
            "accepted_alternatives: REFUSE_OTHER is no other refusal code",
        ),
        ("- [", "not valid YAML"),
    ],
)
def test_a_bad_lever_file_names_lever_and_field(
    tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(DataError, match=problem):
        load_levers(str(path))
    with pytest.raises(DataError, match="no such file"):
        load_levers(str(tmp_path / "none.yaml"))
