"""No text of a writer stops a rule or holds it up: odd digits, sentences without words, one sign again and again."""

import time

import pytest

from refusalbench_tasks.generators.checks import RULES, check
from refusalbench_tasks.generators.kit.betraying import remarks_in_brackets
from tests.generators.hurried_bases import MILL
from tests.generators.rule_probe import probe

CLASH, LOW = "Contradiction in Reported Speech", "Dominant-sense Polysemy"
LONG = 20_000


@pytest.mark.parametrize(
    "added",
    [
        "The mill had 10² plots.",
        "① was its first sheet, ② its second.",
        f"It had the number {'1' * 5000}.",
        f"It was opened the year before {'1' * 5000}.",
        f"It took {'9' * 5000} and a half years.",
    ],
)
@pytest.mark.parametrize("lever", [CLASH, "Balanced Polysemy"])
def test_digits_that_are_no_number_stop_no_rule(added: str, lever: str) -> None:
    case = probe(lever, MILL, text=f"{MILL[2]} {added}")
    assert isinstance(check(case.slot, case.candidate, case.cell), dict)


@pytest.mark.parametrize("text", ["_", "(((", "{}", "The."])
def test_a_text_without_a_word_stops_no_rule(text: str) -> None:
    case = probe("Balanced Polysemy", MILL, text=text)
    assert "length_out_of_range" in check(case.slot, case.candidate, case.cell)


@pytest.mark.parametrize(
    ("rule", "sign", "lever", "in_question"),
    [
        ("format_left", "\n", LOW, False),
        ("text_elided", "(", LOW, False),
        ("figures_disagree", "1,", LOW, False),
        ("answer_in_question", "1", LOW, True),
        ("value_in_question", "a", "Balanced Polysemy", True),
    ],
)
def test_one_sign_again_and_again_holds_up_no_rule(rule: str, sign: str, lever: str, in_question: bool) -> None:
    text = sign * (LONG // len(sign))
    case = probe(lever, MILL, query=text if in_question else None, text=None if in_question else text)
    began = time.process_time()
    RULES[rule](case)
    assert time.process_time() - began < 2


def test_brackets_that_never_close_are_read_once() -> None:
    began = time.process_time()
    assert remarks_in_brackets("(a [" * LONG) == frozenset()
    assert time.process_time() - began < 2
    assert remarks_in_brackets("(a (the answer) b) [see above]") == {"(a (the answer)", "[see above]"}


def test_a_question_with_two_options_is_read_as_before() -> None:
    two = probe(LOW, MILL, query="When did Hedda Lorn open the paper mill on the Ruhn: in 1958 or 1962?")
    one = probe(LOW, MILL, query="When did Hedda Lorn, in 1962, open the paper mill on the Ruhn?")
    assert RULES["answer_in_question"](two) is None
    assert RULES["answer_in_question"](one) is not None
