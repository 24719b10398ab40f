"""Where a code with words beside it is the verdict of a reply."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.explained_code import explained_code
from refusalbench_tasks.replies.reading import read_reply
from refusalbench_tasks.taxonomy import Label


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        (
            (
                "REFUSE_INFO_MISSING_IN_CONTEXT\n\nThe passage does not say who"
                " designed it."
            ),
            Label.MISSING,
        ),
        ("REFUSE_MISSING: the text speaks of the fee alone.", Label.MISSING),
        ("REFUSE_OTHER because the passage is cut off.", Label.OTHER),
        (
            "**REFUSE_CONTRADICTORY_CONTEXT** (two dates of opening are given)",
            Label.CONTRADICTORY,
        ),
        (
            "Answer: REFUSE_GRANULARITY_MISMATCH. Only two of the flats are listed.",
            Label.GRANULARITY,
        ),
        ("The answer is REFUSE_FALSE_PREMISE_IN_QUERY.", Label.FALSE_PREMISE),
        (
            "The right code here is REFUSE_NONFACTUAL.\nOpinions cannot be derived.",
            Label.NONFACTUAL,
        ),
        ("I reply with the code REFUSE_OTHER", Label.OTHER),
        (
            "There is no word on the architect, so I choose REFUSE_MISSING.",
            Label.MISSING,
        ),
        (
            "I searched the documents twice.\n\nREFUSE_INFO_MISSING_IN_CONTEXT",
            Label.MISSING,
        ),
        (
            "Neither search brought the tariff up.\nFINAL ANSWER: REFUSE_MISSING",
            Label.MISSING,
        ),
        (
            "It is REFUSE_OTHER or REFUSE_MISSING, I think.\nANSWER: REFUSE_OTHER",
            Label.OTHER,
        ),
        ('{"answer": "REFUSE_OTHER", "reason": "x"}', Label.OTHER),
        (
            '{"result": {"answer": "REFUSE_AMBIGUOUS_QUERY", "reason": "two mills"}}',
            Label.AMBIGUOUS,
        ),
    ],
)
def test_one_code_with_its_explanation_is_that_code(reply: str, label: Label) -> None:
    read = read_reply(reply, question="Who designed it?")
    assert (read.kind, read.code, read.decided_by) == ("refusal", label, "code")


@pytest.mark.parametrize(
    "reply",
    [
        "REFUSE_OTHER is not needed: it opened in 1987.",
        "REFUSE_OTHER does not apply here.",
        "REFUSE_OTHER, or 1987",
        "I would not choose REFUSE_OTHER.",
        "Anything but REFUSE_OTHER",
        "Should I say REFUSE_OTHER?",
        "The code REFUSE_OTHER exists for such cases. Here it has no use. Read on.",
        "1987\nREFUSE_OTHER",
        "REFUSE_OTHER\n\nIt opened in 1987.",
        "The bridge was opened in May 1987 by Ada Brook.\n\nREFUSE_OTHER",
        "REFUSE_MISSING: or else REFUSE_OTHER.",
        "NOT_REFUSE_AMBIGUOUS_QUERY",
        "ANSWER: NOT_REFUSE_MISSING",
        "1987 REFUSE_OTHER",
        "1987 - REFUSE_OTHER",
        "1987 (REFUSE_OTHER)",
        "1987: REFUSE_OTHER",
        "The lighthouse opened in 1987 so I use REFUSE_OTHER",
        "It is clearly answerable, so avoid REFUSE_OTHER",
        "The documentation lists one code: REFUSE_OTHER",
        "Had it been missing, the code would be REFUSE_OTHER",
        "Ignore REFUSE_OTHER",
        (
            "1987\n\nIf the passages were missing, I would give"
            " REFUSE_INFO_MISSING_IN_CONTEXT"
        ),
        "REFUSE_OTHER (not really): 1987",
        "Lena Dorn REFUSE_OTHER",
        "REFUSE_OTHER because it opened in 1987",
        "The guide names 1987 twice, so the answer is REFUSE_OTHER",
    ],
)
def test_a_code_that_is_spoken_of_or_stands_beside_an_answer_is_undecided(
    reply: str,
) -> None:
    read = read_reply(reply, question="When did it open?", gold=["1987"])
    assert (read.kind, read.code) == ("undecided", None)


def test_the_explanation_leaves_out_the_clause_that_names_the_code() -> None:
    code = explained_code("Two dates are given, so the code is REFUSE_CONTRADICTORY.")
    assert code is not None
    assert (code.label, code.explanation) == (
        Label.CONTRADICTORY,
        "Two dates are given",
    )


@given(st.text(alphabet="REFUSE_OTHER .,\nnot!?:"))
def test_it_never_raises(text: str) -> None:
    code = explained_code(text)
    assert code is None or code.label is Label.OTHER
