"""BLUFF-1000's data: the released layout, its faults, and what a run uses of it."""

import copy
import json
import logging
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import pytest

from refusalbench_tasks.datasets import bluff as bluff_data
from refusalbench_tasks.datasets.bluff import BluffSelection, load_bluff, select_bluff
from refusalbench_tasks.datasets.bluff_item import PUBLISHED, Arm
from refusalbench_tasks.errors import DataError
from tests.golden import golden, needs_golden

_NAMES = (
    "astronomy climate current_events finance history law psychology public_health"
    " sports technology"
)
TOPICS = _NAMES.split()


def source(category: str, **changes: Any) -> dict[str, Any]:
    made = {
        "url": "https://a.example",
        "category": category,
        "title": "A",
        "text": "Some text.",
        "score": 0.5,
    }
    return made | changes


def record(name: str = "history_000", **changes: Any) -> dict[str, Any]:
    sets = {
        "clear": [source("reliable")] * 4 + [source("unreliable")],
        "ambiguous": (
            [source("reliable")]
            + [source("unreliable")] * 2
            + [source("distraction", score="N/A")] * 2
        ),
    }
    made = {
        "id": name,
        "topic": "history",
        "question": "When?",
        "gold_answer": "In 1900.",
        "source_sets": sets,
    }
    return copy.deepcopy(made | changes)


def saved(path: Path, *records: dict[str, Any]) -> str:
    (path / "rows.json").write_text(json.dumps(records))
    return str(path / "rows.json")


@needs_golden
def test_the_quality_of_a_set_is_that_of_the_released_evaluator() -> None:
    item = load_bluff("sample")[0][0]
    for case in golden("source_quality"):
        made = [
            item.sources[0].model_copy(update={"category": one})
            for one in case["categories"]
        ]
        assert item.model_copy(
            update={"sources": tuple(made)}
        ).quality == pytest.approx(case["quality"])


def test_an_item_shows_neither_the_gold_answer_nor_the_gold_passage(
    tmp_path: Path,
) -> None:
    items, _ = load_bluff(saved(tmp_path, record(gold_passage={"text": "secret"})))
    assert "secret" not in items[0].model_dump_json()


@pytest.mark.parametrize(
    ("broken", "field"),
    [
        ({"question": ""}, "question"),
        ({"source_sets": None}, "source_sets"),
        (
            {"source_sets": {"clear": [source("dubious")]}},
            "source_sets.clear.0.category",
        ),
        (
            {"source_sets": {"clear": [source("reliable", text="")]}},
            "source_sets.clear.0.text",
        ),
        ({"ambiguity": "vague"}, "ambiguity"),
        ({"ambiguity": {"open": "perhaps"}}, "ambiguity.open"),
    ],
)
def test_a_malformed_record_names_file_row_and_field(
    tmp_path: Path, broken: dict[str, Any], field: str
) -> None:
    with pytest.raises(DataError, match=f"rows.json, row 2, field '{field}'"):
        load_bluff(saved(tmp_path, record("a_001"), record("a_002", **broken)))


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"open": True, "kind": "vague", "note": "x"}, ("open", "vague")),
        ({"open": False}, ("inferable", None)),
        (None, (None, None)),
    ],
)
def test_the_ambiguous_arm_alone_says_whether_the_answer_is_open(
    tmp_path: Path, given: dict[str, Any] | None, read: tuple[str | None, str | None]
) -> None:
    items, _ = load_bluff(saved(tmp_path, record(ambiguity=given)))
    assert {item.arm: (item.ambiguity, item.ambiguity_kind) for item in items} == {
        "clear": (None, None),
        "ambiguous": read,
    }


def test_a_missing_arm_and_an_unusual_composition_are_counted_and_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    short = record("a_001")
    short["source_sets"]["clear"] = short["source_sets"]["clear"][1:]
    single = record("a_002")
    del single["source_sets"]["ambiguous"]
    with caplog.at_level(logging.WARNING):
        items, provenance = load_bluff(saved(tmp_path, short, single))
    assert provenance["questions_with_one_arm"] == ["a_002"]
    assert provenance["sets_not_as_intended"] == ["a_001/clear"]
    assert len(items) == 3
    assert "sources for one arm only" in caplog.text
    assert "another composition" in caplog.text


def test_arms_stay_together_and_topics_take_turns() -> None:
    items, _ = load_bluff("sample")
    chosen = select_bluff(items, BluffSelection(seed=3))
    assert [
        a.source_id == b.source_id
        for a, b in zip(chosen[::2], chosen[1::2], strict=True)
    ] == [True] * 44
    assert sorted(item.topic for item in chosen[:20:2]) == TOPICS
    assert chosen != select_bluff(items, BluffSelection(seed=4))
    assert chosen == select_bluff(list(reversed(items))[::-1], BluffSelection(seed=3))


def test_sources_keep_the_released_order_unless_shuffled_by_seed() -> None:
    items, _ = load_bluff("sample")
    plain = select_bluff(items, BluffSelection())
    shuffled = select_bluff(items, BluffSelection(shuffle_sources=True))
    assert [s.category for s in plain[0].sources] == ["reliable"] * 4 + ["unreliable"]
    assert [i.sources for i in shuffled] != [i.sources for i in plain]
    assert all(
        set(a.sources) == set(b.sources) for a, b in zip(plain, shuffled, strict=True)
    )
    assert shuffled == select_bluff(items, BluffSelection(shuffle_sources=True))


def test_hub_says_that_there_is_no_licence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    fetched = saved(tmp_path, record())
    monkeypatch.setattr(bluff_data, "fetch", lambda file: fetched)
    with caplog.at_level(logging.WARNING):
        items, provenance = load_bluff("hub")
    assert len(items) == 2
    assert provenance["licence"] == "none stated"
    assert "states no licence" in caplog.text


def test_other_arms_have_no_sources_or_the_gold_passage(tmp_path: Path) -> None:
    gold = {
        "title": "t",
        "url": "https://g.example/x",
        "date": "2020",
        "text": "the passage",
    }
    path = saved(tmp_path, record("a_001", gold_passage=gold), record("a_002"))
    items, provenance = load_bluff(path, BluffSelection(arms="gold, clear,none").arms)
    shown = {
        item.item_id: [source.text for source in item.sources]
        for item in items
        if item.arm != "clear"
    }
    assert shown == {"a_001/none": [], "a_001/gold": ["the passage"], "a_002/none": []}
    assert (
        provenance["questions_with_one_arm"] == provenance["sets_not_as_intended"] == []
    )
    assert load_bluff(path)[0] == [
        item for item in load_bluff(path, get_args(Arm))[0] if item.arm in PUBLISHED
    ]


@pytest.mark.parametrize("bad", ["text", {"title": "t"}, ["x"], {"text": ""}])
def test_a_gold_passage_that_is_none_is_named_where_it_is_needed(
    tmp_path: Path, bad: Any
) -> None:
    path = saved(tmp_path, record(gold_passage=bad))
    assert load_bluff(path)[0]
    with pytest.raises(DataError, match="gold_passage"):
        load_bluff(path, ("gold",))


def test_arms_are_told_by_name(tmp_path: Path) -> None:
    assert BluffSelection(arms="ambiguous,clear, clear").arms == PUBLISHED
    for bad, why in (
        ("clear,both", "Input should be 'clear', .*, got 'both'"),
        ("", "expected at least one"),
    ):
        with pytest.raises(DataError, match=why):
            BluffSelection(arms=bad)
    with pytest.raises(DataError, match="no row has a gold_passage"):
        load_bluff(saved(tmp_path, record()), ("clear", "gold"))


def test_a_quick_run_has_whole_questions_of_all_topics(
    caplog: pytest.LogCaptureFixture,
) -> None:
    items, _ = load_bluff("worlds")
    with caplog.at_level(logging.WARNING):
        drawn = select_bluff(items, BluffSelection(data="worlds", quick=True))
    whole = select_bluff(items, BluffSelection(data="worlds"))
    assert drawn == whole[: len(drawn)]
    assert 90 < len(drawn) <= 96
    sets = Counter(item.question for item in whole)
    assert Counter(item.question for item in drawn).items() <= sets.items()
    assert f"quick=true: {len(drawn)} of {len(whole)} rows; " in caplog.text
