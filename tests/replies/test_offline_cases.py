"""Without a judge nothing is called right that is not: labelled replies in 17
languages.

The rows `blind-…` were written by someone who did not see the rule.
"""

import json
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.replies.decision import (
    ReplyDecision,
    ReplySettings,
    decide_by_form,
)
from refusalbench_tasks.taxonomy import Label

FILE = Path(__file__).with_name("offline_cases.jsonl")


class Case(BaseModel):
    """One reply and what it does: `answer` asserts that an alias is the answer, and
    nothing else.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    language: str
    question: str = Field(min_length=1)
    aliases: tuple[str, ...] = Field(min_length=1)
    reply: str
    label: Literal["answer", "refusal", "denial", "other"]

    def decided(self) -> ReplyDecision:
        """Return what is decided offline."""
        item = RefusalItem(
            item_id=self.id,
            source_id=self.id,
            query=self.question,
            passages=("p",),
            answers=self.aliases,
            expected=Label.ANSWER,
        )
        return decide_by_form(item, self.reply, "stop", ReplySettings(judge="offline"))


def cases() -> list[Case]:
    return [
        Case.model_validate(json.loads(line))
        for line in FILE.read_text(encoding="utf-8").splitlines()
        if line
    ]


def test_no_reply_is_called_right_that_is_not() -> None:
    labelled = cases()
    assert len({case.id for case in labelled}) == len(labelled)
    assert len({case.language for case in labelled}) >= 10
    assert {case.label for case in labelled} == {"answer", "refusal", "denial", "other"}
    assert [
        f"{case.id}: {case.reply}"
        for case in labelled
        if case.decided().correct and case.label != "answer"
    ] == []


def test_few_answers_are_read_as_refusals_or_the_reverse() -> None:
    decided = [
        (case.label, case.decided().label)
        for case in cases()
        if case.label in ("answer", "refusal")
    ]
    flips = [
        (due, found)
        for due, found in decided
        if found and (due == "answer") != (found is Label.ANSWER)
    ]
    assert len(flips) <= 0.03 * len(decided)


def test_two_in_five_right_answers_are_decided_and_all_that_we_wrote() -> None:
    answers = [case for case in cases() if case.label == "answer"]
    decided = [case for case in answers if case.decided().correct]
    assert all(case in decided for case in answers if case.id.startswith("seed-"))
    assert len(decided) >= 0.4 * len(answers)
