"""A short reply is right, wrong or left open, by the type of the gold answer; worked by hand for each type."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.short_replies.typed_answer import TYPES, Typed, typed_verdict
from refusalbench_tasks.worlds.values import ValueType

PASSAGE = (
    "The Brumum Tavern opened on 4 March 1987 at 14:30. Ms Glisia Kraral owns it; the Findova Arms, with 302 beds, "
    "belongs to Tandan Kestick, who is called Tan Kestick, and stands in Raldund. The tavern is in Wandorn. Its roof "
    "is green, that of the arms is dark red. It offers lost property, tool hire and a sauna."
)
GOLD = {
    "year": Typed("year", ("1987",), "In which year was the Brumum Tavern opened?", (PASSAGE,)),
    "date": Typed("date", ("4 March 1987",), "On what date was the Brumum Tavern opened?", (PASSAGE,)),
    "time": Typed("time", ("14:30",), "At what time did the Brumum Tavern open?", (PASSAGE,)),
    "count": Typed("count", ("1,302",), "How many beds does the Brumum Tavern have?", (PASSAGE,)),
    "money": Typed("money", ("14 talers", "14"), "What is the fee of the Brumum Tavern?", (PASSAGE,)),
    "measure": Typed("measure", ("1,400 metres", "1400"), "How long is the mountain tunnel?", (PASSAGE,)),
    "person": Typed("person", ("Glisia Kraral",), "Who owns the Brumum Tavern?", (PASSAGE,)),
    "place": Typed("place", ("Wandorn",), "In which village is the Brumum Tavern?", (PASSAGE,)),
    "kind": Typed("kind", ("green",), "What colour is the roof of the Brumum Tavern?", (PASSAGE,)),
    "flag": Typed("flag", ("no",), "Is the Brumum Tavern open on Sundays?", (PASSAGE,)),
    "names": Typed("names", ("lost property and tool hire",), "What does the Brumum Tavern offer?", (PASSAGE,)),
    "entity": Typed(
        "entity", ("the Findova Arms",), "Is the Findova Arms or the Brumum Tavern the inn with more beds?", (PASSAGE,)
    ),
}
RIGHT = {
    "year": "1987|In 1987.|It was opened in 1987.|nineteen eighty-seven|The Brumum Tavern was opened in 1987.",
    "date": "4 March 1987|March 4, 1987|1987-03-04|On the 4th of March 1987.|Mar 4, 1987",
    "time": "14:30|2:30 pm|2.30 p.m.|14.30|At 14:30.",
    "count": "1302|1,302|1,302 beds|one thousand three hundred and two|It has 1302 beds.",
    "money": "14|14 talers|fourteen talers|The fee is 14 talers.|Answer: 14",
    "measure": "1,400 metres|1400|1.4 km|1,400 m|It is 1400 metres long.",
    "person": "Glisia Kraral|Kraral|Ms Kraral|glisia kraral|Glisia Kraral owns the Brumum Tavern.",
    "place": "Wandorn|In Wandorn.|in the village of Wandorn|It is in Wandorn.|**Wandorn**",
    "kind": "green|Green.|The roof is green.|It's green.|The colour of the roof of the Brumum Tavern is green.",
    "flag": "No|no.|No, it is not.|The answer is no.|Hi! No.|I believe the answer is no.",
    "names": "lost property and tool hire|tool hire, lost property|- Tool hire\n- Lost property",
    "entity": "the Findova Arms|Findova Arms|Findova|It is the Findova Arms.|The Findova Arms has more beds.",
}
WRONG = {
    "year": "1988|In 1986.|It was opened in 1897.",
    "date": "4 March 1988|April 3, 1987|1987-03-05",
    "time": "14:31|2:30 am|3 pm",
    "count": "302|1,303 beds|thirteen hundred",
    "money": "15|14 million talers|It is fifteen talers.",
    "measure": "1,401 metres|1.5 km|14",
    "person": "Tandan Kestick|Ms Tandan Kestick|Tandan Kestick owns the Brumum Tavern.|Zolma Plilvow",
    "place": "Raldund|In Raldund.|It is in Raldund.",
    "kind": "dark red|It is dark red.",
    "flag": "Yes|Yes, it is.|The answer is yes.",
    "names": "tool hire|lost property, tool hire and a sauna|lost property and a sauna",
    "entity": "the Brumum Tavern|Brumum|It's the Brumum Tavern.",
}
OPEN_FOR_ALL = """
|?|I don't know.|No answer.|None|Unknown.|Unclear|N/A|Not stated.|The passage does not say.|Insufficient Information
Sorry.|It depends.|Either of them.|Both|Neither|Cannot Answer|Question Unanswerable|Contradictory Sources|Ambiguous
No, the passage does not say.|No, I can't tell.|Yes and no.|Maybe yes|No idea|yes?|null|Undisclosed
REFUSE_AMBIGUOUS_QUERY|1987 REFUSE_OTHER|No. REFUSE_INFO_MISSING|{"answer": null}|{"answer": "x", "sure": false}
{"answer": {"a": 1}}|[]|Missing Context|Refused|The answer is not in the passage.|The answer is|Answer:|Anonymous
"""
DISTURBED = """
Not {}.|It was not {}.|{}?|Do you mean {}?|{} or something else|Either {} or Zumbel.|{} is unclear.|Is it {}?
The passage mentions {} only.|It cannot be {}.|For Zumbelworth Hall it is {}.|{} is said of Zumbelworth Hall.
If the rumour is right, {}.|{} (unverified)|Anything but {}.|The rumour that it is {} is wrong.|{}, unless I am wrong
{"answer": "{}", "status": "unanswerable"}|{} REFUSE_OTHER|<answer>{}</answer> but this is false|Nobody said {}.
"""
BESIDE = [
    ("year", "1987 or 1988"),
    ("year", "before 1987"),
    ("year", "1986-1987"),
    ("year", "around 1987"),
    ("date", "4 March"),
    ("date", "04/03/1987"),
    ("date", "after 4 March 1987"),
    ("time", "2:30"),
    ("count", "at least 1302"),
    ("count", "1302k"),
    ("count", "-1302"),
    ("count", "1.302"),
    ("count", "1302, 302"),
    ("count", "$1302"),
    ("money", "14 dinars"),
    ("measure", "1,400 hours"),
    ("measure", "about 1,400 metres"),
    ("person", "Kestick and Kraral"),
    ("person", "Kraral's sister"),
    ("person", "the owner of Glisia Kraral"),
    ("person", "Molma Kraral"),
    ("place", "Wandorn and Raldund"),
    ("kind", "greenish"),
    ("kind", "green and dark red"),
    ("flag", "No doubt about it"),
    ("flag", "No, not stated."),
    ("flag", "Yes, the sources say no."),
    ("names", "lost property or tool hire"),
    ("names", "lost items and tool hire"),
    ("entity", "The Brumum Tavern has fewer beds than the Findova Arms."),
]


def cases(table: dict[str, str]) -> list[tuple[str, str]]:
    return [(kind, reply) for kind, replies in table.items() for reply in replies.split("|")]


def test_every_type_of_worlds_can_be_decided() -> None:
    assert set(TYPES) == set(get_args(ValueType)) == set(GOLD)


@pytest.mark.parametrize(("kind", "reply"), cases(RIGHT))
def test_the_right_value_in_another_form_is_right(kind: str, reply: str) -> None:
    assert typed_verdict(reply, GOLD[kind]) is True


@pytest.mark.parametrize(("kind", "reply"), cases(WRONG))
def test_another_value_is_wrong(kind: str, reply: str) -> None:
    assert typed_verdict(reply, GOLD[kind]) is False


@pytest.mark.parametrize("kind", GOLD)
def test_a_refusal_and_an_empty_reply_are_no_verdict(kind: str) -> None:
    replies = OPEN_FOR_ALL.strip("\n").replace("\n", "|").split("|")
    assert [reply for reply in replies if typed_verdict(reply, GOLD[kind]) is not None] == []


@pytest.mark.parametrize("kind", GOLD)
def test_the_right_value_in_a_doubt_a_denial_or_a_question_is_no_verdict(kind: str) -> None:
    patterns = DISTURBED.strip().replace("\n", "|").split("|")
    replies = [pattern.replace("{}", GOLD[kind].answers[0]) for pattern in patterns]
    assert [reply for reply in replies if typed_verdict(reply, GOLD[kind]) is not None] == []


@pytest.mark.parametrize(("kind", "reply"), BESIDE)
def test_a_bound_a_range_and_a_second_value_are_left_open(kind: str, reply: str) -> None:
    assert typed_verdict(reply, GOLD[kind]) is None


def test_a_shared_surname_is_left_open() -> None:
    two = Typed("person", ("Glisia Kraral",), "Who owns it?", ("Glisia Kraral met Bulda Kraral there.",))
    assert typed_verdict("Kraral", two) is None
    assert typed_verdict("Glisia", two) is True


def test_a_reason_quoted_from_the_passage_says_nothing_of_its_own() -> None:
    quoted = "Its roof is green, that of the arms is dark red."
    assert typed_verdict(f"Green. {quoted}", GOLD["kind"]) is True
    assert typed_verdict(f"No. {quoted}", GOLD["flag"]) is True
    assert typed_verdict("Green. The roof of Zumbelworth Hall is dark red.", GOLD["kind"]) is None


def test_a_type_or_an_answer_that_is_missing_is_no_verdict() -> None:
    assert typed_verdict("1987", Typed("poem", ("1987",), "Which?")) is None
    assert typed_verdict("1987", Typed("year", (), "Which?")) is None


MARKS = '{ } "answer": ``` [1] \\ \\boxed{ | <answer> ( ? - , . ’ ½ ² ١٢ $'
VALUES = "1987 March 4 14:30 Kraral Glisia green yes no or Ms the"
PIECES = st.sampled_from([*MARKS.split(), *VALUES.split(), "\n", "\x00"])


@given(st.sampled_from(sorted(GOLD)), st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=9).map(" ".join)))
def test_it_never_raises(kind: str, reply: str) -> None:
    assert typed_verdict(reply, GOLD[kind]) in (True, False, None)


@given(
    st.sampled_from(sorted(GOLD)),
    st.sampled_from([label.value for label in Label if label is not Label.ANSWER]),
    st.lists(PIECES, max_size=4).map(" ".join),
    st.booleans(),
)
def test_a_code_never_becomes_a_verdict(kind: str, code: str, beside: str, first: bool) -> None:
    assert typed_verdict(f"{code} {beside}" if first else f"{beside} {code}", GOLD[kind]) is None
