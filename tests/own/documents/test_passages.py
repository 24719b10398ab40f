from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.corpus.words import word_count
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.documents.formats import markdown_document
from refusalbench_tasks.own.documents.passages import DocumentSettings, passages

SMALL = DocumentSettings(least=8, most=16, shortest=3)


def texts(
    markdown: str, lengths: DocumentSettings = SMALL
) -> list[tuple[tuple[str, ...], str]]:
    document = markdown_document(markdown)
    return [
        (one.headings, document.text[one.start : one.end])
        for one in passages(document, lengths)
        if not one.dropped
    ]


def test_no_passage_that_is_long_enough_crosses_a_heading() -> None:
    written = (
        "Before all of it.\n\n# A *b* [c](d)\n\nOne two three.\n\n## C\n\nFour five"
        " six.\n\n# D\n\nSeven eight nine."
    )
    assert texts(written) == [
        ((), "Before all of it."),
        (("A b c",), "One two three."),
        (("A b c", "C"), "Four five six."),
        (("D",), "Seven eight nine."),
    ]


def test_what_looks_like_a_heading_in_a_block_of_code_is_none() -> None:
    assert texts("Title\n=====\n\n```\n# no heading here\n```\n")[0][0] == ("Title",)


def test_a_short_rest_is_joined_to_its_neighbour() -> None:
    paragraphs = ["one two three four five six seven eight", "nine ten eleven"]
    assert [text for _, text in texts("\n\n".join(paragraphs))] == [
        "\n\n".join(paragraphs)
    ]


def test_a_front_matter_is_no_text() -> None:
    document = markdown_document(
        "---\ntitle: Mills\nlicense: MIT\n---\nThe mill is old."
    )
    assert (document.title, document.licence) == ("Mills", "MIT")
    assert texts("---\ntitle: Mills\n---\nThe mill is old.") == [
        ((), "The mill is old.")
    ]
    assert markdown_document("---\n[1, 2]: {\n---\nThe mill.").body == 0


def test_what_is_dropped_is_counted() -> None:
    contents = "".join(f"{k} A chapter of it ........ {k}\n" for k in range(1, 5))
    document = markdown_document(
        f"# B\n\n{contents}\n# C\n\n## D\n\n## E\n\nTwo words.\n\n# F\n"
    )
    found = passages(document, SMALL)
    alone = "a heading without text"
    assert [one.dropped for one in found] == ["table of contents", alone, "", alone]
    assert [document.text[one.start : one.end].strip() for one in found[1:]] == [
        "## D",
        "Two words.",
        "# F",
    ]


LONG = "one two three four five six seven eight nine ten"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        # to the one before, or else to the one behind; what stands between is in the
        # text
        (f"# A\n\n{LONG}\n\n# B\n\nUp.", [(("A",), f"{LONG}\n\n# B\n\nUp.")]),
        (f"# A\n\nUp.\n\n# B\n\n{LONG}", [(("A",), f"Up.\n\n# B\n\n{LONG}")]),
        # alone where it does not fit, or has no neighbour
        (
            f"# A\n\n{LONG} {LONG[:18]}\n\n# B\n\nUp.",
            [(("A",), f"{LONG} {LONG[:18]}"), (("B",), "Up.")],
        ),
        ("# A\n\nUp.", [(("A",), "Up.")]),
        (
            "# Is it up?\n\nUp.\n\n# B\n\nDown.",
            [(("Is it up?",), "Up."), (("B",), "Down.")],
        ),
    ],
)
def test_a_short_section_is_joined_to_a_neighbour_and_never_lost(
    written: str, expected: list[tuple[tuple[str, ...], str]]
) -> None:
    assert texts(written) == expected


def test_the_answer_of_an_faq_is_one_passage_however_short() -> None:
    faq = (
        "# When is it open?\n\nAt nine.\n\n# **May I smoke?**\n\nNo.\n\n#"
        " Fees\n\nNone.\n"
    )
    assert texts(faq) == [
        (("When is it open?",), "At nine."),
        (("May I smoke?",), "No."),
        (("Fees",), "None."),
    ]
    lines = "Q: Who mends it?\nThe guild."
    assert texts(f"{lines}\n# Fees\n\nNone.", DocumentSettings(8, 16, 7)) == [
        ((), lines),
        (("Fees",), "None."),
    ]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 20)), max_size=8),
    st.integers(1, 6),
)
def test_every_word_of_a_document_is_in_a_passage_or_named(
    parts: list[tuple[int, int]], shortest: int
) -> None:
    written = "\n\n".join(
        f"{'#' * level} h{k}\n\n{' '.join(f'w{k}x{j}' for j in range(number))}"
        for k, (level, number) in enumerate(parts)
    )
    document = markdown_document(written)
    found = passages(document, DocumentSettings(8, 16, shortest))
    shown = " ".join(
        " ".join((*one.headings, document.text[one.start : one.end])) for one in found
    )
    assert set(written.replace("#", " ").split()) <= set(
        shown.replace("#", " ").split()
    )


@settings(max_examples=60, deadline=None)
@given(st.text("ab .!\n#-|水\u00a0\u2028é*`[", max_size=400), st.integers(1, 6))
def test_passages_are_disjoint_spans_within_their_length(text: str, most: int) -> None:
    lengths = DocumentSettings(max(1, most // 2), most, 1)
    document = markdown_document(text)
    found = passages(document, lengths)
    assert all(one.end <= other.start for one, other in pairwise(found))
    for one in (one for one in found if not one.dropped):
        part = document.text[one.start : one.end]
        assert part == part.strip() != ""
        # a word that has no spaces may be longer, and signs alone are no words beside
        # another script
        assert word_count(f"\u00a0{part}") <= most or len(part.split()) == 1


@pytest.mark.parametrize(
    "lengths",
    [
        DocumentSettings(0, 1, 1),
        DocumentSettings(10, 5, 1),
        DocumentSettings(10, 20, 11),
        DocumentSettings(5, 9, 0),
    ],
)
def test_lengths_must_rise(lengths: DocumentSettings) -> None:
    with pytest.raises(DataError, match="shortest <= least <= most"):
        lengths.check()


def test_words_are_counted_in_any_script() -> None:
    assert word_count("The mill – it's old.") == 4
    assert word_count("水車小屋 is five") == 2 + 2
