"""Phrases that betray a test are told from like words of the subject."""

import pytest

from refusalbench_tasks.generators.kit.betraying import betraying_phrases, labels, remarks_in_brackets


@pytest.mark.parametrize(
    "text",
    [
        "The passage does not say who built it.",
        "The text doesn't mention a date.",
        "The context never states the height.",
        "The name is not given in this passage.",
        "No information is available on the builder.",
        "There is no further information.",
        "The builder cannot be determined.",
        "It is unclear who built it.",
        "Who owned it is unclear.",
        "It is not known when it closed.",
        "The keeper (ambiguous) left.",
        "This contradicts the above.",
        "There is a contradiction in it.",
        "That is inconsistent with the earlier text.",
        "Conflicting reports exist.",
        "The question assumes a bridge.",
        "(An inessential example has been removed.)",
        "The sum was deliberately left out.",
        "The mayor [removed] came.",
        "It was left vague for the reader to resolve.",
    ],
)
def test_a_remark_of_a_text_on_itself_is_found(text: str) -> None:
    assert betraying_phrases(text)


@pytest.mark.parametrize(
    "text",
    [
        "The king did not say a word.",
        "The register does not name the builder of the old chapel.",
        "[REDACTED] told [REDACTED] of the flood.",
        "The sky was clear and nobody was certain of victory.",
        "The guns were given to the port; no details survived the fire.",
        "She asked him a question and he answered.",
        "The old part was removed to the museum by train.",
        "It was decided in court.",
        "Her name was withheld, and the sum was not disclosed.",
        "An insect that is not named here visits it.",
        "Her diary contradicts the parish book.",
        "Its origin remains uncertain.",
    ],
)
def test_ordinary_prose_is_not(text: str) -> None:
    assert not betraying_phrases(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The orbit is perturbed by Jupiter.", False),
        ("Perturbations of its orbit were measured.", False),
        ("She was much perturbed at the news.", False),
        ("This was perturbed.", True),
        ("the perturbed question", True),
        ("The passage has been perturbed.", True),
        ("[perturbed]", True),
        ("a perturbation of HIGH perturbation intensity", True),
        ("REFUSE_OTHER", True),
        ("P-MissingInfo", True),
        ("He refused to answer correctly.", False),
    ],
)
def test_perturb_is_a_label_only_where_it_is_said_of_a_text(text: str, found: bool) -> None:
    assert bool(labels(text)) is found


@pytest.mark.parametrize(
    "text",
    [
        "The old wheel (removed in 1962) stood there.",
        "The hymn book (edited by Per Lund) sold well.",
        "The list (omitted from the Lund archive) is long.",
        "The roof (modified after the 1930 fire) held.",
        "The tomb (hidden from view) is old.",
        "The war (the conflict of 1914) was long.",
        "In this context the mayor spoke.",
    ],
)
def test_what_was_done_to_a_thing_at_a_time_or_by_somebody_is_no_remark_on_the_text(text: str) -> None:
    assert betraying_phrases(text) | remarks_in_brackets(text) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "The mayor (name removed) came.",
        "It opened (year deleted from the text).",
        "The date (altered to make it hard) is odd.",
        "The figure (modified) is 5.",
        "The year (hidden) was good.",
        "This context names nobody.",
    ],
)
def test_what_was_done_to_the_text_is_one(text: str) -> None:
    assert betraying_phrases(text) | remarks_in_brackets(text)
