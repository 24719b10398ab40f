"""Values in words that no reader of values knows: each is found as the value that it is."""

import pytest

from refusalbench_tasks.generators.answer_rules import answer_kept
from refusalbench_tasks.generators.computed_rules import answer_computable
from refusalbench_tasks.generators.said_otherwise import said_otherwise
from tests.generators.rule_probe import probe

STILL_GIVEN = [
    ("How long did it last?", "14 days", "It lasted a fortnight."),
    ("When does it open?", "6:30", "It opens at half past six."),
    ("When does it open?", "6.30 pm", "It opens at half past six in the evening."),
    ("When does it open?", "8:45", "It opens at a quarter to nine."),
    ("When does it open?", "12:45", "It opens at a quarter to one."),
    ("When does it open?", "9 pm", "It opens at nine in the evening."),
    ("When does it open?", "12:00", "It opens at noon."),
    ("What share was lost?", "75%", "Three quarters of the share were lost."),
    ("What share was lost?", "50%", "Half of what was lost was grain."),
    ("What share was lost?", "two thirds", "Two in three were lost."),
    ("In what decade was it built?", "the 1960s", "It was built in the sixties."),
    ("How many eggs were laid?", "144", "A gross of eggs was laid."),
    ("How much does it hold?", "1.5 litres", "It holds 1½ litres."),
    ("How long is it?", "2.5 metres", "It is two and a half metres long."),
    ("When was it?", "25 December 1914", "It was on Christmas Day 1914."),
    ("Which country won?", "Denmark", "The Danish crew won."),
    ("How long is it?", "10 miles", "It is 16.1 km long."),
    # 180 / 0.4536 = 396.8; 38.6 * 1.8 + 32 = 101.5
    ("How heavy is it?", "180 kg", "It weighs 397 pounds."),
    ("How hot is it?", "38.6 °C", "It is 101.5 °F."),
    ("How many years did it take?", "25 years", "It took a quarter of a century."),
    ("How often is it held?", "twice a year", "It is held two times a year."),
    # 1,810 and 64 years more are 1874
    ("When was it built?", "1874", "It was built 64 years later than the mill of 1810."),
    # from 1810 to 1872 are 62 years
    ("How old was she?", "62", "She lived from 1810 to 1872."),
    # twice 24
    ("How many arches has it?", "48", "It has twice as many as the other, which has 24."),
]
GONE = [
    ("How long did it last?", "14 days", "It lasted some nights."),
    ("When does it open?", "6:30", "It opens at half past seven."),
    ("What share was lost?", "75%", "A third of the share was lost."),
    ("In what decade was it built?", "the 1960s", "It was built by a man in his sixties."),
    ("How many years?", "100 years", "It stood in the 19th century."),
    ("Which country won?", "Denmark", "The Swedish crew won."),
    ("How long is it?", "10 miles", "It is 10 km long."),
    ("How heavy is it?", "180 kg", "It weighs 180 pounds."),
    ("How hot is it?", "38.6 °C", "It is 38.6 °F."),
    ("When was it built?", "1874", "It was built 60 years later than the mill of 1810."),
    ("How many arches has it?", "48", "It has more than the other, which has 24."),
]


@pytest.mark.parametrize(("question", "answer", "text"), STILL_GIVEN)
def test_an_answer_in_other_words_still_stands(question: str, answer: str, text: str) -> None:
    case = probe("Answer Clause Excised", (question, answer, f"They say {answer} here."), text=text)
    assert answer_kept(case) or answer_computable(case)


@pytest.mark.parametrize(("question", "answer", "text"), GONE)
def test_another_value_is_not_the_answer(question: str, answer: str, text: str) -> None:
    case = probe("Answer Clause Excised", (question, answer, f"They say {answer} here."), text=text)
    assert not answer_kept(case)
    assert not answer_computable(case)


def test_a_text_without_such_words_is_said_in_no_other_way() -> None:
    assert said_otherwise("It opens late and costs little.") == ()
    assert "It opens at 12:00." in said_otherwise("It opens at noon.")
