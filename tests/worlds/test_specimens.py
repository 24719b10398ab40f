"""Rows as a page that people read."""

from refusalbench_tasks.worlds.rows import row
from refusalbench_tasks.worlds.specimens import specimens


def test_a_row_shows_its_question_label_answers_and_passage() -> None:
    made = row(7, 0)
    page = specimens([made])
    assert page.startswith("# Items of worlds\n\n## RBW1.7.0.0\n")
    assert f"`{made['expected_rag_behavior']}`" in page
    assert made["lever_selected"] in page
    for field in ("perturbed_query", "perturbed_context"):
        assert "".join(made[field].split()) in "".join(page.split())


def test_ten_passages_are_all_shown() -> None:
    made = row(7, 1, layout="grounding")
    page = "".join(specimens([made]).split())
    assert all("".join(one["text"].split()) in page for one in made["grounding"])
