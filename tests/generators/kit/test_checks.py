"""Checks of a text against its original: each names what it objects to, and no original
is objected to.
"""

from collections.abc import Callable

import pytest

from refusalbench_tasks.generators.kit.checks import (
    cut_problem,
    doubled_problem,
    echoed,
    format_problem,
    label_problem,
    length_off,
    script_changed,
    stands_once,
)

FERRY = (
    "The ferry to Orrin leaves the quay at nine. It takes forty cars and the crossing"
    " lasts an hour in the summer."
)
GERMAN = (
    "Die Fähre nach Orrin verlässt den Kai um neun Uhr. Sie nimmt vierzig Wagen auf und"
    " die Überfahrt dauert eine Stunde im Sommer."
)
CASES: list[tuple[Callable[[str, str], str | None], str, bool]] = [
    (label_problem, "So REFUSE_OTHER is due.", True),
    (label_problem, "A perturbed passage.", True),
    (label_problem, "The ambiguity of the contradiction refused to go.", False),
    (format_problem, "```\nIt is so.\n```", True),
    (format_problem, '{"find": "x"}', True),
    (format_problem, "<passage>It is so.</passage>", True),
    (format_problem, "It cost [...] florins.", True),
    (format_problem, "The boat (built 1902) [sic] costs 3 < 4 florins.", False),
    (cut_problem, "The ferry to Orrin leaves the", True),
    (cut_problem, "The ferry to Orrin “leaves”.", False),
    (doubled_problem, f"{FERRY} The ferry to Orrin leaves the quay at nine.", True),
    (doubled_problem, f"{FERRY} It is so. It is so.", False),
    (script_changed, GERMAN, True),
    (script_changed, "Паром до Оррина отходит от причала в девять.", True),
    (script_changed, "The ferry to Orrin leaves at ten.", False),
]


@pytest.mark.parametrize(("check", "text", "objects"), CASES)
def test_a_check_objects_to_what_it_is_for(
    check: Callable[[str, str], str | None], text: str, objects: bool
) -> None:
    assert (check(text, FERRY) is not None) is objects
    assert check(FERRY, FERRY) is None


def test_what_the_original_has_is_no_fault() -> None:
    before = "Use **care** with {{x}}; REFUSE_OTHER is a code..."
    assert [
        check(before, before) for check in (label_problem, format_problem, cut_problem)
    ] == [
        None,
        None,
        None,
    ]


def test_an_instruction_is_echoed_by_eight_words_in_a_row() -> None:
    told = (
        "Mention in passing one minor accessory or part that the context never"
        " speaks of."
    )
    assert echoed("So mention in passing one minor accessory or part of it.", told)
    assert not echoed("Mention in passing one minor accessory.", told)
    assert not echoed(told, told, told)


def test_length_is_counted_against_the_original() -> None:
    assert (
        length_off("one two three four five", "one two", 0.5, 2)
        == "The text must be about as long as its original; it has 2.5 times its words."
    )
    assert length_off("one two three four", "one two", 0.5, 2) is None
    assert length_off("", "", 0, 1) is None


@pytest.mark.parametrize(("quote", "once"), [("two  b", 1), ("x", 0), ("a", 0)])
def test_a_quote_stands_once_in_one_text(quote: str, once: int) -> None:
    assert stands_once(quote, ["c", "a two\nb a"]) == once
