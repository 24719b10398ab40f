"""The defects: every one has its turn, and stands for a published lever."""

from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.worlds.defects import defects
from refusalbench_tasks.worlds.document import DOMAINS
from refusalbench_tasks.worlds.quad import make_quad
from tests.worlds.conftest import NUMBER, SEED, Row


def test_any_run_of_quads_has_every_defect_and_every_kind_of_document(
    crossed_rows: list[Row],
) -> None:
    names = {
        make_quad(SEED, index, DOMAINS).defect.name for index in range(NUMBER // 4)
    }
    assert names == set(defects())
    assert {item["domain"] for item in crossed_rows} == set(DOMAINS)
    assert {item["knobs"]["layout"] for item in crossed_rows} >= {
        "table",
        "faq",
        "letter",
        "log",
        "clauses",
        "notes",
        "lines",
    }
    assert {item["knobs"]["handle"] for item in crossed_rows} == {"yes", "no"}
    assert {item["knobs"]["bystanders"] for item in crossed_rows} == {1, 2, 3}


def test_levers_are_published_ones_of_their_class_and_intensity(
    crossed_rows: list[Row],
) -> None:
    published = {
        (lever.perturbation.value, lever.intensity.value, lever.name)
        for lever in bundled_levers()
    }
    for row in crossed_rows:
        stated = (
            row["perturbation_class"],
            row["intensity"],
            row["lever_selected"],
        )
        assert stated in published
