"""What kind of thing an answer is, labelled by hand on questions as people ask them."""

import pytest

from refusalbench_tasks.generators.kit.answer_kind import AnswerKind, answer_kind

K = AnswerKind
CASES = [
    ("who sings the theme song of the midnight show", "Dana Brook", K.PERSON),
    ("Who published the first atlas of Orrin?", "Calder Row Press and Company", K.ORGANISATION),
    ("Which engineer designed the bridge?", "Lena Dorn", K.PERSON),
    ("who was the first king of the island", "Harald II", K.PERSON),
    ("Whose idea was the clock tower?", "the mayor", K.PERSON),
    ("when did the last steam train run", "4 March 1958", K.DATE),
    ("In which month is the fair held?", "October", K.DATE),
    ("when was the book published", "1997", K.YEAR),
    ("In what year did the library open?", "in 1931", K.YEAR),
    ("what decade did the band form in", "the 1960s", K.DATE),
    ("On which day does the market take place?", "Tuesday", K.DATE),
    ("when does the last bus leave", "22:47", K.CLOCK),
    ("what time does the library close", "9 pm", K.CLOCK),
    ("How many islands are there?", "1,200", K.COUNT),
    ("how many episodes are in season two", "22 episodes", K.COUNT),
    ("How many eggs does it lay?", "four", K.COUNT),
    ("what number did he wear", "23", K.COUNT),
    ("How wide is the mirror?", "2.4 metres", K.MEASURE),
    ("How heavy is the stone?", "412 kg", K.MEASURE),
    ("how hot is the spring", "38.6 °C", K.MEASURE),
    ("What is the area of the park?", "12 square kilometres", K.MEASURE),
    ("How long does the crossing take?", "25 minutes", K.DURATION),
    ("how long did the war last", "six years", K.DURATION),
    ("How much did the bridge cost?", "3.2 million crowns", K.MONEY),
    ("what did they pay for the painting", "$450,000", K.MONEY),
    ("What was the price of the firm?", "318 million", K.MONEY),
    ("What share of the vote did she win?", "54 percent", K.SHARE),
    ("What charge does the fund levy?", "0.84%", K.SHARE),
    ("where is the cathedral of light", "Norwend", K.PLACE),
    ("In which village was she born?", "Lower Marran", K.PLACE),
    ("what is the capital of the province", "Tarvan", K.PLACE),
    ("Which company built the robot?", "Tarn Robotics", K.ORGANISATION),
    ("Which insect pollinates the orchid?", "dusk hawkmoth", K.THING),
    ("What does the ship bring every April?", "slate", K.THING),
    ("why did the arch collapse", "because crayfish had hollowed out its footing", K.CLAUSE),
    ("What must the operator do?", "keep the printed list on board", K.CLAUSE),
    ("who does may carter play in the film", "June Carter Cash", K.PERSON),
    ("Which river flows through the town?", "the Lisk", K.PLACE),
    ("What was the verdict?", "not guilty", K.THING),
]


@pytest.mark.parametrize(("question", "answer", "kind"), CASES)
def test_the_kind_of_an_answer(question: str, answer: str, kind: AnswerKind) -> None:
    assert answer_kind(question, (answer,)) is kind


def test_no_answer_is_a_clause() -> None:
    assert answer_kind("Who?", ()) is K.CLAUSE
    assert answer_kind("Who?", ("  ",)) is K.CLAUSE
