"""Rewordings are told from changes, as far as words go."""

import pytest

from refusalbench_tasks.generators.rewording import nothing_new, only_reworded, same_words


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("Who built the mill?", "By whom was the mill built?", True),
        ("Who built the mill?", "Who was the builder of the mill?", True),
        ("Who built the mill?", "Which person constructed the mill?", True),
        ("When was it lit?", "In which year was it lit?", True),
        ("How many men fell?", "What was the number of men that fell?", True),
        ("Who built the mill?", "Who sold the mill?", False),
        ("Who built the mill?", "Who built the floating mill?", False),
        ("Who built the mill?", "Should the mill have been built?", False),
        ("Who built the mill?", "Who built the mill first?", False),
    ],
)
def test_questions(old: str, new: str, same: bool) -> None:
    assert only_reworded(old, new) is same


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("It was built in 1820.", "It was constructed in 1820.", True),
        ("It was built in 1820 by Brandt.", "Brandt built it.", True),
        ("It was built in 1820.", "It was built in 1820 and in 1830.", False),
        ("Lund hired Brandt.", "Lund hired Brandt, or Brandt hired Lund.", False),
        ("It is old.", "It is old. It is not old.", False),
    ],
)
def test_passages(old: str, new: str, same: bool) -> None:
    assert nothing_new(old, new) is same


def test_the_same_words_in_another_order() -> None:
    assert same_words("When was Brandt mayor of Lemm?", "Brandt was mayor of Lemm when?")
    assert not same_words("When was Brandt mayor?", "When was he mayor?")
