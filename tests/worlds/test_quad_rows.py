"""Rows of crossed quads: what they hold, and that nothing but reading question and
passage together tells them.
"""

from collections import Counter
from itertools import product
from typing import Any

import pytest

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass, expected_label
from refusalbench_tasks.worlds.defects import DEFECTS, OPINION
from refusalbench_tasks.worlds.document import DOCUMENTS, DOMAINS
from refusalbench_tasks.worlds.quad import VERSION, make_quad
from refusalbench_tasks.worlds.quad_rows import row, rows

SEED = 31
NUMBER = 1_560
GRADES = (Intensity.LOW, Intensity.MEDIUM, Intensity.HIGH)
Row = dict[str, Any]


@pytest.fixture(scope="module")
def made() -> list[Row]:
    return list(rows(SEED, 0, NUMBER, DOMAINS))


@pytest.fixture(scope="module")
def ten() -> list[Row]:
    return list(rows(SEED, 0, 240, layout="grounding"))


def quads_of(made: list[Row]) -> list[list[Row]]:
    return [made[start : start + 4] for start in range(0, len(made), 4)]


def test_ids_name_the_version_the_seed_and_the_place(made: list[Row]) -> None:
    assert [item["id"] for item in made] == [
        f"{VERSION}.{SEED}.{k // 4}.{k % 4}" for k in range(NUMBER)
    ]
    assert [item["source_id"] for item in made[:8]] == [f"{VERSION}.{SEED}.0"] * 4 + [
        f"{VERSION}.{SEED}.1"
    ] * 4
    assert [item["pair_id"] for item in made[:4]] == [
        f"{VERSION}.{SEED}.0.{pair}" for pair in (0, 0, 1, 1)
    ]


def test_a_row_needs_no_other_row(made: list[Row], ten: list[Row]) -> None:
    for place in (1_337, 402, 3, 1_338):
        assert row(SEED, place, DOMAINS) == made[place]
    assert row(SEED, 201, layout="grounding") == ten[201]
    assert list(rows(SEED, 700, 704, DOMAINS)) == made[700:704]
    assert (
        row(SEED + 1, 3, DOMAINS)["perturbed_context"] != made[3]["perturbed_context"]
    )


def test_every_class_at_every_intensity_has_rows_with_the_label_of_both(
    made: list[Row],
) -> None:
    cells = Counter((item["perturbation_class"], item["intensity"]) for item in made)
    assert set(cells) == {
        (one.value, grade.value) for one, grade in product(PerturbationClass, GRADES)
    }
    by_class = Counter(item["perturbation_class"] for item in made)
    assert set(by_class.values()) == {NUMBER // 6}
    for item in made:
        due = expected_label(
            PerturbationClass(item["perturbation_class"]), Intensity(item["intensity"])
        )
        assert item["expected_rag_behavior"] == due.value
        assert item["lever_selected"]


def test_any_run_of_quads_has_every_defect_and_every_kind_of_document(
    made: list[Row],
) -> None:
    defects = Counter(
        make_quad(SEED, index, DOMAINS).defect.name for index in range(NUMBER // 4)
    )
    assert set(defects) == {one.name for one in (*DEFECTS, OPINION)}
    assert {item["domain"] for item in made} == set(DOMAINS)
    assert {item["knobs"]["layout"] for item in made} >= {
        "table",
        "faq",
        "letter",
        "log",
        "clauses",
        "notes",
        "lines",
    }
    assert {item["knobs"]["handle"] for item in made} == {"yes", "no"}
    assert {item["knobs"]["bystanders"] for item in made} == {1, 2, 3}


def test_two_questions_by_two_passages_are_answerable_crosswise(
    made: list[Row],
) -> None:
    for quad in quads_of(made):
        questions = [item["perturbed_query"] for item in quad]
        passages = [item["perturbed_context"] for item in quad]
        answerable = [
            item["expected_rag_behavior"] == "ANSWER_CORRECTLY" for item in quad
        ]
        assert sum(answerable) == 2
        if quad[0]["intrinsic"]:
            assert answerable == [True, False, True, False]
            continue
        assert answerable == [True, False, False, True]
        assert questions[0] == questions[1] != questions[2] == questions[3]
        assert passages[0] == passages[2] != passages[1] == passages[3]
        # the same question about two things
        words = [set(question.split()) for question in (questions[0], questions[2])]
        assert max(len(words[0] - words[1]), len(words[1] - words[0])) <= 1
        assert quad[0]["original_answers"] == quad[1]["original_answers"]


def test_the_evidence_stands_in_the_passage(made: list[Row]) -> None:
    for item in made:
        assert all(line in item["perturbed_context"] for line in item["evidence"])
    assert sum(bool(item["evidence"]) for item in made) > 0.95 * len(made)


def test_questions_that_reveal_their_label_are_marked_and_left_out(
    made: list[Row],
) -> None:
    assert not any(item["intrinsic"] for item in rows(SEED, 0, 480))
    intrinsic = [item for item in made if item["intrinsic"]]
    assert (
        {item["domain"] for item in intrinsic}
        == {"opinions"}
        != {item["domain"] for item in made}
    )
    assert {item["perturbation_class"] for item in intrinsic} == {"P-EpistemicMismatch"}


def test_nine_of_ten_passages_name_the_asked_thing_and_do_not_answer(
    ten: list[Row],
) -> None:
    named = 0
    noise = 0
    longer = 0
    for item in ten:
        (signal,) = item["signal_indices"]
        texts = [one["text"] for one in item["grounding"]]
        assert len(texts) == 10
        quad = make_quad(SEED, int(item["id"].split(".")[2]), DOCUMENTS)
        cell = quad.cells[int(item["id"].split(".")[3])]
        assert texts[signal] == cell.passage.text
        others = texts[:signal] + texts[signal + 1 :]
        named += sum(cell.ask.name in text for text in others)
        noise += len(others)
        longer += sum(len(text.split()) > len(texts[signal].split()) for text in others)
    assert named / noise > 0.8
    # lengths don't tell: the chance that a noise passage is the longer one
    assert 0.4 < longer / noise < 0.6
    assert len({item["signal_indices"][0] for item in ten}) == 10


@pytest.mark.parametrize(
    ("domains", "index", "told"), [(("halls", "moon"), 0, "'moon'"), ((), -1, "not -1")]
)
def test_unknown_domains_and_negative_rows_are_errors(
    domains: tuple[str, ...], index: int, told: str
) -> None:
    with pytest.raises(DataError, match=told):
        row(0, index, domains)
