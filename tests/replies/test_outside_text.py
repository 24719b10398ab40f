"""Outside text in one line, and harmless where a terminal shows it."""

import pytest

from refusalbench_tasks.replies.outside_text import one_line, printable


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[2J",
        "\x9b2J",
        "a\rb",
        "a\nb",
        "\u202eb",
        "\u2028",
        "\x00",
        "\ud800",
        "\x7f",
    ],
)
def test_what_moves_the_cursor_or_forges_a_line_is_a_space(text: str) -> None:
    assert one_line(f"a{text}b").isprintable()
    assert one_line(f"a{text}b").startswith("a")


def test_words_keep_the_joiners_that_they_are_spelled_with() -> None:
    for word in ("می\u200cخواهم", "क\u094d\u200dष", "Donau\u00addampf"):
        assert one_line(f" {word}\n") == word


def test_lines_stay_where_a_text_has_several() -> None:
    assert printable("a  b\n\x1bc") == "a  b\n c"
