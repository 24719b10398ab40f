"""Further attempts: what is asked for again, with what, and what is not."""

from typing import Any, get_args

import pytest

from refusalbench_tasks.generators.attempts import NOT_WRITTEN, next_attempt
from refusalbench_tasks.generators.cell import cell_of
from refusalbench_tasks.generators.kit.bases import load_bases
from refusalbench_tasks.generators.levers import bundled_levers
from refusalbench_tasks.generators.plan import make_plan
from refusalbench_tasks.generators.slot import Rejected, Slot
from refusalbench_tasks.generators.writer import WriteForm, writer_prompt
from tests.models import part

LEVERS = bundled_levers()
SLOT = make_plan(load_bases("nq_sample")[:1], LEVERS)[0]
TEXT = {"query": "q?", "passages": ["p"], "lever": "x", "reasoning": "r"}
CELL = cell_of(SLOT, LEVERS)


def follow(slot: Slot, outcome: str | None = None, reason: str | None = None, attempts: int = 3, **about: Any) -> Any:
    return next_attempt(slot, outcome, reason, about, attempts)


def test_a_further_attempt_has_all_reasons_and_the_last_text() -> None:
    second = follow(SLOT, "rejected", reasons=["too easy", "dull"], candidate=TEXT)
    third = follow(second, "rejected", reasons=["dull", "long"], candidate=TEXT | {"query": "r?"})
    assert (second.attempt, second.feedback) == (2, ("too easy", "dull"))
    assert (third.attempt, third.feedback) == (3, ("too easy", "dull", "long"))
    assert third.last == Rejected(query="r?", passages=("p",))
    assert third.slot_id == SLOT.slot_id
    assert follow(third, "rejected", reasons=["no"], candidate=TEXT) is None


def test_the_writer_is_shown_them_and_asked_for_a_repair() -> None:
    prompt = writer_prompt(follow(SLOT, "rejected", reasons=["too easy"], candidate=TEXT), CELL)
    told = prompt[prompt.index("This is attempt 2.") :]
    assert "Repair it" in told
    assert (part(told, "REASONS"), part(told, "LAST QUESTION"), part(told, "LAST PASSAGES")) == (
        "- too easy",
        "q?",
        "p",
    )


def test_only_a_writer_of_edits_is_told_what_they_are_edits_of() -> None:
    second = follow(SLOT, "rejected", reasons=["too easy"], candidate=TEXT)
    told = {form: writer_prompt(second, CELL, form) for form in get_args(WriteForm)}
    assert all("Repair it" in prompt for prompt in told.values())
    assert [form for form, prompt in told.items() if "Edits are of the original" in prompt] == ["edits"]


@pytest.mark.parametrize("reason", NOT_WRITTEN)
def test_what_was_not_written_is_asked_for_again_in_other_words(reason: str) -> None:
    second = follow(SLOT, None, reason)
    assert second.feedback == (NOT_WRITTEN[reason],)
    prompt = writer_prompt(second, CELL)
    assert "Repair it" not in prompt
    assert prompt != writer_prompt(SLOT, CELL)


def test_after_a_reply_without_an_item_the_last_text_is_still_known() -> None:
    second = follow(SLOT, "rejected", reasons=["too easy"], candidate=TEXT)
    assert follow(second, None, "grader_truncated").last == second.last


@pytest.mark.parametrize(
    ("outcome", "reason"), [("accepted", None), (None, "undecided"), (None, "not_applicable"), (None, "other")]
)
def test_nothing_else_is(outcome: str | None, reason: str | None) -> None:
    assert follow(SLOT, outcome, reason, candidate=TEXT) is None


def test_a_declined_lever_gives_way_to_the_alternatives_in_turn_and_the_item_keeps_its_id() -> None:
    slot = SLOT.model_copy(update={"alternatives": ("B", "C")})
    second = slot.with_next_lever()
    assert second
    third = second.with_next_lever()
    assert third
    assert [one.lever for one in (slot, second, third)] == [SLOT.lever, "B", "C"]
    assert third.with_next_lever() is None
    assert {one.slot_id for one in (slot, second, third)} == {SLOT.slot_id}
    assert {one.attempt for one in (slot, second, third)} == {1}
    assert Slot.model_validate(third.to_sample().metadata) == third
