"""The form of a reply decides only where it is beyond doubt."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.code import ParsedReply, parse_reply, visible_text
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
