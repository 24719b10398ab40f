"""The sources of a question: what is meant to tell its sets apart, and nothing else."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from refusalbench_tasks.datasets.bluff_item import FACTORS
from refusalbench_tasks.worlds.document import DOCUMENTS
from refusalbench_tasks.worlds.source_question import make_question
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


def masked(sources: Sequence[Source], arm: str) -> str:
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
    asked = [make_question(1, index, DOCUMENTS) for index in indices]
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
