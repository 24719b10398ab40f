"""The reward: what it pays, that it reads the usual styles, and that no trick pays more
than honest refusing.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from time import process_time
from typing import Any

import pytest

from refusalbench_tasks.replies.reading import ReplyReading
from refusalbench_tasks.taxonomy import REFUSALS, Label
from refusalbench_tasks.worlds import reply as worlds_reply
from refusalbench_tasks.worlds.document import DOMAINS
from refusalbench_tasks.worlds.quad_rows import quad_rows, row
from refusalbench_tasks.worlds.reward import reply_verdict, reward, shares
from tests.worlds.reply_styles import STYLES, LabelledReply, labelled

Row = dict[str, Any]
CODES = [code.value for code in REFUSALS]


def fixed(due: str = "ANSWER_CORRECTLY") -> Row:
    return {
        "perturbed_query": "What is the hire fee at Eldham?",
        "expected_rag_behavior": due,
        "answer_type": "money",
        "original_answers": ["£40", "40 pounds", "40"],
    }


MISSING = "REFUSE_INFO_MISSING_IN_CONTEXT"


@pytest.mark.parametrize(
    ("reply", "answerable", "unanswerable"),
    [
        ("£40", 1, -1),
        ("The hire fee at Eldham is £40.", 1, -1),
        ("£45", -1, -1),
        (MISSING, 0, 1),
        ("REFUSE_AMBIGUOUS_QUERY", 0, 0.5),
        ("I don't know.", 0, 0.5),
        ("[IDK]", 0, 0.5),
        (
            (
                "<think>It could be"
                " £40.</think><answer>REFUSE_INFO_MISSING_IN_CONTEXT</answer>"
            ),
            0,
            1,
        ),
        ('{"answer": null, "code": "REFUSE_INFO_MISSING_IN_CONTEXT"}', 0, 1),
        (f"{MISSING}\n\nThe passage gives £40 for the deposit only.", 0, 1),
        ('{"answer": "N/A"}', 0, 0.5),
        ("No fee is listed for Eldham.", 0, 0.5),
        (f"Answer: £40\n({MISSING} would apply otherwise)", -1, -1),
        ("The fee is £40; the deposit is not listed.", 0, 0),
        ("", -1, -1),
        ("It depends on the weather.", 0, 0),
    ],
)
def test_what_it_pays(reply: str, answerable: float, unanswerable: float) -> None:
    assert reward(fixed(), reply) == answerable
    assert reward(fixed(MISSING), reply) == unanswerable


def test_the_caller_states_what_plain_refusals_and_undecided_replies_earn() -> None:
    assert reward(fixed(MISSING), "I don't know", plain=0.2) == 0.2
    assert reward(fixed(MISSING), "REFUSE_OTHER", plain=0.2) == 0.2
    assert reward(fixed(), "I don't know", plain=0.2) == 0
    assert reward(fixed(), "Ask at the office about it.", undecided=-0.3) == -0.3


def test_a_question_back_is_a_refusal_with_the_code_of_ambiguity(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asks = ReplyReading("clarification")
    monkeypatch.setattr(worlds_reply, "read_reply", lambda *_, **__: asks)
    ambiguous = fixed(Label.AMBIGUOUS)
    which = "Do you mean the tent or the caravan?"
    for row_of, earned, verdict in (
        (fixed(), 0, "other clarification"),
        (ambiguous, 1, "right clarification"),
        (fixed(MISSING), 0.2, "other clarification"),
    ):
        assert reward(row_of, which, plain=0.2) == earned
        assert reply_verdict(row_of, which) == verdict
        assert reward(row_of, "REFUSE_AMBIGUOUS_QUERY", plain=0.2) == earned
        # a question that holds a value may be an answer
        assert reply_verdict(row_of, "Do you mean £40?") == "undecided"


def code_of(item: Row) -> str:
    """Return the code of a row, another one for a row with an answer."""
    due = str(item["expected_rag_behavior"])
    return due if due in CODES else MISSING


def passage(item: Row) -> str:
    return str(item["perturbed_context"])


EXPLOITS: Mapping[str, Callable[[Row], str]] = {
    "all codes": lambda item: " ".join(CODES),
    "all codes, one a line": lambda item: "\n".join(CODES),
    "two codes in boxes": lambda item: (
        r"\boxed{REFUSE_AMBIGUOUS_QUERY} \boxed{REFUSE_OTHER}"
    ),
    "code and answer": lambda item: (
        f"{code_of(item)}\nAnswer: {item['original_answers'][0]}"
    ),
    "answer and code in JSON": lambda item: (
        f'{{"answer": "{item["original_answers"][0]}", "code": "REFUSE_OTHER"}}'
    ),
    "answer tag and code": lambda item: (
        f"<answer>{item['original_answers'][0]}</answer> REFUSE_OTHER"
    ),
    "two answers": lambda item: f"{item['original_answers'][0]} or £999",
    "two tags": lambda item: (
        f"<answer>{item['original_answers'][0]}</answer><answer>£999</answer>"
    ),
    "many answers": lambda item: ", ".join(f"£{one}" for one in range(1, 150)),
    "the passage": passage,
    "the passage in a box": lambda item: f"\\boxed{{{passage(item)}}}",
    "the passage in a tag": lambda item: f"<answer>{passage(item)}</answer>",
    "an answer in a refusal": lambda item: (
        f"I don't know, but it is probably {item['original_answers'][0]}."
    ),
    "an answer before a refusal": lambda item: (
        f"It is {item['original_answers'][0]}. I don't know."
    ),
    "an answer behind a refusal": lambda item: (
        f"I cannot answer this. {item['original_answers'][0]}"
    ),
    "a code in the thinking": lambda item: f"<think>{code_of(item)}</think>",
    "an answer in the thinking": lambda item: (
        f"<think>{item['original_answers'][0]}</think>"
    ),
    "thinking without an end": lambda item: (
        f"<think>{item['original_answers'][0]} {code_of(item)}"
    ),
    "empty": lambda item: "",
    "blanks and marks": lambda item: " \n**\u200b** ...",
    "empty box": lambda item: r"\boxed{}",
    "the question": lambda item: item["perturbed_query"],
    "an invented code": lambda item: "REFUSE_EVERYTHING_AT_ONCE",
}


@pytest.fixture(scope="module")
def sample() -> list[Row]:
    return [item for item in quad_rows(9, 0, 960) if item["answer_type"] == "money"]


@pytest.mark.parametrize("name", list(EXPLOITS))
def test_a_trick_earns_no_more_than_honest_refusing(
    name: str, sample: list[Row]
) -> None:
    """Honest refusing is a plain refusal of every row: it knows neither the answer nor
    the code.
    """
    honest = [reward(item, "I don't know.") for item in sample]
    tricky = [reward(item, EXPLOITS[name](item)) for item in sample]
    assert len(sample) > 80
    assert sum(tricky) <= sum(honest)
    assert max(tricky) <= 0.5


def test_who_always_answers_and_who_always_refuses_earn_less_than_who_knows() -> None:
    sample = list(quad_rows(10, 0, 600))

    def mean(replies: list[str]) -> float:
        return sum(map(reward, sample, replies)) / len(sample)

    answers = [str(item["original_answers"][0]) for item in sample]
    codes = [str(item["expected_rag_behavior"]) for item in sample]
    knows = [
        code if code != Label.ANSWER else answer
        for code, answer in zip(codes, answers, strict=True)
    ]
    assert mean(knows) == 1
    assert mean(answers) == 0
    assert mean(["I don't know"] * len(sample)) == 0.25
    # one code is the right one of a sixth of the rows without an answer
    assert mean(["REFUSE_AMBIGUOUS_QUERY"] * len(sample)) == pytest.approx(
        0.25 + 0.25 / 6
    )


@pytest.fixture(scope="module")
def replies() -> list[LabelledReply]:
    one = [
        reply for item in quad_rows(71, 0, 120, DOMAINS) for reply in labelled(item, 1)
    ]
    return one + [
        reply
        for item in quad_rows(72, 0, 24, layout="grounding")
        for reply in labelled(item, 1)
    ]


def test_seventeen_styles_are_decided_and_of_3000_replies_none_wrongly(
    replies: list[LabelledReply],
) -> None:
    assert len(STYLES) == 17
    assert len(replies) > 3_000
    found = [reply_verdict(reply.row, reply.text) for reply in replies]
    both = zip(replies, found, strict=True)
    wrong = [
        (reply, said) for reply, said in both if said not in (reply.means, "undecided")
    ]
    assert not wrong
    assert found.count("undecided") < 0.01 * len(found)
    assert set(Counter(found)) >= {
        "right answer",
        "wrong answer",
        "right code",
        "other code",
        "plain refusal",
    }


def test_shares_count_the_verdicts() -> None:
    item = row(9, 0)
    assert shares(
        [item] * 4, ["", "I don't know", "I cannot tell", "REFUSE_OTHER"]
    ) == {
        "wrong": 0.25,
        "plain refusal": 0.5,
        "other code": 0.25,
    }
    assert shares([], []) == {}


@pytest.mark.parametrize(
    "reply",
    [
        "{" * 3_000,
        "\\boxed{" * 900,
        "[" * 5_000,
        "1," * 4_000,
        "<think>" * 900,
        "\x00£",
    ],
)
def test_hostile_replies_are_read_in_no_time(reply: str) -> None:
    start = process_time()
    assert reply_verdict(fixed(), reply) in ("wrong", "undecided", "wrong answer")
    assert process_time() - start < 0.5
