"""What readers' verdicts make of a record, worked by hand."""

from typing import Any

import pytest

from refusalbench_tasks.collect.panel import (
    found_in,
    judged_readings,
    left_open,
    settled,
)
from refusalbench_tasks.collect.record import Record, SourceReading
from refusalbench_tasks.generators.kit.answers import gives_gold
from tests.collect.panel import (
    LISTS,
    metrics,
    noted,
    run,
    write,
    writer,
)
from tests.collect.site import Site

GOLD = "84 tonnes"


def reading(
    verdict: str | None,
    answer: str = "",
    arm: str = "ambiguous",
    used: tuple[int, ...] = (),
) -> SourceReading:
    gold = gives_gold(answer, (GOLD,)) if answer else None
    known = {
        "verifier": "r",
        "arm": arm,
        "digest": "d",
        "verdict": verdict,
        "answer": answer,
    }
    return SourceReading.model_validate(known | {"gold": gold, "used": used})


def readings(*said: Any) -> list[SourceReading]:
    """Return readings: a verdict, an answer that begins with a digit or "the", or None
    for a failure.
    """
    verdicts = ("conflict", "missing", "outdated", "vague", None)
    return [reading(one) if one in verdicts else reading("answer", one) for one in said]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ((GOLD, "84 t", GOLD), (True, None)),
        ((GOLD, "120 tonnes"), (False, "settled_arm_other_answer")),
        ((GOLD, "conflict", None), (False, "settled_arm_conflict")),
        ((GOLD, "the heavy ones"), (False, "settled_arm_undecided")),
        ((GOLD, None), (None, "reader_failed")),
        ((), (None, "reader_failed")),
    ],
)
def test_a_set_settles_the_question_if_every_reader_reaches_the_gold_answer(
    said: Any, found: Any
) -> None:
    assert settled(readings(*said)) == found


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ((GOLD, GOLD), (False, "weak")),
        ((GOLD, "missing"), (True, None)),
        ((GOLD, "120 tonnes"), (True, None)),
        (("120 tonnes", "150 tonnes"), (True, None)),
        (("120 tonnes", "120 tonnes"), (False, "misleads")),
        (("the heavy ones", "the light ones"), (False, "open_arm_undecided")),
        (("missing", "missing", None), (True, None)),
        ((GOLD, GOLD, None), (None, "reader_failed")),
        ((None,), (None, "reader_failed")),
    ],
)
def test_a_set_is_open_if_readers_reach_no_common_answer(said: Any, found: Any) -> None:
    assert left_open(readings(*said)) == found


def test_the_distribution_and_its_entropy() -> None:
    found = found_in(readings(GOLD, "84 tonnes", "missing", "conflict"))
    assert found.distribution == {"conflict": 1, "gold": 2, "missing": 1}
    # ½ · 1 + 2 · ¼ · 2 bits
    assert (found.entropy, found.kind) == (1.5, "conflict")
    nothing = found_in(readings(None))
    assert (nothing.entropy, nothing.distribution, nothing.kind) == (None, {}, None)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (("missing", "missing", "conflict"), "missing"),
        (("outdated", "vague"), "outdated"),
        ((GOLD, "120 tonnes", "missing"), "conflict"),
        (("vague", "vague", GOLD), "vague"),
    ],
)
def test_the_kind_is_the_majoritys_and_different_answers_are_a_conflict(
    said: Any, kind: str
) -> None:
    assert found_in(readings(*said)).kind == kind


def record() -> Record:
    def source(k: int, category: str) -> dict[str, Any]:
        return {
            "position": k,
            "category": category,
            "title": "",
            "url": "",
            "date": "",
            "text": "x",
        }

    sets = {
        "clear": [source(1, "reliable")],
        "ambiguous": [source(1, "reliable"), source(2, "distraction")],
    }
    return Record(row={"question": "q?", "source_sets": sets})


CLEAR = reading("answer", GOLD, "clear", (1,))


@pytest.mark.parametrize(
    ("said", "decided"),
    [
        # a distraction may be looked at but not used
        (reading("missing", used=(1, 2)), (True, None)),
        (reading("conflict", used=(1, 2)), (False, "distraction_used")),
        (reading("answer", GOLD), (False, "weak")),
        (reading(None), (None, "reader_failed")),
    ],
)
def test_a_record_is_accepted_if_both_sets_do_what_they_should(
    said: SourceReading, decided: Any
) -> None:
    assert judged_readings(record(), [CLEAR, said]) == decided


def test_every_rejected_record_says_why(site: Site) -> None:
    def no_query(prompt: str) -> dict[str, Any]:
        return (
            {"queries": ["floods in March 2024", "latest news of 2025"]}
            if prompt.startswith(LISTS)
            else write(prompt)
        )

    def invented(prompt: str) -> dict[str, Any]:
        return (
            write(prompt)
            if prompt.startswith(LISTS)
            else write(prompt) | {"answer": "7 tonnes"}
        )

    def nothing(prompt: str) -> Any:
        return "I would rather not."

    cases: list[tuple[Any, dict[str, Any], bool | None, str, str, str]] = [
        (no_query, {}, False, "queries", "no_query", "2 queries, none usable"),
        (nothing, {}, None, "queries", "writer_no_payload", ""),
        (
            write,
            {"trust": "trust.yaml"},
            False,
            "gold_source",
            "no_reliable_page",
            "hits",
        ),
        (
            invented,
            {},
            False,
            "question",
            "answer_not_in_support",
            "answer_not_in_support",
        ),
        (
            write,
            {"trust": "bundled"},
            False,
            "composition",
            "shortfall",
            "ambiguous/unreliable: 0 of 2",
        ),
    ]
    for number, (writes, options, accepted, stage, reason, detail) in enumerate(cases):
        log = run(
            site.engine(), writer(writes), locks=1, logs=f"logs{number}", **options
        )
        (one,) = noted(log)
        assert (one.accepted, one.stage, one.reason) == (accepted, stage, reason)
        assert detail in one.detail
        assert (
            metrics(log)[
                f"{'undecided' if accepted is None else 'rejected'}/{stage}/{reason}"
            ]
            == 1
        )
