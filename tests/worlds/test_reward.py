"""The reward: what each kind of reply earns, of rows and of samples of a log, and that
neither a trick nor a policy without looking pays.
"""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.taxonomy import REFUSALS, Label
from refusalbench_tasks.worlds.quad_rows import quad_rows
from refusalbench_tasks.worlds.reward import Payoffs, reward
from tests.worlds.hostile_replies import BOTH, NO_ANSWERS, hostile

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
REPLIES = {
    "right_answer": (fixed(), "£40"),
    "wrong_answer": (fixed(), "£45"),
    "refused_answerable": (fixed(), "I don't know."),
    "right_code": (fixed(MISSING), MISSING),
    "other_refusal": (fixed(MISSING), "I don't know."),
    "answered_unanswerable": (fixed(MISSING), "£40"),
    "undecided": (fixed(), "The fee is £40; the deposit is not listed."),
}


@pytest.mark.parametrize(
    ("payoff", "default"),
    [
        ("right_answer", 1),
        ("wrong_answer", -1),
        ("refused_answerable", -1),
        ("right_code", 1),
        ("other_refusal", 0.5),
        ("answered_unanswerable", -1),
        ("undecided", 0),
    ],
)
def test_the_caller_states_what_each_kind_of_reply_earns(
    payoff: str, default: float
) -> None:
    item, reply = REPLIES[payoff]
    assert reward(item, reply) == default
    assert reward(item, reply, Payoffs(**{payoff: 0.3})) == 0.3


@pytest.mark.parametrize(
    ("reply", "answerable", "unanswerable"),
    [
        ("REFUSE_AMBIGUOUS_QUERY", -1, 0.5),
        ("Which of the two do you mean?", -1, 0.5),
        (f"{MISSING}\n\nThe passage gives £40 for the deposit only.", -1, -1),
        (f"{MISSING} or REFUSE_OTHER", -1, -1),
        ("", -1, -1),
    ],
)
def test_what_it_pays(reply: str, answerable: float, unanswerable: float) -> None:
    assert reward(fixed(), reply) == answerable
    assert reward(fixed(MISSING), reply) == unanswerable


def test_a_question_back_earns_what_the_code_of_ambiguity_earns() -> None:
    which = "Which of the two do you mean?"
    assert reward(fixed(Label.AMBIGUOUS), which) == 1


def test_payoffs_lie_between_minus_one_and_one() -> None:
    with pytest.raises(ValidationError, match="less than or equal to 1"):
        Payoffs(undecided=2)


def test_a_sample_and_its_metadata_earn_what_their_row_earns() -> None:
    samples = {sample.id: sample for sample in nq(data="worlds", n=40).dataset}
    for item in quad_rows(0, 0, 40):
        sample = samples[item["id"]]
        replies = (item["original_answers"][0], "REFUSE_OTHER", "I can't say.")
        for reply in (*replies, item["expected_rag_behavior"]):
            earned = reward(item, reply)
            assert reward(sample, reply) == earned
            assert reward(sample.metadata or {}, reply) == earned


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
    return list(quad_rows(9, 0, 200))


@pytest.mark.parametrize("name", list(EXPLOITS))
def test_a_trick_earns_nothing(name: str, sample: list[Row]) -> None:
    earned = [reward(item, EXPLOITS[name](item)) for item in sample]
    assert sum(earned) / len(earned) <= 0.05
    assert max(earned) <= 0.5


def test_an_answer_that_also_refuses_or_denies_is_never_paid(sample: list[Row]) -> None:
    paid = {
        reply.kind: reward(item, reply.text)
        for item in sample
        for reply in hostile(item)
        if reward(item, reply.text) > 0
    }
    assert not paid
    assert len(BOTH) + len(NO_ANSWERS) == 42
