"""Terms of a list that are written with sets and contexts."""

from refusalbench_tasks.replies.term_patterns import Patterns
from refusalbench_tasks.replies.term_rules import TermRule

PATTERNS = Patterns(
    {
        "sets": {
            "negation": ["not", "never"],
            "no": ["{negation}", "hardly"],
            "paper": ["text", "page", "#"],
        },
        "contexts": {
            "paper_before": {"before": "paper", "within": 3},
            "not_after": {"after": ["negation", "no"], "within": 4},
        },
    }
)


def test_a_term_stands_for_each_choice_from_its_sets() -> None:
    assert list(PATTERNS.expanded(["{no} {negation?} sure"])) == [
        "not not sure",
        "not never sure",
        "not sure",
        "never not sure",
        "never never sure",
        "never sure",
        "hardly not sure",
        "hardly never sure",
        "hardly sure",
    ]


def test_a_group_states_what_its_terms_share() -> None:
    group = {
        "terms": ["silent", "mute"],
        "strength": 1,
        "needs": "paper_before",
        "unless": "not_after",
    }
    [(plain, rule), (_, shared), (_, again)] = PATTERNS.rules("x", ["perhaps", group])
    assert (plain, rule) == ("perhaps", TermRule("x"))
    assert shared == again
    assert shared.strength == 1
