"""When a term counts: by the words around it in its sentence."""

import pytest

from refusalbench_tasks.replies.normal_words import normal_words
from refusalbench_tasks.replies.term_rules import Around, Context, TermRule

PAPER = frozenset({"page", "text", "#"})
SAYS = frozenset({"says"})


def reach(rule: TermRule, text: str) -> int | None:
    """Return how far the term "silent" reaches in a text."""
    words = normal_words(text)
    at = words.index("silent")
    return rule.reach(Around(words, at, at + 1))


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("Page 3 is silent.", True),
        ("Item 3 is silent.", True),
        ("He is silent.", False),
        ("Page 3. He is silent.", False),
        ("The page of the day before it is silent.", False),
    ],
)
def test_what_it_needs_stands_within_the_window_of_its_sentence(
    text: str, counts: bool
) -> None:
    rule = TermRule("x", needs=(Context("before", (PAPER,), within=3),))
    assert (reach(rule, text) is not None) is counts


def test_only_all_contexts_of_a_group_together_hinder_it() -> None:
    before = Context("before", (PAPER,), within=3)
    after = Context("after", (SAYS,), within=3)
    rule = TermRule("x", unless=((before, after),))
    assert reach(rule, "The text is silent.") == 0
    assert reach(rule, "He is silent, he says.") == 0
    assert reach(rule, "The text is silent, he says.") is None


def test_a_search_ends_at_a_stop_and_where_no_word_may_be_crossed() -> None:
    crossing = Context("before", (PAPER,), within=5, across=frozenset({"is"}))
    assert reach(TermRule("x", needs=(crossing,)), "The text is silent.") == 0
    assert reach(TermRule("x", needs=(crossing,)), "The text was silent.") is None
    stopped = Context("before", (PAPER,), within=5, stops=frozenset({"he"}))
    assert reach(TermRule("x", needs=(stopped,)), "The text: he is silent.") is None


def test_it_reaches_through_steps_that_follow_one_another() -> None:
    through = Context("after", (SAYS, PAPER), within=4)
    rule = TermRule("x", through=through)
    assert reach(rule, "He is silent and says page 3.") == 3
    assert reach(rule, "He is silent on the text.") is None
    assert not rule.unconditional
    assert TermRule("x").unconditional
