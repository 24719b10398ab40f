"""What runs that make data share: the parts of a plan, scores, and notes in logs."""

import math

from inspect_ai.model import ModelName
from inspect_ai.scorer import Score
from inspect_ai.solver import TaskState
from pydantic import BaseModel

from refusalbench_tasks.datasets.draw import Shard
from refusalbench_tasks.generators.kit.maker import (
    Maker,
    MakerSlot,
    as_number,
    outcome_text,
    shard_slots,
)
from refusalbench_tasks.judging.ask import Spent


class Numbered(MakerSlot):
    number: int


class Note(BaseModel):
    text: str = ""


MAKER = Maker("made", "made_scores", Note, (), lambda _: [])


def parts(shard: Shard | None) -> list[Numbered]:
    slots = [Numbered(number=number) for number in range(5)]
    return shard_slots(slots, shard, 0, lambda slot: str(slot.number), lambda _: "")


def test_each_slot_of_a_part_knows_how_many_there_are() -> None:
    assert [(slot.planned, slot.shard) for slot in parts(None)] == [(5, 0)] * 5
    first = parts(Shard(shard=1, of=2))
    second = parts(Shard(shard=2, of=2))
    assert {slot.number for slot in (*first, *second)} == set(range(5))
    assert {(slot.planned, slot.shard) for slot in first} == {(len(first), 1)}
    assert {(slot.planned, slot.shard) for slot in second} == {(len(second), 2)}


def test_a_score_without_an_answer_is_unscored_with_its_reason() -> None:
    note = Note(text="x")
    spent = Spent(calls=2, tokens=30)
    decided = MAKER.score(
        note, spent, outcome_text(False), {"accepted": as_number(False)}
    )
    assert decided.answer == "rejected"
    assert decided.value == {"accepted": 0, "calls": 2, "tokens": 30, "unscored": 0}
    assert decided.metadata == {"text": "x"}
    open_ = MAKER.score(
        note, spent, outcome_text(None), {"accepted": as_number(None)}, "undecided"
    )
    assert (open_.answer, open_.reason, open_.explanation) == (None, "undecided", None)
    assert isinstance(open_.value, dict)
    assert math.isnan(float(open_.value["accepted"] or 0))
    assert open_.value["unscored"] == 1


def state(scores: dict[str, Score]) -> TaskState:
    return TaskState(ModelName("mockllm/m"), 1, 1, "", [], scores=scores)


def test_the_newest_earlier_scoring_is_the_one_that_counts() -> None:
    scores = {
        "made_scores": Score(value=1, metadata={"text": "old"}),
        "made_scores1": Score(value=1, metadata={"text": "new"}),
        "other": Score(value=1, metadata={"text": "other"}),
    }
    assert MAKER.earlier(state(scores)) == Note(text="new")
    assert MAKER.earlier(state({"other": scores["other"]})) is None
