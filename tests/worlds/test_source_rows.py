"""Rows of made sources, and what tells the sets of a row apart."""

import json
import re
from collections import Counter
from functools import cache
from typing import Any

from refusalbench_tasks.datasets.bluff_item import LEVELS, BluffRecord
from refusalbench_tasks.worlds.document import DOCUMENTS
from refusalbench_tasks.worlds.source_rows import source_rows

Row = dict[str, Any]
SETS = 288


@cache
def rows(seed: int = 1) -> tuple[Row, ...]:
    return tuple(source_rows(seed, 0, SETS))


def test_rows_have_the_layout_and_the_levels_that_their_readings_show() -> None:
    for row in rows():
        BluffRecord.model_validate(row)
        for arm, levels in row["factors"].items():
            found = row["readings"][arm]
            assert found["conflict"] == (levels["conflict"] == LEVELS["conflict"][1])
            assert found["sufficient"] == (
                levels["sufficiency"] == LEVELS["sufficiency"][0]
            )
            assert found["all"] in (None, row["gold_answer"])
            about = {
                "missing": "other_thing",
                "outdated": "former_value",
                "vague": "bounds",
            }[row["design"]["gap"]]
            due = (
                ("asked" if found["sufficient"] else about)
                if found["conflict"]
                else None
            )
            assert row["conflict_about"][arm] == found["conflict_about"] == due
        assert row["ambiguity"]["open"] == (
            row["readings"]["ambiguous"]["weighed"] != row["gold_answer"]
        )
        values = {
            one["value"] for one in sources_of(row) if one["stance"] == "contradicts"
        }
        assert row["gold_answer"] not in values


def test_every_stance_and_ambiguity_occurs_and_only_bounds_hold_the_gold() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for row in rows():
        short = [
            one for one in sources_of(row) if one["stance"] in ("vague", "contradicts")
        ]
        assert not [
            one
            for one in short
            if re.search(rf"(?<![\d,.]){row['gold_answer']}(?!\d|[.,]\d)", one["quote"])
        ]
        seen.update((row["design"]["gap"], one["stance"]) for one in sources_of(row))
    assert {stance for _, stance in seen} == {
        "states",
        "contradicts",
        "silent",
        "outdated",
        "vague",
    }
    assert {gap for gap, stance in seen if stance == "vague"} == {"vague"}
    assert {gap for gap, stance in seen if stance == "outdated"} == {"outdated"}
    # of each gap a third of the questions, and of these a third has it as what tells
    # the sets apart
    kinds = Counter(row["ambiguity_type"] for row in rows())
    assert kinds == {
        "unreliable": 96,
        "conflict": 96,
        "missing": 32,
        "outdated": 32,
        "vague": 32,
    }


def sources_of(row: Row) -> list[Row]:
    return [one for sources in row["source_sets"].values() for one in sources]


def test_the_same_seed_gives_the_same_rows_whatever_is_made_besides() -> None:
    assert json.dumps(list(source_rows(1, 40, 44))) == json.dumps(rows()[40:44])
    assert json.dumps(rows(2)) != json.dumps(rows(1))
    assert {row["topic"] for row in source_rows(3, 0, 16, ("halls", "buses"))} == {
        "halls",
        "buses",
    }
    assert {row["topic"] for row in rows()} == set(DOCUMENTS)


# What tells the sets apart
