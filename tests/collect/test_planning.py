"""Plans, topics, sizes, queries and the rules on a question."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.collect.planned import PlannedRecord, plan_records
from refusalbench_tasks.collect.queries import block_of, dated, own_queries, problems_of, usable_queries
from refusalbench_tasks.collect.question_draft import RULES, QuestionDraft, check
from refusalbench_tasks.collect.sizes import needed, sizes_of
from refusalbench_tasks.collect.topics import load_topics
from refusalbench_tasks.errors import DataError


def test_the_bundled_topics_are_those_of_the_paper_by_number() -> None:
    counts = {name: len(fields) for name, fields in load_topics().fields.items()}
    assert list(counts.values()) == [13, 8, 9, 8, 10, 8, 8, 10, 9, 15]
    assert sum(counts.values()) == 98


@given(st.integers(1, 120), st.integers(0, 3))
def test_a_plan_is_balanced_over_topics_and_fields(n: int, seed: int) -> None:
    topics = {"a": ("x", "y", "z"), "b": ("u", "v")}
    plan = plan_records(topics, n, seed)
    assert len({one.id for one in plan}) == len(plan) == n
    by_topic = Counter(one.topic for one in plan)
    assert max(by_topic.values()) - min(by_topic[name] for name in topics) <= 1
    for name, fields in topics.items():
        by_field = Counter(one.field for one in plan if one.topic == name)
        assert max(by_field.values(), default=0) - min(by_field[field] for field in fields) <= 1
        for field in fields:
            own = [one for one in plan if (one.topic, one.field) == (name, field)]
            assert sorted(one.place for one in own) == list(range(len(own)))
            assert {one.of for one in own} <= {len(own)}


def test_every_record_of_a_field_has_queries_of_its_own() -> None:
    records = [PlannedRecord(id=str(k), topic="t", field="f", place=k, of=12) for k in range(12)]
    assert [block_of(one) for one in records] == [(0, 10)] * 10 + [(1, 2)] * 2
    first = [own_queries([f"q{k}" for k in range(20)], one) for one in records[:10]]
    assert first[0] == ("q0", "q10")
    assert len({query for own in first for query in own}) == 20
    assert own_queries(["q0"], records[1]) == ()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("how wide may a lock be", ""),
        ("may a court march on", ""),
        ("treaty of 1648", ""),
        ("sales in Q3", "Q3"),
        ("floods of 2024", "2024"),
        ("what changed in May 2", "May 2"),
        ("latest ruling on dams", "latest"),
        ("weather in December", "December"),
    ],
)
def test_queries_are_tied_to_no_time(query: str, found: str) -> None:
    assert dated(query) == found


def test_queries_that_ask_the_same_or_break_a_rule_are_not_used() -> None:
    asked = [
        "how deep is the Karsby lock",
        "how deep is Karsby lock",
        "gates of Ostrel",
        "news of 2024",
        "the of",
        "a " * 30,
    ]
    assert usable_queries(asked) == ["how deep is the Karsby lock", "gates of Ostrel"]
    assert problems_of(asked, 2) == {}
    assert set(problems_of(asked, 3)) == {"too_few", "dated", "too_long"}


@pytest.mark.parametrize(
    ("clear", "ambiguous", "reliable"), [("4+1", "1+2+2", 5), (3, "0+1", 3), ("2 + 2", "1+1+1", 3)]
)
def test_sizes(clear: object, ambiguous: object, reliable: int) -> None:
    assert needed(sizes_of(clear, ambiguous), "reliable") == reliable


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("topics: []", "field 'topics'"),
        ("topics: {a b: [x]}", "letters, digits"),
        ("topics: {a: [1999]}", "field 'a': expected a list of texts"),
        ("topics: {a: [x, x]}", "'x' is there twice"),
        ("topics: {a: [x]}\nsuffixes: {good: [y]}", "field 'suffixes'"),
    ],
)
def test_a_wrong_file_of_topics_is_one_line_that_names_file_and_field(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "topics.yaml"
    path.write_text(text)
    with pytest.raises(DataError, match=problem) as error:
        load_topics(str(path))
    assert "topics.yaml" in str(error.value)


PASSAGE = (
    "The Karsby lock was dug by hand.\nNo barge above 84 tonnes is let into the Karsby lock, by an old rule. "
    "Who dug the Karsby lock?"
)
GOOD = {
    "question": "How heavy may a barge be in the Karsby lock?",
    "answer": "84 tonnes",
    "support": "No barge above 84 tonnes is let into the Karsby lock, by an old rule.",
    "aliases": (),
    "neighbour_query": "meadows and hay",
}
BREAKS = {
    "not_one_question": {"question": "How heavy? How wide is the Karsby lock?"},
    "speaks_of_text": {"question": "How heavy may a barge be in the lock of the passage?"},
    "tied_to_a_time": {"question": "How heavy may a barge be in the Karsby lock in 2024?"},
    "copied": {"question": "Who dug the  Karsby lock?"},
    "subject_unnamed": {"question": "How much is it?"},
    "support_not_in_passage": {"support": "Barges of 84 tonnes pass."},
    "answer_not_in_support": {"answer": "84 t"},
    "support_too_long": {"support": "84 tonnes " * 50},
    "answer_in_question": {"question": "Does the Karsby lock take barges of 84 tonnes?"},
    "answer_too_long": {"answer": "No barge above 84 tonnes is let into the Karsby lock, by an"},
    "answer_says_nothing": {"answer": "by"},
    "neighbour_too_near": {"neighbour_query": "how heavy a barge the Karsby lock takes"},
}


def test_a_good_question_breaks_no_rule() -> None:
    assert check(QuestionDraft.model_validate(GOOD), PASSAGE) == {}


def test_every_rule_has_its_case() -> None:
    assert set(BREAKS) == {rule.__name__ for rule in RULES}


@pytest.mark.parametrize("piece", ["4 tonnes", "84 t", "84 tonne"])
def test_a_piece_of_a_number_or_of_a_word_is_no_answer(piece: str) -> None:
    assert "answer_not_in_support" in check(QuestionDraft.model_validate(GOOD | {"answer": piece}), PASSAGE)


@pytest.mark.parametrize("rule", BREAKS)
def test_a_broken_rule_is_named(rule: str) -> None:
    assert rule in check(QuestionDraft.model_validate(GOOD | BREAKS[rule]), PASSAGE)
