"""Plans, topics, sizes, queries and the checks on a question."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.collect.queries import block_of, own_queries, usable_queries
from refusalbench_tasks.collect.question import SourcedQuestion, broken_checks
from refusalbench_tasks.collect.record_plan import (
    PlannedRecord,
    load_topics,
    plan_records,
)
from refusalbench_tasks.collect.settings import CollectSettings
from refusalbench_tasks.errors import DataError


def test_the_bundled_topics_are_those_of_the_paper_by_number() -> None:
    assert [len(fields) for fields in load_topics().topics.values()] == [
        13,
        8,
        9,
        8,
        10,
        8,
        8,
        10,
        9,
        15,
    ]


@given(st.integers(1, 120), st.integers(0, 3))
def test_a_plan_is_balanced_over_topics_and_fields(n: int, seed: int) -> None:
    topics = {"a": ("x", "y", "z"), "b": ("u", "v")}
    plan = plan_records(topics, n, seed)
    assert len({one.id for one in plan}) == len(plan) == n
    by_topic = Counter(one.topic for one in plan)
    assert max(by_topic.values()) - min(by_topic[name] for name in topics) <= 1
    for name, fields in topics.items():
        by_field = Counter(one.field for one in plan if one.topic == name)
        assert (
            max(by_field.values(), default=0) - min(by_field[field] for field in fields)
            <= 1
        )
        for field in fields:
            own = [one for one in plan if (one.topic, one.field) == (name, field)]
            assert sorted(one.place for one in own) == list(range(len(own)))
            assert {one.of for one in own} <= {len(own)}


def test_every_record_of_a_field_has_queries_of_its_own() -> None:
    records = [
        PlannedRecord(id=str(k), topic="t", field="f", place=k, of=12)
        for k in range(12)
    ]
    assert [block_of(one) for one in records] == [(0, 10)] * 10 + [(1, 2)] * 2
    first = [own_queries([f"q{k}" for k in range(20)], one) for one in records[:10]]
    assert first[0] == ("q0", "q10")
    assert len({query for own in first for query in own}) == 20
    assert own_queries(["q0"], records[1]) == ()


def test_queries_that_ask_the_same_or_break_a_rule_are_not_used() -> None:
    asked = [
        "how deep is the Karsby lock",
        "how deep is Karsby lock",
        "gates of Ostrel",
        "news of 2024",
        "?",
        "a b " * 15,
    ]
    assert usable_queries(asked) == ["how deep is the Karsby lock", "gates of Ostrel"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- 1", "the whole"),
        ("topics: {}", "field 'topics'"),
        ("topics: {a b: [x]}", "field 'topics"),
        ("topics: {a: [x, x]}", "each once"),
        ("topics: {a: [x]}\nsuffixes: {good: [x]}", "field 'suffixes.good"),
    ],
)
def test_bad_topics_are_one_line(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(text)
    with pytest.raises(DataError, match=problem):
        load_topics(str(path))


def test_topics_without_suffixes_have_the_bundled_ones(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text("topics: {a: [ x  y ]}")
    found = load_topics(str(path))
    assert (found.topics, found.suffixes) == ({"a": ("x y",)}, load_topics().suffixes)


@pytest.mark.parametrize("size", ["", "4+", "a", "0+0+2", "4+1+1+1", "20+1", "-1"])
def test_a_set_of_another_form_is_one_line(size: str) -> None:
    with pytest.raises(DataError, match="clear: expected reliable"):
        CollectSettings(search="brave", clear=size)


def test_sizes_are_read() -> None:
    assert CollectSettings(search="brave", clear="3").sizes == {
        "clear": {"reliable": 3, "unreliable": 0, "distraction": 0},
        "ambiguous": {"reliable": 1, "unreliable": 2, "distraction": 2},
    }


PASSAGE = (
    "Who dug the Karsby lock? Nobody knows. No barge above 84 tonnes is let into the"
    " Karsby lock, by an old rule."
)
GOOD = {
    "question": "How heavy may a barge be in the Karsby lock?",
    "answer": "84 tonnes",
    "support": "No barge above 84 tonnes is let into the Karsby lock, by an old rule.",
    "aliases": (),
    "neighbour_query": "meadows and hay",
}
BREAKS = [
    ("not_one_question", {"question": "How heavy? How wide is the Karsby lock?"}),
    (
        "not_one_question",
        {"question": "How heavy may a barge be in the Karsby lock in 2024?"},
    ),
    ("not_one_question", {"question": "How heavy may a ```barge``` be?"}),
    ("copied", {"question": "Who dug the  Karsby lock?"}),
    ("support_not_in_passage", {"support": "Barges of 84 tonnes pass."}),
    ("answer_not_in_support", {"answer": "84 t"}),
    ("answer_not_in_support", {"answer": "4 tonnes"}),
    ("answer_not_in_support", {"answer": "84 tonne"}),
    (
        "answer_not_in_support",
        {"answer": "No barge above 84 tonnes is let into the Karsby lock, by an"},
    ),
    (
        "answer_in_question",
        {"question": "Does the Karsby lock take barges of 84 tonnes?"},
    ),
    (
        "neighbour_too_near",
        {"neighbour_query": "how heavy a barge may be in the Karsby lock"},
    ),
]


def test_a_good_question_breaks_no_check() -> None:
    assert broken_checks(SourcedQuestion.model_validate(GOOD), PASSAGE) == []


@pytest.mark.parametrize(("check", "change"), BREAKS)
def test_a_broken_check_is_named(check: str, change: dict[str, str]) -> None:
    assert check in broken_checks(
        SourcedQuestion.model_validate(GOOD | change), PASSAGE
    )
