"""Candidates are counted from their kinds, whichever way they come: one by one, or a log at a time."""

import pickle

import pytest

from refusalbench_tasks.generators.agreement import panel_tables
from refusalbench_tasks.generators.ballots import Ballots, GrowingBallots, Names
from tests.generators.test_agreement import AMBIGUITY, HIGH, ITEMS, LOW, MISSING, item

MANY = [
    item(writer, f"q{k}", one, level, votes, share)
    for k in range(30)
    for writer in "ab"
    for one, level, share in ((AMBIGUITY, LOW, 0.3), (MISSING, HIGH, 1.0))
    for votes in [("a+ b- c+", "a- b- c+", "a+ b+", "")[(k * 7 + ord(writer) + len(level)) % 4]]
]


@pytest.mark.parametrize("size", [1, 7, 50])
def test_logs_taken_one_after_another_give_the_tables_of_all_candidates_at_once(size: int) -> None:
    growing = GrowingBallots()
    for start in range(0, len(MANY), size):
        log = GrowingBallots()
        for one in MANY[start : start + size]:
            log.add(one)
        growing.extend(pickle.loads(pickle.dumps(log.part())))
    assert repr(panel_tables(growing.ballots())) == repr(panel_tables(MANY))


def test_the_later_of_two_candidates_of_a_writer_for_a_slot_counts() -> None:
    # a's first one passed 3 of 3, its second one 1 of 3; b's passed 2 of 3
    twice = [item("a", "1", AMBIGUITY, LOW, votes) for votes in ("a+ b+ c+", "a+ b- c-")]
    rows = panel_tables([*twice, item("b", "1", AMBIGUITY, LOW, "a- b+ c+")]).tables["writer_ranking"]
    assert [(one["writer"], one["n"]) for one in rows] == [("b", 1), ("a", 1)]
    assert [one["pass_rate"] for one in rows] == pytest.approx([2 / 3, 1 / 3])


def test_a_further_candidate_of_a_kind_that_is_known_takes_twelve_bytes() -> None:
    few, many = Ballots.of(ITEMS), Ballots.of(ITEMS * 50)
    assert many.kinds == few.kinds
    sizes = [sum(each.nbytes for each in (one.which, one.slots, one.sources)) for one in (few, many)]
    assert sizes == [12 * len(ITEMS), 12 * len(ITEMS) * 50]


def test_names_are_ordered_by_their_text_and_packed_as_they_are() -> None:
    names, given = Names(), ["z\ud800", "é", "", "a", "é"]
    assert [names.number(name) for name in given] == [0, 1, 2, 3, 1]
    assert names.ranks().tolist() == [2, 3, 0, 1]
    assert list(pickle.loads(pickle.dumps(names.packed()))) == given[:4]


def test_tables_of_no_candidates_are_empty() -> None:
    tables = panel_tables([]).tables
    assert {name: rows for name, rows in tables.items() if rows} == {}
