"""The readers of the task `question`: their failures, what they know by heart, what they mark in ten passages."""

import math
import re
from collections import Counter
from typing import Any

import pytest
from inspect_ai import eval, score
from inspect_ai.model import Model

from refusalbench_tasks.own.questions.question_scorer import question_scores
from refusalbench_tasks.tasks.question import question
from tests.models import part
from tests.own.questions.panel import (
    CAPTAIN,
    CREW,
    MARKS,
    RECALLS,
    YARD,
    metrics,
    model,
    outcomes,
    passages,
    read_well,
    reader,
    reasons,
    run,
    said,
    write_well,
    writer,
)


def test_a_reader_that_fails_leaves_its_questions_undecided_and_is_asked_again_alone() -> None:
    log = run(writer(), [reader("a"), reader("b", lambda _: "I can't say.")])
    assert set(reasons(log).values()) == {(None, "reader_failed")}
    m = metrics(log)
    assert (m["n_undecided"], m["acceptance_n"], m["acceptance_low"], m["acceptance_high"]) == (3, 0, 0.0, 1.0)
    assert math.isnan(m["acceptance"])
    assert (m["mockllm/b/missing"], m["undecided/reader_failed"]) == (3, 3)
    asked: list[str] = []

    def mended(name: str) -> Model:
        def read(prompt: str) -> dict[str, Any]:
            asked.append(name)
            return read_well(prompt)

        return reader(name, read)

    roles: Any = {"reader": [mended("a"), mended("b")]}
    again = score(log, question_scores(cache=False), action="overwrite", model_roles=roles, display="none")
    assert Counter(asked) == {"b": 3}
    assert metrics(again)["n_accepted"] == 3


def test_an_objection_decides_although_another_reader_failed() -> None:
    readers = [reader("a", lambda _: "no"), reader("b", lambda _: said(""))]
    assert set(reasons(run(writer(), readers)).values()) == {(False, "reader_unanswered")}


def test_a_reader_that_cannot_be_called_ends_the_run_before_anything_is_written() -> None:
    written: list[str] = []

    def write(prompt: str) -> dict[str, Any]:
        written.append(prompt)
        return write_well(prompt)

    log = run(writer(write), [reader("a"), gone("b")])
    assert log.error
    assert log.error.message.startswith("reader mockllm/b cannot be called: LookupError: 404: no such model; nothing")
    assert written == []


def gone(name: str) -> Model:
    """Return a model whose every call fails."""
    made = reader(name)

    async def generate(*_: Any, **__: Any) -> Any:
        raise LookupError("404: no such model\nand more")

    made.generate = generate  # type: ignore[method-assign]
    return made


def test_a_reader_that_dies_stops_the_run_soon_or_leaves_all_undecided() -> None:
    log = run(writer(), [reader("a", lambda _: "no")], max_failures=2, max_samples=1)
    assert log.error
    assert re.match(r"reader mockllm/a failed [23] times in a row, last: grader_no_payload; the run", log.error.message)
    assert metrics(run(writer(), [gone("a")], max_failures=0))["n_undecided"] == 3


def test_without_a_reader_nothing_is_spent_and_the_writer_does_not_read_itself() -> None:
    asked: list[str] = []

    def write(prompt: str) -> dict[str, Any]:
        asked.append(prompt)
        return write_well(prompt)

    (log,) = eval(question("sample", cache=False), model=writer(write), log_dir="logs", display="none")
    assert log.error
    assert "no reader is bound" in log.error.message
    log = run(writer(write), [model("w", read_well)])
    assert log.error
    assert "leaves no reader" in log.error.message
    assert asked == []
    assert metrics(run(writer(write), [model("w", read_well)], self_reads=True))["n_accepted"] == 3


@pytest.mark.parametrize("keep", [False, True])
def test_a_question_that_is_known_without_its_chunk_is_left_out_or_marked(keep: bool) -> None:
    def knows(prompt: str) -> dict[str, Any]:
        if prompt.startswith(RECALLS):
            return said({CREW["question"]: "180", CAPTAIN["question"]: "Tom Reed"}.get(part(prompt, "QUESTION"), ""))
        return read_well(prompt)

    log = run(writer(), [reader("a"), reader("b", knows)], closed_book=True, keep_known=keep)
    known = {one.text: one.known for one in outcomes(log)}
    assert known == {CREW["question"]: True, YARD["question"]: False, CAPTAIN["question"]: False}
    assert reasons(log)[CREW["question"]] == ((True, None) if keep else (False, "known"))
    m = metrics(log)
    assert (m["n_accepted"], m["known"], m["known_n"]) == (3 if keep else 2, 1 / 3, 3)


def test_a_failed_closed_book_reading_decides_nothing() -> None:
    fails = reader("a", lambda prompt: "no" if prompt.startswith(RECALLS) else read_well(prompt))
    log = run(writer(), [fails], closed_book=True)
    assert set(reasons(log).values()) == {(None, "reader_failed")}
    assert metrics(log)["known_missing"] == 3


def marking(marks: dict[str, str], calls: list[str] | None = None) -> Any:
    """Return a reader's function that marks passages by their last heading, the rest as none."""

    def read(prompt: str) -> dict[str, Any]:
        if not prompt.startswith(MARKS):
            return read_well(prompt)
        if calls is not None:
            calls.append(prompt)
        names = [part(prompt, f"TITLE AND HEADINGS {k}").rpartition(" > ")[2] for k in range(1, passages(prompt) + 1)]
        return {"marks": [{"passage": k, "mark": marks.get(name, "none")} for k, name in enumerate(names, 1)]}

    return read


def test_ten_passages_are_the_chunk_and_noise_that_every_reader_found_empty() -> None:
    calls: list[str] = []
    log = run(writer(), [reader("a", marking({}, calls)), reader("b", marking({}))], passages=10, rivals=11)
    assert set(reasons(log).values()) == {(True, None)}
    assert len(calls) == 3  # one call for all candidates of a question
    assert all(passages(prompt) == 11 for prompt in calls)
    for one in outcomes(log):
        assert one.shown
        assert one.question
        assert len({chunk.id for chunk in one.shown.chunks}) == 10
        (signal,) = one.shown.signal
        assert one.shown.chunks[signal].id == one.question.chunk_id
        assert sum(chunk.source == "fleet.md" for chunk in one.shown.chunks) == 3


def test_a_chunk_with_another_answer_drops_the_question_and_too_few_passages_do() -> None:
    rival = run(writer(), [reader("a"), reader("b", marking({"Leave and illness": "another"}))], passages=10, rivals=11)
    assert set(reasons(rival).values()) == {(False, "rival_answer")}
    few = run(writer(), [reader("a", marking({"Shifts": "same", "Travel": "same", "Drills": "same"}))], passages=10)
    assert set(reasons(few).values()) == {(False, "too_few_passages")}


def test_a_reader_that_cannot_mark_leaves_the_question_undecided() -> None:
    twice = {"marks": [{"passage": 1, "mark": "none"}, {"passage": 1, "mark": "none"}]}
    fails = reader("b", lambda prompt: twice if prompt.startswith(MARKS) else read_well(prompt))
    log = run(writer(), [reader("a"), fails], passages=10)
    assert set(reasons(log).values()) == {(None, "reader_failed")}
    log = run(writer(), [reader("a", marking({"Travel": "another"})), fails], passages=10, rivals=11)
    assert set(reasons(log).values()) == {(False, "rival_answer")}
