"""Rows as a page that people read."""

from pathlib import Path

from refusalbench_tasks.worlds.rows import row, rows
from refusalbench_tasks.worlds.specimens import specimens


def test_a_row_shows_its_question_label_answers_and_passage() -> None:
    made = row(7, 0)
    page = specimens([made])
    assert page.startswith("# Items of worlds\n")
    assert "\n## RBW7.7.0.0\n" in page
    assert f"`{made['expected_rag_behavior']}`" in page
    assert made["lever_selected"] in page
    for field in ("perturbed_query", "perturbed_context"):
        assert "".join(made[field].split()) in "".join(page.split())


def test_ten_passages_are_all_shown() -> None:
    made = row(7, 1, layout="grounding")
    page = "".join(specimens([made]).split())
    assert all("".join(one["text"].split()) in page for one in made["grounding"])


def test_the_page_of_the_documentation_is_what_is_made() -> None:
    page = Path(__file__).parents[2] / "docs" / "worlds-items.md"
    assert page.read_text(encoding="utf-8") == specimens(rows(7, 0, 32))
