"""Plans and topics."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.collect.record_plan import (
    load_topics,
    plan_records,
)
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
