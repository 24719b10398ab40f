"""Replies of a few words that are answers by their form."""

import pytest

from refusalbench_tasks.replies.reading import read_reply
from refusalbench_tasks.replies.short_value import is_quantity, is_value

PASSAGE = (
    "The lighthouse was built in 1923 by Lena Dorn, who was paid 410 crowns. Joren Hale"
    " kept it until 1950; whether it was lit in the war is not known. 桥由王小明设计。"
)


@pytest.mark.parametrize(
    "reply",
    [
        "Lena Dorn",
        "joren hale.",
        "**410**",
        "1923 [1]",
        "in 1923 by Lena Dorn",
        "王小明",
    ],
)
def test_a_few_words_of_the_passage_are_an_answer(reply: str) -> None:
    read = read_reply(reply, question="Who built it?", context=[PASSAGE])
    assert (read.kind, read.right) == ("answer", None)


@pytest.mark.parametrize("reply", ["Yes", "no", "**No.**", "Yes [2]", "Answer: yes"])
def test_yes_and_no_are_answers(reply: str) -> None:
    assert read_reply(reply, question="Was it lit?").kind == "answer"


@pytest.mark.parametrize("reply", ["no?", "Yes?", "Lena Dorn?", "1923？"])
def test_a_value_that_asks_asserts_nothing(reply: str) -> None:
    assert read_reply(reply, gold=["no"], context=[PASSAGE]).kind == "undecided"


@pytest.mark.parametrize(
    "text",
    [
        "is not known",
        "92",
        "Len",
        "Dorn Lena",
        "the lighthouse was built in 1923 by Lena Dorn who",
        "",
    ],
)
def test_negations_pieces_of_words_and_long_copies_are_no_values(text: str) -> None:
    assert not is_value(text, [PASSAGE])


@pytest.mark.parametrize(
    "reply",
    [
        "The answer is: 1923.",
        "Answer: 412 kg",
        "**Final answer:** Lena Dorn",
        "I compared both registers.\n\nANSWER: 12 May 1923",
        r"So it is \boxed{Lena Dorn}",
        "<answer>410 crowns</answer>",
        "Answer: yes",
    ],
)
def test_a_number_or_words_of_a_passage_where_an_answer_is_marked_are_an_answer(
    reply: str,
) -> None:
    assert (
        read_reply(reply, question="Who built it?", context=[PASSAGE]).kind == "answer"
    )


@pytest.mark.parametrize(
    "words",
    [
        "unavailable",
        "TBD",
        "Undetermined",
        "confidential",
        "Redacted",
        "Sorry",
        "I abstain",
        "It depends",
        "Ambiguous",
        "Contact support",
        "Hmm",
        "Let me think",
        "skip",
        "pending review",
        "withheld on request",
    ],
)
@pytest.mark.parametrize(
    "form", ["Answer: _", '{"answer": "_"}', r"\boxed{\text{_}}", "<answer>_</answer>"]
)
@pytest.mark.parametrize("context", [[], [PASSAGE]])
def test_other_words_where_an_answer_is_marked_are_none(
    words: str, form: str, context: list[str]
) -> None:
    read = read_reply(
        form.replace("_", words), question="When did it open?", context=context
    )
    assert read.kind != "answer"


@pytest.mark.parametrize(
    "reply",
    [
        "Antwort: unbekannt",
        "Réponse : inconnu",
        "答案：不知道",
        r"\boxed{\text{Undecidable}}",
        "Respuesta: se desconoce",
    ],
)
def test_a_refusal_behind_a_cue_of_any_language_is_no_answer(reply: str) -> None:
    assert (
        read_reply(reply, question="When did it open?", context=[PASSAGE]).kind
        != "answer"
    )


@pytest.mark.parametrize(
    "reply",
    ["the", "in", "The lighthouse", "was built", "Its keeper", "lighthouse built"],
)
def test_a_copy_of_function_words_and_words_of_the_question_is_undecided(
    reply: str,
) -> None:
    question = "Who built the lighthouse, and who was the keeper?"
    assert not is_value(reply, [PASSAGE], question)
    assert read_reply(reply, question=question, context=[PASSAGE]).kind != "answer"


@pytest.mark.parametrize(
    "reply",
    [
        "Answer: insufficient information",
        "Answer: I don't know",
        "I read it twice.\nANSWER: The passages do not mention it.",
        '{"answer": "this is not stated in the documents"}',
    ],
)
def test_a_refusal_behind_the_cue_stays_one(reply: str) -> None:
    assert read_reply(reply, question="Who built it?").kind == "refusal"


@pytest.mark.parametrize(
    "text", ["1923", "12 May 1923", "$5", "-3.5 °C", "412 kg", "1914-1918", "3.2 %"]
)
def test_numbers_and_dates_are_quantities(text: str) -> None:
    assert is_quantity(text)


@pytest.mark.parametrize(
    "text",
    ["unclear", "not 3", "3; relevance: 0", "3 | 4", "3\n4", "See 3", "3 or 4", ""],
)
def test_doubt_and_several_fields_are_no_quantity(text: str) -> None:
    assert not is_quantity(text)
