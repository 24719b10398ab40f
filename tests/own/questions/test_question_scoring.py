"""The task `question`: what is written, what checks and readers say of it, and what a
failure leaves behind.
"""

import math
import re
from collections import Counter
from typing import Any

from inspect_ai import score
from inspect_ai.model import Model

from refusalbench_tasks.own.questions.question_scorer import question_scores
from tests.models import part
from tests.own.questions.panel import (
    CAPTAIN,
    CREW,
    DETAIL,
    ELSEWHERE,
    NEAR_MISS,
    OUTSIDE,
    PREMISE,
    YARD,
    chunk_of,
    heading,
    metrics,
    outcomes,
    read_well,
    reader,
    reasons,
    run,
    said,
    writer,
)


def test_questions_that_every_reader_answers_from_their_chunk_are_accepted() -> None:
    log = run(writer(), [reader("a"), reader("b")])
    m = metrics(log)
    assert (m["n_chunks"], m["n_questions"], m["n_accepted"]) == (3, 3, 3)
    assert (m["acceptance"], m["yield"], m["yield_n"]) == (1.0, 3 / 3, 3)
    assert m["calls"] == 3 + 3 * 2
    assert (m["calls_per_accepted"], m["tokens_per_accepted"]) == (9 / 3, 2 * 9 / 3)
    assert m["answerable/accepted"] == 3
    (found,) = (
        one.question for one in outcomes(log) if one.text == CAPTAIN["question"]
    )
    assert found
    chunk = chunk_of("Morwen")
    assert (
        chunk.text[found.start - chunk.start : found.end - chunk.start]
        == "Ines Falk"
        == found.answers[0]
    )


def test_one_reader_without_the_answer_rejects_and_ends_the_asking() -> None:
    asked: list[str] = []

    def wrong(prompt: str) -> dict[str, Any]:
        answer = {
            YARD["question"]: "2004",
            CREW["question"]: "",
            CAPTAIN["question"]: "the former mate",
        }
        return said(answer[part(prompt, "QUESTION")])

    def last(prompt: str) -> dict[str, Any]:
        asked.append(prompt)
        return read_well(prompt)

    log = run(writer(), [reader("a"), reader("b", wrong), reader("c", last)])
    assert reasons(log) == {
        YARD["question"]: (False, "reader_other_answer"),
        CREW["question"]: (False, "reader_unanswered"),
        CAPTAIN["question"]: (False, "reader_undecided"),
    }
    assert asked == []
    m = metrics(log)
    assert (m["acceptance"], m["acceptance_n"], m["rejected/reader_undecided"]) == (
        0.0,
        3,
        1,
    )
    assert math.isnan(m["calls_per_accepted"])


def test_a_reader_sees_question_and_passage_and_nothing_else() -> None:
    seen: list[str] = []

    def read(prompt: str) -> dict[str, Any]:
        seen.append(prompt)
        return read_well(prompt)

    run(writer(), [reader("a", read)], outside=4)
    assert len(seen) == 3 + 4
    told = [one for one in seen if part(one, "QUESTION") == CREW["question"]]
    assert "aliases" not in told[0]
    assert "180 passengers" not in told[0].replace(part(told[0], "PASSAGES"), "")
    assert not any(
        kind in prompt
        for prompt in seen
        for kind in ("near miss", "missing detail", "plainly outside")
    )


def test_unanswerable_questions_are_read_beside_the_nearest_passages() -> None:
    seen: dict[str, str] = {}

    def read(prompt: str) -> dict[str, Any]:
        seen[part(prompt, "QUESTION")] = part(prompt, "PASSAGES")
        answers = {DETAIL["question"]: "Ove Lund"}
        return said(answers.get(part(prompt, "QUESTION"), "")) if prompt else {}

    log = run(writer(), [reader("a", read)], questions=0, outside=4, corpus="sample")
    assert reasons(log) == {
        NEAR_MISS["question"]: (True, None),
        DETAIL["question"]: (False, "reader_answered"),
        PREMISE["question"]: (True, None),
        ELSEWHERE["question"]: (True, None),
    }
    assert all(
        chunk_of("Sula").text in seen[one["question"]]
        for one in (NEAR_MISS, DETAIL, PREMISE)
    )
    assert seen[NEAR_MISS["question"]].count("[2] ") == 1
    m = metrics(log)
    assert (
        m["near_miss/accepted"],
        m["missing_detail/acceptance"],
        m["n_accepted"],
    ) == (1, 0.0, 3)
    assert len(OUTSIDE) == m["n_questions"]


def test_what_fails_a_check_is_rejected_by_name_and_costs_no_reader() -> None:
    drafts = [CREW, YARD | {"answer": "1899"}]
    log = run(
        writer(
            lambda prompt: {"questions": drafts if heading(prompt) == "Sula" else []}
        ),
        [reader()],
    )
    assert reasons(log)[CREW["question"]] == (True, None)
    assert reasons(log)[YARD["question"]] == (False, "answer_not_in_support")
    m = metrics(log)
    assert m["check/answer_not_in_support"] == m["n_questions"] - m["n_accepted"]
    assert m["calls"] == 3 + m["n_accepted"]


def test_a_failed_reader_leaves_questions_undecided_and_is_asked_again_alone() -> None:
    log = run(writer(), [reader("a"), reader("b", lambda _: "I can't say.")])
    assert set(reasons(log).values()) == {(None, "reader_failed")}
    m = metrics(log)
    assert (
        m["n_undecided"],
        m["acceptance_n"],
        m["acceptance_low"],
        m["acceptance_high"],
    ) == (3, 0, 0.0, 1.0)
    assert math.isnan(m["acceptance"])
    assert m["undecided/reader_failed"] == 3
    asked: list[str] = []

    def mended(name: str) -> Model:
        def read(prompt: str) -> dict[str, Any]:
            asked.append(name)
            return read_well(prompt)

        return reader(name, read)

    roles: Any = {"reader": [mended("a"), mended("b")]}
    scorer = question_scores(corpus="fleet.jsonl", rivals=0, cache=False)
    again = score(log, scorer, action="overwrite", model_roles=roles, display="none")
    assert Counter(asked) == {"b": 3}
    assert metrics(again)["n_accepted"] == 3


def test_an_objection_decides_although_another_reader_failed() -> None:
    readers = [reader("a", lambda _: "no"), reader("b", lambda _: said(""))]
    assert set(reasons(run(writer(), readers)).values()) == {
        (False, "reader_unanswered")
    }


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
    assert re.match(
        r"reader mockllm/a failed [23] times in a row, last: grader_no_payload;"
        r" the run",
        log.error.message,
    )
    assert metrics(run(writer(), [gone("a")], max_failures=0))["n_undecided"] == 3
