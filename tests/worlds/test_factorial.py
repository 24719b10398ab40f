"""The design of made sources: eight cells a question, in pairs of one factor."""

from collections import Counter

from refusalbench_tasks.datasets.bluff_item import FACTORS
from refusalbench_tasks.worlds.factorial import DesignCell, question_plan


def test_a_question_has_each_cell_once_in_pairs_that_differ_in_one_factor() -> None:
    for index in range(6):
        due = question_plan(index)
        pairs = due.pairs()
        assert len({cell for pair in pairs for cell in pair}) == 8
        for clear, ambiguous in pairs:
            assert [
                name
                for name in FACTORS
                if getattr(clear, name) != getattr(ambiguous, name)
            ] == [due.arm]
            assert getattr(ambiguous, due.arm)
    assert question_plan(0).pairs()[0] == (
        DesignCell(False, False, False),
        DesignCell(True, False, False),
    )


def test_seventy_two_questions_are_balanced() -> None:
    plans = [question_plan(index) for index in range(72)]
    for name in ("arm", "gap", "rival", "wording"):
        counts = Counter(getattr(one, name) for one in plans)
        assert len(set(counts.values())) == 1, name
    for gap in ("missing", "vague"):
        assert Counter(one.dated for one in plans if one.gap == gap) == {
            "fresh": 12,
            "stale": 12,
        }
    # by no two of them together one could be told from the other
    for first, second in (
        ("arm", "gap"),
        ("gap", "rival"),
        ("rival", "wording"),
        ("arm", "wording"),
    ):
        both = Counter((getattr(one, first), getattr(one, second)) for one in plans)
        assert len(set(both.values())) == 1, (first, second)
