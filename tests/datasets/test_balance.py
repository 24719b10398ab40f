"""Draws are balanced over classes and intensities; a quick run stands for all rows."""

import logging
from collections import Counter, defaultdict
from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.datasets.balance import balanced_draw, quick_draw, stratum
from refusalbench_tasks.datasets.benchmarks import (
    NQ,
    Selection,
    load,
    select,
)
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.quick import QUICK, detectable
from refusalbench_tasks.metrics.refusal import values
from refusalbench_tasks.stats.cluster import places_of
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Label, expected_label
from tests.datasets.perturbed_items import item, items
from tests.metrics.replies import replies, reply


def cells(drawn: list[RefusalItem]) -> Counter[tuple[str, str]]:
    return Counter((str(i.perturbation), str(i.intensity)) for i in drawn)


def test_a_draw_is_balanced_over_cells_and_spread_over_generators() -> None:
    drawn = balanced_draw(items(), per_stratum=4, seed=1)
    assert set(cells(drawn).values()) == {4}
    assert len(cells(drawn)) == 18
    per_cell_and_generator = Counter(
        (i.perturbation, i.intensity, i.generator) for i in drawn
    )
    assert set(per_cell_and_generator.values()) == {1}


def test_every_prefix_is_balanced() -> None:
    drawn = balanced_draw(items(), per_stratum=None, seed=3)
    for k in (18, 36, 54):
        assert set(cells(drawn[:k]).values()) == {k // 18}


@given(st.randoms(), st.integers(0, 5))
def test_the_draw_depends_on_the_seed_and_not_on_the_order_of_the_rows(
    random: Random, seed: int
) -> None:
    shuffled = items()
    random.shuffle(shuffled)
    assert balanced_draw(shuffled, 2, seed) == balanced_draw(items(), 2, seed)


def released_like(seed: int = 0) -> list[RefusalItem]:
    """Return 1,584 rows as the released ones are: 88 for each class and intensity, of
    a hundred base questions and four generators.
    """
    random = Random(seed)
    places = [(k, g) for k in range(100) for g in range(4)]
    rows = []
    for c in CLASSES:
        for i in PERTURBED:
            rows += [
                item(
                    f"{k}-{c}-{i}-{g}",
                    source_id=f"s{k}",
                    perturbation=c,
                    intensity=i,
                    expected=expected_label(c, i),
                    generator=f"g{g}",
                )
                for k, g in random.sample(places, 88)
            ]
    return rows


def without_twin(drawn: list[RefusalItem]) -> int:
    kinds = defaultdict(set)
    for row in drawn:
        kinds[row.source_id, row.perturbation].add(row.answerable)
    return sum(
        True not in kinds[row.source_id, row.perturbation]
        for row in drawn
        if not row.answerable
    )


def test_a_quick_run_of_the_released_rows_has_ninety_with_answerable_twins() -> None:
    drawn = quick_draw(released_like(), seed=0)
    assert len(drawn) == 90 <= QUICK
    assert set(cells(drawn).values()) == {5}
    assert without_twin(drawn) == 0
    assert len({row.source_id for row in drawn}) >= 20


def test_a_quick_run_of_worlds_has_whole_quads() -> None:
    chosen = Selection(data="worlds", n=400, quick=True)
    drawn = select(load(NQ, chosen), chosen)
    assert Counter(row.answerable for row in drawn) == {True: 48, False: 48}
    assert set(Counter(row.pair for row in drawn).values()) == {2}
    assert set(Counter(row.perturbation for row in drawn).values()) == {16}
    assert set(Counter(row.source_id for row in drawn).values()) == {4}


def test_few_rows_are_all_in_a_quick_run() -> None:
    chosen = Selection(data="sample", quick=True)
    assert len(select(load(NQ, chosen), chosen)) == 72


def test_unperturbed_rows_are_the_twins_of_rows_that_have_no_other() -> None:
    rows = []
    for k in range(100):
        rows.append(item(f"clean-{k}", source_id=f"s{k}"))
        refused = item(
            f"refused-{k}",
            source_id=f"s{k}",
            perturbation="P-MissingInfo",
            intensity="HIGH",
            expected=Label.MISSING,
        )
        rows.append(refused)
    drawn = quick_draw(rows, seed=0)
    assert len(drawn) == QUICK
    assert set(Counter(row.source_id for row in drawn).values()) == {2}


@given(st.randoms(), st.integers(0, 3))
def test_a_quick_run_does_not_depend_on_the_order_of_the_rows(
    random: Random, seed: int
) -> None:
    shuffled = items()
    random.shuffle(shuffled)
    assert quick_draw(shuffled, seed) == quick_draw(items(), seed)


def test_a_quick_run_says_what_difference_it_can_show(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        quick_draw(released_like(), seed=0)
    assert (
        "quick=true: 90 of 1584 rows; the smallest difference to a share of all rows"
        " that they show (80 % power): 0.26 over the 30 answerable rows, 0.19 over the"
        " 60 unanswerable rows"
    ) in caplog.text


MEASURED = (
    "answer_accuracy",
    "refusal_accuracy",
    "calibrated_refusal_score",
    "false_refusal_rate",
    "missed_refusal_rate",
    "category_accuracy",
)


def simulated(rows: list[RefusalItem], table: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Return the replies of a model that finds some questions, classes and intensities
    harder than others.
    """
    rng = np.random.default_rng(seed)
    logits = np.tile(rng.normal(0.5, 1, 3), (len(rows), 1))
    for names in ([row.source_id for row in rows], list(map(stratum, rows))):
        places = places_of(names)
        logits += rng.normal(0, 0.7, (places.max() + 1, 3))[places]
    decides, codes, answers = (rng.random(logits.shape) < 1 / (1 + np.exp(-logits))).T
    answerable = np.array([row.answerable for row in rows])
    refuses = decides != answerable
    code = np.where(codes & ~answerable, table["expected"], Label.OTHER.value)
    predicted = np.where(refuses, code, Label.ANSWER.value)
    right = (predicted == table["expected"]) & (answers | ~answerable)
    return table.assign(predicted=predicted, right=right.astype(float))


def coverage(models: int) -> float:
    """Return how often a quick run's CI holds the value over all rows."""
    rows = released_like()
    drawn = {row.item_id for row in quick_draw(rows, seed=0)}
    asked = replies(
        *(
            reply(
                row.expected, Label.OTHER, None, row.source_id, facts=row.model_dump()
            )
            for row in rows
        )
    )
    held = []
    for seed in range(models):
        table = simulated(rows, asked, seed)
        whole = values(table, 0, MEASURED)
        quick = values(table[table["item"].isin(drawn)], 1000, MEASURED)
        held.append(
            [
                quick[name].low <= whole[name].value <= quick[name].high
                for name in MEASURED
            ]
        )
    return float(np.mean(held))


def test_the_cis_of_a_quick_run_hold_the_values_over_all_rows() -> None:
    assert coverage(40) >= 0.9


@pytest.mark.slow
def test_the_cis_of_many_quick_runs_hold_the_values_as_often_as_they_say() -> None:
    assert 0.93 <= coverage(400) <= 0.97


def test_the_difference_that_a_quick_run_shows_is_found_in_four_of_five_runs() -> None:
    gap = detectable(30, 533)
    rng = np.random.default_rng(0)
    low = rng.binomial(30, 0.5 - gap / 2, 4000) / 30
    high = rng.binomial(533, 0.5 + gap / 2, 4000) / 533
    spread = np.sqrt(low * (1 - low) / 30 + high * (1 - high) / 533)
    assert np.mean(high - low > 1.96 * spread) == pytest.approx(0.8, abs=0.05)
