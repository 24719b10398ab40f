"""A blind reading: what the reader sees, what counts against an item, and what never does."""

import asyncio
from typing import Any

import pytest

from refusalbench_tasks.generators.blind_reading import (
    OTHERWISE,
    STILL_ANSWERED,
    UNANSWERED,
    BlindReading,
    objection,
    read_blind,
    reader_prompt,
)
from refusalbench_tasks.generators.candidate import Candidate
from refusalbench_tasks.generators.kit.gives_gold import gives_gold
from refusalbench_tasks.taxonomy import CODES, Intensity, Label
from tests.generators.panel import named
from tests.generators.test_checks import TEXT, single
from tests.models import fake

SLOT, _ = single("Answer Clause Excised")
LOW = SLOT.model_copy(update={"intensity": Intensity.LOW})
CANDIDATE = Candidate(query="Who did it?", passages=(TEXT,), lever="Answer Clause Excised", reasoning="Secret reason.")


def reading(label: Label | None, gold: bool | None = None) -> BlindReading:
    return BlindReading(reader="r", digest="d", label=label, gold=gold)


def test_a_reader_sees_the_item_and_the_codes_and_nothing_of_plan_original_or_writer() -> None:
    prompt = reader_prompt(CANDIDATE)
    assert "Who did it?" in prompt
    assert TEXT in prompt
    assert all(code.label in prompt for code in CODES)
    for secret in ("Secret reason", "Answer Clause Excised", SLOT.base.query, "HIGH", "Ole Brandt\n"):
        assert secret not in prompt


@pytest.mark.parametrize(
    ("slot", "read", "expected"),
    [
        (LOW, reading(Label.ANSWER, True), None),
        (LOW, reading(Label.ANSWER, False), OTHERWISE),
        (LOW, reading(Label.ANSWER, None), None),
        (LOW, reading(Label.MISSING), UNANSWERED),
        (SLOT, reading(Label.ANSWER, True), STILL_ANSWERED),
        (SLOT, reading(Label.ANSWER, False), None),
        (SLOT, reading(Label.MISSING), None),
        (SLOT, reading(Label.AMBIGUOUS), None),
        (SLOT, reading(None), None),
        (LOW, reading(None), None),
    ],
)
def test_only_what_decides_the_gold_label_counts_against_an_item(slot: Any, read: Any, expected: str | None) -> None:
    assert objection(slot, read) == expected


@pytest.mark.parametrize(
    ("answer", "aliases", "expected"),
    [
        ("It was Ole Brandt.", ("Ole Brandt",), True),
        ("Brandt", ("Ole Brandt",), True),
        ("Per Lund", ("Ole Brandt", "Brandt"), None),
        ("the man from Lund", ("Ole Brandt", "Brandt"), None),
        ("because the ice broke", ("the ice gave way",), None),
        ("4 October 1874", ("3 October 1874",), False),
        ("1921", ("1820",), False),
        ("twelve", ("eleven arches", "11"), False),
        ("12 arches", ("eleven arches", "the river"), None),
        ("No, it is closed.", ("yes",), False),
        ("Yes", ("yes",), True),
        ("200 m", ("180 kilograms",), None),
        ("1,820", ("1820",), True),
        ("180 kg", ("180 kilograms",), True),
        ("200 kg", ("180 kilograms",), False),
        ("1874-10-03", ("3 October 1874",), True),
        ("on", ("keep it on board",), None),
        ("", ("1820",), None),
        ("Ole", (), None),
    ],
)
def test_an_answer_is_compared_with_the_aliases(answer: str, aliases: tuple[str, ...], expected: bool | None) -> None:
    assert gives_gold(answer, aliases) is expected


def test_a_reading_is_kept_with_the_text_that_was_read() -> None:
    said = {"why": "It stands there.", "label": "ANSWER_CORRECTLY", "answer": "Ole Brandt"}
    found = asyncio.run(read_blind(named("r", lambda _: "", lambda _: said), SLOT, CANDIDATE))
    assert (found.label, found.answer, found.gold, found.digest) == (Label.ANSWER, "Ole Brandt", True, CANDIDATE.digest)
    assert found.spent.calls == 1
    assert BlindReading.model_validate(found.model_dump(mode="json")) == found
    refused = asyncio.run(
        read_blind(named("r", lambda _: "", lambda _: said | {"label": "REFUSE_OTHER"}), SLOT, CANDIDATE)
    )
    assert (refused.label, refused.gold) == (Label.OTHER, None)


def test_a_failed_call_or_a_reply_without_a_label_is_a_missing_reading() -> None:
    def gone(_: str) -> Any:
        raise ConnectionError("502")

    assert asyncio.run(read_blind(fake(gone), SLOT, CANDIDATE)).failure == "ConnectionError: 502"
    found = asyncio.run(read_blind(fake(lambda _: "well"), SLOT, CANDIDATE))
    assert (found.label, found.failure, found.spent.calls) == (None, "grader_no_payload", 2)
