"""Rows of made sources, and what tells the sets of a row apart."""

import json
import re
from collections import Counter
from functools import cache
from typing import Any

import pytest

from refusalbench_tasks.datasets.bluff_item import FACTORS, LEVELS, BluffRecord
from refusalbench_tasks.worlds.document import DOCUMENTS
from refusalbench_tasks.worlds.source_question import hearing
from refusalbench_tasks.worlds.source_rows import source_rows
from refusalbench_tasks.worlds.sources import Source

Row = dict[str, Any]
SETS = 288
NAMES = re.compile(r"(?<=[a-z,] )[A-Z]\w+(?: [A-Z]\w+)*|\b[A-Z]\w+(?: [A-Z]\w+)+")
NUMBERS = re.compile(r"\d[\d,.:]*\d|\d")
PERIODS = re.compile(r"\b(?:since|until|from|up to|on|has been|was)\b", re.IGNORECASE)
BOUNDS = re.compile(r"somewhere between (#(?: \w+)?) and #(?: \w+)?")


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


def masked(sources: tuple[Source, ...], arm: str) -> str:
    """Return a set's text without what is meant to tell: names, values, cues of
    reliability and words for periods.
    """
    whole = "\n".join(
        one.text.replace(one.cues["opening"], "CUE").replace(
            one.cues["evidence"], "CUE"
        )
        for one in sources
    )
    if arm == "conflict":
        # values are what it is told by, and each for itself tells nothing
        return whole
    if arm == "sufficiency":
        whole = PERIODS.sub("", whole)
        return BOUNDS.sub(r"\1", NUMBERS.sub("#", NAMES.sub("@", whole)))
    return NUMBERS.sub("#", NAMES.sub("@", whole))


def test_the_sets_of_a_row_are_as_long_as_each_other_source_by_source() -> None:
    for row in rows():
        for clear, ambiguous in zip(*row["source_sets"].values(), strict=True):
            assert (clear["persona"], clear["position"]) == (
                ambiguous["persona"],
                ambiguous["position"],
            )
            ratio = len(clear["text"].split()) / len(ambiguous["text"].split())
            assert 1 / 1.2 < ratio < 1.2


def test_sentences_that_no_factor_is_told_by_are_the_same_in_both_sets() -> None:
    for row in rows():
        for clear, ambiguous in zip(*row["source_sets"].values(), strict=True):
            rests = []
            for one in (clear, ambiguous):
                said = (
                    one["text"].replace(one["quote"], "QUOTE")
                    if one["quote"]
                    else one["text"]
                )
                if row["design"]["arm"] == "reliability":
                    said = said.replace(one["cues"]["opening"], "").replace(
                        one["cues"]["evidence"], ""
                    )
                rests.append(said)
            assert rests[0] == rests[1]
            if row["design"]["arm"] == "reliability":
                assert clear["quote"] == ambiguous["quote"]


@pytest.mark.parametrize("arm", FACTORS)
def test_counted_words_do_not_tell_the_sets_once_the_cues_are_masked(arm: str) -> None:
    sklearn = pytest.importorskip("sklearn.linear_model")
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.model_selection import GroupKFold, cross_val_score
    from sklearn.pipeline import make_pipeline

    # one row of each of 120 questions, because the four of a question are nearly the
    # same
    indices = range(FACTORS.index(arm), 360, 3)
    asked = [hearing(1, index, DOCUMENTS) for index in indices]
    cells = [one.plan.pairs()[number % 4] for number, one in enumerate(asked)]
    texts = [
        masked(one.sources(cell), arm)
        for one, pair in zip(asked, cells, strict=True)
        for cell in pair
    ]
    model = make_pipeline(
        CountVectorizer(ngram_range=(1, 2), min_df=3),
        sklearn.LogisticRegression(C=0.3, max_iter=300),
    )
    groups = [index for index in indices for _ in range(2)]
    scores = cross_val_score(
        model, texts, [0, 1] * len(asked), groups=groups, cv=GroupKFold(3)
    )
    assert scores.mean() <= 0.60
