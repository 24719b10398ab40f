"""The record that made and collected sources are written in: what it takes, and what
its errors say.
"""

from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.datasets.bluff import BluffSelection, load_bluff, select_bluff
from refusalbench_tasks.datasets.draw import fingerprint
from refusalbench_tasks.datasets.worlds import RowArguments
from refusalbench_tasks.errors import DataError
from tests.datasets.test_bluff import record, saved, source


def load(path: Path, *records: dict[str, Any]) -> Any:
    return load_bluff(saved(path, *records))[0]


FULL = {
    "date": "2026-01-02",
    "stance": "states",
    "value": "1900",
    "quote": "opened in 1900",
    "position": 1,
    "factors": {
        "outlet": "accountable",
        "authority": "unknown",
        "evidence": "hearsay",
        "date": "stale",
        "wording": "plain",
    },
}


def test_a_record_with_every_field_is_read(tmp_path: Path) -> None:
    factors = {
        "clear": {"conflict": "none"},
        "ambiguous": {"conflict": "conflict", "reliability": "doubtful"},
    }
    about: dict[str, Any] = {
        "question_id": "q",
        "ambiguity_type": "conflict",
        "ambiguity": {"open": True},
    }
    sets = {"clear": [source("reliable", **FULL)], "ambiguous": [source("reliable")]}
    clear, ambiguous = load(
        tmp_path, record(source_sets=sets, factors=factors, **about)
    )
    assert clear.sources[0].date == "2026-01-02"
    assert (clear.factors, ambiguous.factors) == (
        factors["clear"],
        factors["ambiguous"],
    )
    assert (clear.ambiguity_kind, ambiguous.ambiguity_kind, ambiguous.ambiguity) == (
        None,
        "conflict",
        "open",
    )
    assert clear.question == ambiguous.question == "q"
    assert load(tmp_path, record(ambiguity_type="vague"))[1].ambiguity_kind == "vague"
    assert load(tmp_path, record())[0].question == "history_000"


@pytest.mark.parametrize(
    ("broken", "field", "told"),
    [
        (
            {"factors": {"clear": {"conflict": "some"}}},
            "factors.clear",
            "unknown level 'some'; known: none, conflict",
        ),
        (
            {"conflict_about": {"clear": "names"}},
            "conflict_about.clear",
            "should be 'asked', 'other_thing', ",
        ),
        (
            {"factors": {"plain": {}}},
            "factors.plain",
            "should be 'clear' or 'ambiguous'",
        ),
        (
            {"ambiguity_type": "noise"},
            "ambiguity_type",
            "'conflict', 'missing', 'outdated', 'vague' or 'unreliable'",
        ),
    ],
)
def test_a_record_that_is_wrong_is_named_with_what_to_do(
    tmp_path: Path, broken: dict[str, Any], field: str, told: str
) -> None:
    with pytest.raises(DataError) as error:
        load(tmp_path, record(**broken))
    assert f"rows.json, row 1, field '{field}'" in str(error.value)
    assert told in str(error.value)


def test_a_draw_takes_whole_questions_and_shuffles_all_their_sets_alike() -> None:
    items, about = load_bluff(
        "worlds",
        row_args=RowArguments(data="worlds", n=24, seed=3, domains="halls,ferries"),
    )
    assert (
        about["rows"],
        about["questions_with_one_arm"],
        about["sets_not_as_intended"],
    ) == (24, [], [])
    assert about["fingerprint"] == fingerprint(items)
    drawn = select_bluff(items, BluffSelection(per_topic=1, shuffle_sources=True))
    assert len(drawn) == 16
    by_question: dict[str, set[tuple[str, ...]]] = {}
    for item in drawn:
        personas = tuple(one.title.partition(" | ")[0] for one in item.sources)
        by_question.setdefault(item.question, set()).add(personas)
    assert [len(orders) for orders in by_question.values()] == [1, 1]
