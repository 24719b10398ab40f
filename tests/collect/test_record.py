"""A record while it is made, and how it ends."""

from typing import Any

from inspect_ai.scorer import Score

from refusalbench_tasks.collect.record import COLLECT, Record, RecordEndedError


def record(text: str = "x", url: str = "u") -> Record:
    source = {"title": "t", "url": url, "date": "", "text": text, "category": "other"}
    row: dict[str, Any] = {
        "question": "Who?",
        "gold_answer": "Ole",
        "gold_aliases": ["Ole B."],
        "source_sets": {"clear": [source], "ambiguous": []},
    }
    return Record(row=row)


def test_what_a_reader_is_shown_identifies_an_arm() -> None:
    digest = record().digest("clear")
    assert digest != record(text="y").digest("clear")
    assert digest != record(url="v").digest("clear")
    assert digest != record().digest("ambiguous")
    assert record().digest("ambiguous") == record(text="y").digest("ambiguous")
    assert record().answers == ("Ole", "Ole B.")


def test_a_record_that_ends_is_rejected_unless_nothing_was_decided() -> None:
    ended = RecordEndedError("queries", "no_query", "2 queries")
    assert (str(ended), ended.end.accepted) == (
        "queries: no_query. 2 queries",
        False,
    )
    undecided = RecordEndedError("queries", "writer_failed", accepted=None)
    assert undecided.end.accepted is None


def test_a_score_says_why_nothing_came() -> None:
    end = RecordEndedError("queries", "no_query").end.model_dump()
    score = Score(value=0, metadata={"id": "a", "topic": "t", **end})
    assert list(COLLECT.why_not_accepted(score)) == ["queries/no_query"]
