"""How many words a text has."""

import pytest

from refusalbench_tasks.corpus.words import word_count


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("two words", 2),
        ("zwölf Boxkämpfer — jagen", 3),
        ("水車小屋", 2),
        ("水車小 x", 3),
    ],
)
def test_words_are_counted_in_any_script(text: str, words: int) -> None:
    assert word_count(text) == words
