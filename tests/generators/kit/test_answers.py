"""What kind an answer is, and whether a text gives it, by words and
typed values alone.
"""

import pytest

from refusalbench_tasks.generators.kit.answers import (
    AnswerType,
    alias_stands_in,
    answer_type,
    any_stands,
    gives_gold,
    same_words,
    word_key,
)


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        ("Who built it?", "Ines Dorrach", "person"),
        ("Where is it?", "Merrow Quay", "place"),
        ("When did it open?", "1893", "date"),
        ("How many were there?", "1893", "amount"),
        ("How long did it last?", "two years", "duration"),
        ("What does it cost?", "$40", "money"),
        ("What part of them left?", "40%", "share"),
        ("What time does it open?", "9:30 am", "time"),
        ("Is it open?", "yes", "yes or no"),
        ("Why did it close?", "a burst pipe", "cause"),
        ("How was it moved?", "by barge", "manner"),
        ("What is the ship called?", "The Salt Ledger", "name"),
        ("What is it made of?", "granite", "other"),
        ("Wie hoch ist der Turm?", "31 Meter", "amount"),
        ("", "", "other"),
    ],
)
def test_the_kind_of_an_answer(question: str, answer: str, kind: AnswerType) -> None:
    assert answer_type(question, [answer]) == kind


@pytest.mark.parametrize(
    ("answer", "aliases", "gold"),
    [
        ("It was Nikola Tesla.", ["Nikola Tesla"], True),
        ("Tesla", ["Nikola Tesla"], True),
        ("on", ["on the road"], None),
        ("1,400 metres", ["1.4 km"], True),
        ("June 14, 1893", ["14 June 1893"], True),
        ("1901", ["1893"], False),
        ("400 pounds", ["180 kg"], None),
        ("no", ["yes"], False),
        ("the mayor", ["Ines Dorrach"], None),
        ("", ["x"], None),
    ],
)
def test_whether_an_answer_is_the_gold_one(
    answer: str, aliases: list[str], gold: bool | None
) -> None:
    assert gives_gold(answer, aliases) is gold


@pytest.mark.parametrize(
    ("alias", "text", "stands"),
    [
        ("180 kg", "The bell weighs 180 kilograms.", True),
        ("Merrow Quay", "It is set in MERROW QUAY, a town.", True),
        ("12", "There were 120 of them.", False),
        ("the Lark", "A larkspur grew there.", False),
    ],
)
def test_whether_an_answer_stands_in_a_text(
    alias: str, text: str, stands: bool
) -> None:
    assert (
        alias_stands_in([alias], text)
        is any_stands(["Nothing.", text], [alias])
        is stands
    )


def test_texts_are_one_by_their_words_alone() -> None:
    assert same_words("“It’s  so.”", '"It\'s so"')
    assert not same_words("It is so", "It is not so")
    assert word_key("A b.", "C") == word_key("a B", "c!") != word_key("a b c")
