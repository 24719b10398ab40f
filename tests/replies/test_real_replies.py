"""What `read_reply` makes of replies of real models, which a person labelled.

The labels were written before the reader saw these replies, and nothing was tuned on
them. They are `answer`, `refusal`, `mixed`, or `nothing`: a loop, an echo, nonsense.
"""

import json
from collections import Counter
from functools import cache
from pathlib import Path

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.replies.reading import read_reply
from tests.recorded import recording

LABELS = Path(__file__).parent / "real_labels.jsonl"


@cache
def readings() -> Counter[tuple[str, str]]:
    """Return how many replies of a label were read as a kind, by label and kind."""
    numbers: Counter[tuple[str, str]] = Counter()
    for line in LABELS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        item, reply = labelled_reply(Path(row["file"]).stem, row["id"])
        reading = read_reply(
            reply,
            question=item.query,
            gold=item.references,
            context=item.passages,
        )
        numbers[row["label"], reading.kind] += 1
    return numbers


def labelled_reply(file: str, row_id: str) -> tuple[RefusalItem, str]:
    """Return a row and the reply to it."""
    items, replies = rows_and_replies(file)
    return items[row_id], replies[row_id]


@cache
def rows_and_replies(file: str) -> tuple[dict[str, RefusalItem], dict[str, str]]:
    """Return the rows and the replies of a recording, by the row's id."""
    samples = recording(file).task().dataset
    items = {str(sample.id): sample.metadata_as(RefusalItem) for sample in samples}
    replies = {reply["id"]: reply["reply"] for reply in recording(file).replies}
    return items, replies


def test_sixty_replies_are_labelled() -> None:
    assert readings().total() == 60


def test_no_answer_is_read_as_a_refusal_and_no_refusal_as_an_answer() -> None:
    assert readings()["answer", "refusal"] + readings()["refusal", "answer"] == 0


def test_most_answers_and_refusals_are_decided() -> None:
    undecided = readings()["answer", "undecided"] + readings()["refusal", "undecided"]
    assert readings()["answer", "answer"] >= 38
    assert readings()["refusal", "refusal"] >= 4
    assert undecided <= 7


def test_of_replies_that_say_nothing_some_are_taken_for_answers() -> None:
    """A passage repeated whole is read as an answer; most other loops are undecided."""
    said = readings()["nothing", "answer"] + readings()["nothing", "refusal"]
    assert said <= 4
    assert readings()["nothing", "undecided"] >= 7
