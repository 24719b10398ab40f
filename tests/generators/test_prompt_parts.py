"""How changes are shown."""

from refusalbench_tasks.generators.prompt_parts import changed_passages, word_changes


def test_changes_have_a_few_words_around_them() -> None:
    before = "one two three four five six seven eight nine ten eleven twelve"
    after = before.replace("six", "6")
    assert word_changes(before, after) == [
        (
            "two three four five six seven eight nine ten",
            "two three four five 6 seven eight nine ten",
        )
    ]
    assert word_changes(before, before) == []
    assert word_changes("", "new") == [("(nothing)", "new")]


def test_of_several_passages_the_changed_ones_are_shown_by_number() -> None:
    assert changed_passages(["a", "b"], ["a", "c"]) == "[2] c"
    assert changed_passages(["a", "b"], ["a", "b"]) == "(none)"
    assert changed_passages(["a"], ["a"]) == "(as in the original)"
    assert changed_passages(["a"], ["b"]) == "b"
