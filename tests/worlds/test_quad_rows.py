"""Rows of crossed quads: what they hold, and that nothing but reading question and
passage together tells them.
"""

from collections import Counter
from itertools import product

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass, expected_label
from refusalbench_tasks.worlds.document import DOCUMENTS, DOMAINS
from refusalbench_tasks.worlds.quad import HARD, VERSION, make_quad
from refusalbench_tasks.worlds.quad_rows import quad_rows, row, version_of
from tests.worlds.conftest import NUMBER, SEED, Row

GRADES = (Intensity.LOW, Intensity.MEDIUM, Intensity.HIGH)


def test_ids_name_the_version_the_seed_and_the_place(crossed_rows: list[Row]) -> None:
    assert [item["id"] for item in crossed_rows] == [
        f"{VERSION}.{SEED}.{k // 4}.{k % 4}" for k in range(NUMBER)
    ]
    assert [item["source_id"] for item in crossed_rows[:8]] == [
        f"{VERSION}.{SEED}.0"
    ] * 4 + [f"{VERSION}.{SEED}.1"] * 4
    assert [item["pair_id"] for item in crossed_rows[:4]] == [
        f"{VERSION}.{SEED}.0.{pair}" for pair in (0, 0, 1, 1)
    ]


def test_a_row_needs_no_other_row(
    crossed_rows: list[Row], ten_passage_rows: list[Row]
) -> None:
    for place in (1_337, 402, 3, 1_338):
        assert row(SEED, place, DOMAINS) == crossed_rows[place]
    assert row(SEED, 201, layout="grounding") == ten_passage_rows[201]
    assert list(quad_rows(SEED, 700, 704, DOMAINS)) == crossed_rows[700:704]
    assert (
        row(SEED + 1, 3, DOMAINS)["perturbed_context"]
        != crossed_rows[3]["perturbed_context"]
    )


def test_a_hard_row_takes_two_steps_through_an_index_of_five_things() -> None:
    for position in range(48):
        item = row(SEED, position, layout="hard")
        assert item["id"].startswith(f"{version_of('hard')}.")
        assert not item["id"].startswith(f"{VERSION}.")
        assert len(item["grounding"]) == 10
        (signal,) = item["signal_indices"]
        quad = make_quad(SEED, position // 4, DOCUMENTS, HARD)
        cell = quad.cells[position % 4]
        text = item["grounding"][signal]["text"]
        assert text == cell.passage.text
        assert len(quad.world.names) == 5
        # what an entry states stands in no line of the index
        index = [line for line in text.split("\n") if len(line.split()) <= 6]
        assert all(any(name in line for line in index) for name in quad.world.names)


def test_every_class_at_every_intensity_has_rows_with_the_label_of_both(
    crossed_rows: list[Row],
) -> None:
    cells = Counter(
        (item["perturbation_class"], item["intensity"]) for item in crossed_rows
    )
    assert set(cells) == {
        (one.value, grade.value) for one, grade in product(PerturbationClass, GRADES)
    }
    by_class = Counter(item["perturbation_class"] for item in crossed_rows)
    assert set(by_class.values()) == {NUMBER // 6}
    for item in crossed_rows:
        due = expected_label(
            PerturbationClass(item["perturbation_class"]), Intensity(item["intensity"])
        )
        assert item["expected_rag_behavior"] == due.value
        assert item["lever_selected"]


def test_questions_that_reveal_their_label_are_marked_and_left_out(
    crossed_rows: list[Row],
) -> None:
    assert not any(item["intrinsic"] for item in quad_rows(SEED, 0, 480))
    intrinsic = [item for item in crossed_rows if item["intrinsic"]]
    assert (
        {item["domain"] for item in intrinsic}
        == {"opinions"}
        != {item["domain"] for item in crossed_rows}
    )
    assert {item["perturbation_class"] for item in intrinsic} == {"P-EpistemicMismatch"}


@pytest.mark.parametrize(
    ("domains", "index", "told"), [(("halls", "moon"), 0, "'moon'"), ((), -1, "not -1")]
)
def test_unknown_domains_and_negative_rows_are_errors(
    domains: tuple[str, ...], index: int, told: str
) -> None:
    with pytest.raises(DataError, match=told):
        row(0, index, domains)
