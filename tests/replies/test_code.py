"""The form of a reply decides only where it is beyond doubt."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.code import (
    ParsedReply,
    explained_code,
    parse_reply,
    visible_text,
)
from refusalbench_tasks.replies.reading import read_reply
from refusalbench_tasks.taxonomy import REFUSALS, Label


@pytest.mark.parametrize("label", REFUSALS)
@pytest.mark.parametrize(
    "form",
    [
        "{}",
        "{}.",
        "**{}**",
        "`{}`",
        '"{}"',
        "“{}”",
        "[{}]",
        "<{}>",
        "# {}",
        "ANSWER: {}",
        "Answer: **{}**.",
        "```\n{}\n```",
        "```text\n{}\n```",
        "\n\n  {}  \n",
        "{}\n{}",
        "> {}",
        "- {}",
        '{{"answer": "{}"}}',
        "Final answer: {}!",
        "\u200b{}\ufeff",
        "<think>perhaps REFUSE_OTHER?</think>\n{}",
    ],
)
def test_a_bare_code_decides_in_any_dress(label: Label, form: str) -> None:
    reply = form.replace("{}", label.value).replace("{{", "{").replace("}}", "}")
    for text in (reply, reply.lower(), reply.replace("_", "\\_")):
        assert parse_reply(text).label is label


@pytest.mark.parametrize(
    ("reply", "form"),
    [
        ("  \n\t ", "empty"),
        ("**\u200b**", "empty"),
        ("<think>REFUSE_OTHER</think>", "empty"),
        *((cited, "empty") for cited in ("[3]", "[1][4]", "[1], [2]", "**[12]**.")),
        *((cited, "empty") for cited in ("Answer: [7]", "[2] and [5]", "【4†source】")),
        *((cited, "free text") for cited in ("(3)", "[3] Brook", "[1987]", "3 [3]")),
        ("It opened in 1987.", "free text"),
        ("Refuse to answer", "free text"),
        ("REFUSED", "free text"),
        *((sign, "free text") for sign in ("€", "🤷", "???", "?", "+", "!", "%", "∅")),
        ("not REFUSE_OTHER", "code in prose"),
        ("REFUSE_OTHER is not needed: it opened in 1987.", "code in prose"),
        ("1987\nREFUSE_OTHER", "code in prose"),
        ("REFUSE_AMBIGUOUS QUERIES", "code in prose"),
        ("REFUSE_OTHER or REFUSE_AMBIGUOUS_QUERY", "several codes"),
        ("REFUSE_AMBIGUOUS_QUERY\nREFUSE_INFO_MISSING_IN_CONTEXT", "several codes"),
    ],
)
def test_everything_else_is_left_to_a_reader(reply: str, form: str) -> None:
    parsed = parse_reply(reply)
    assert (parsed.label, parsed.form) == (None, form)


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("REFUSE_TOO_HARD", Label.OTHER),
        ("REFUSE_AMBIGUOUS / REFUSE_AMBIGUOUS_QUERY", Label.AMBIGUOUS),
        ("granularity_mismatch", Label.GRANULARITY),
        ("`AMBIGUOUS_QUERY`!", Label.AMBIGUOUS),
        ("Answer: REFUSE-MISSING", Label.MISSING),
        ("Answer: ___ REFUSE_OTHER ___ (code)", Label.OTHER),
        ("Refuse Missing", Label.MISSING),
        ("**refuse false premise in query.**", Label.FALSE_PREMISE),
        ("REFUSE_AMBIGUOUS QUERY", Label.AMBIGUOUS),
        ("[THINK]perhaps REFUSE_OTHER[/THINK]\nREFUSE_MISSING", Label.MISSING),
    ],
)
def test_an_invented_code_is_other_and_a_code_may_have_a_second_name(
    reply: str, label: Label
) -> None:
    parsed = parse_reply(reply)
    assert (parsed.label, parsed.form) == (label, "code")


@given(st.text())
def test_never_raises_and_never_makes_an_answer(reply: str) -> None:
    assert parse_reply(reply).label is not Label.ANSWER


@given(st.sampled_from(REFUSALS), st.from_regex(r"[bd-z]{4,9}", fullmatch=True))
def test_a_word_beside_a_code_always_goes_to_a_reader(label: Label, word: str) -> None:
    if word not in {
        "output",
        "text",
        "json",
        "reply",
        "final",
        "plaintext",
        "refusal",
        "response",
    }:
        assert parse_reply(f"{label.value} {word}").label is None


@pytest.mark.parametrize(
    "reply",
    [
        "Granularity mismatch",
        "Ambiguous query",
        "ambiguous query.",
        "refuse-derived",
        "Refuse-derived",
        "False premise in query",
        "**Contradictory context**",
        "GRANULARITY MISMATCH",
        "nonfactual-query",
        "REFUSE-DERIVED",
        "Refuse derived",
        "Refuse collectors missing",
    ],
)
def test_words_that_are_not_in_the_form_of_a_code_are_an_answer(reply: str) -> None:
    assert parse_reply(reply) == ParsedReply(None, "free text")


@pytest.mark.parametrize(
    "reply",
    [
        "!REFUSE_OTHER",
        "! REFUSE_OTHER",
        "**!REFUSE_OTHER**",
        "!`REFUSE_OTHER`",
        "≠ REFUSE_OTHER",
        "!= REFUSE_OTHER",
        "¬REFUSE_OTHER",
        "~~REFUSE_OTHER~~",
        "REFUSE_OTHER?",
        "❌ REFUSE_OTHER",
        "REFUSE_OTHER ✗",
        "<!-- REFUSE_OTHER -->",
        "=/= REFUSE_OTHER",
        "REFUSE_OTHER! REFUSE_OTHER",
        "not REFUSE_OTHER",
    ],
)
def test_a_sign_that_may_negate_a_code_goes_to_a_reader(reply: str) -> None:
    assert parse_reply(reply) == ParsedReply(None, "code in prose")


@pytest.mark.parametrize(
    "reply", ["<think>", "<think>\n", "<think>a</thin", "\n<think> "]
)
def test_repeated_reasoning_marks_take_linear_time(reply: str) -> None:
    began = time.process_time()
    visible_text(reply * 40_000)
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    "blank", ["\u2009", "\u2028", "\u2029", "\u0085", "\u202a", "*** \u2009 ..."]
)
def test_blanks_controls_and_marks_of_any_kind_say_nothing(blank: str) -> None:
    assert parse_reply(f"-{blank}-").form == "empty"
    assert parse_reply(f"-{blank}x").form == "free text"


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
