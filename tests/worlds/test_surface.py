"""What counted words and numbers on the surface tell of rows."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds import shortcuts as measuring
from refusalbench_tasks.worlds.card import READ, Card
from refusalbench_tasks.worlds.command import worlds
from refusalbench_tasks.worlds.quad import make_quad
from refusalbench_tasks.worlds.rows import as_row
from refusalbench_tasks.worlds.shortcuts import LIMITS, Shortcut, shortcuts
from refusalbench_tasks.worlds.surface import differences, distinct_2, skeletons


@pytest.fixture(scope="module")
def made() -> list[dict[str, Any]]:
    return [as_row(make_quad(21, index), place) for index in range(32) for place in range(4)]


def test_the_share_of_different_bigrams() -> None:
    # a b, b a, a b | a b: two of four are different
    assert distinct_2(["A b a b", "a B"]) == 2 / 4


def test_a_skeleton_has_marks_for_names_and_numbers() -> None:
    assert skeletons(["Velmor Clinic has 1,874 beds. Hurn Surgery has 12 beds."]) == {"@ @ has # beds."}


def test_the_surface_of_quads_is_alike_and_a_planted_difference_is_found(made: list[dict[str, Any]]) -> None:
    found = differences(made)
    assert all(p > 0.01 for p in found.values()), found
    longer = [
        {**row, "perturbed_context": row["perturbed_context"] + " Indeed so it is." * 20}
        if row["expected_rag_behavior"] == Label.ANSWER
        else row
        for row in made
    ]
    assert differences(longer)["passage words"] < 0.01


def test_counted_words_tell_nothing_of_quads_and_a_planted_word_is_found(made: list[dict[str, Any]]) -> None:
    rng = Random(0)
    marked = [
        {**row, "perturbed_context": row["perturbed_context"] + " Indeed so."}
        if (row["expected_rag_behavior"] == Label.ANSWER) == (rng.random() < 0.95)
        else row
        for row in made
    ]
    told = {(one.sees, one.classifier): one.accuracy for one in shortcuts(marked)}
    assert told["passage", "bag of n-grams"] > 0.8
    assert told["question", "bag of n-grams"] <= LIMITS["question"] + 0.1  # few rows


def test_a_card_tells_what_classifiers_find(made: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "not measured" not in Card(21, 0).text()
    card = Card(21, 0, sampled=[])
    card.take(made)
    hidden = sum(not row["intrinsic"] for row in made)
    assert f"Classifiers on counted words: not measured, {hidden} rows are fewer than 400." in card.text()
    monkeypatch.setattr(measuring, "FEWEST", 100)
    monkeypatch.setattr(measuring, "shortcuts", _found)
    lines = card.text().splitlines()
    at = lines.index("| sees | linear | trees | goal |")
    assert lines[at + 2 : at + 5] == [
        "| question | 0.500 | 0.520 | ≤ 0.55 |",
        "| passage | 0.500 | 0.520 | ≤ 0.55 |",
        "| both | 0.500 | 0.520 | ≤ 0.60 |",
    ]
    assert f"on {hidden} rows of quads that they have not seen, of the first {len(made)} rows" in lines[at - 2]


def _found(rows: Sequence[Mapping[str, Any]]) -> list[Shortcut]:
    """Stand in for the classifiers: which rows they are given is told by `n`."""
    assert {tuple(row) for row in rows} == {READ}
    hidden = sum(not row["intrinsic"] for row in rows)
    values = {"linear": 0.5, "trees": 0.52}
    return [Shortcut(sees, name, values[name], hidden) for sees in LIMITS for name in values]


@pytest.mark.parametrize("options", [["--shortcuts"], ["--card", "--shortcuts", "--layout", "garage"]])
def test_classifiers_need_a_card_of_rows_with_one_passage(options: list[str], tmp_path: Path) -> None:
    said = CliRunner().invoke(worlds, ["-o", str(tmp_path / "rows.jsonl"), "-n", "4", *options])
    assert said.exit_code == 1
    assert "--shortcuts goes with --card" in said.output
    assert list(tmp_path.iterdir()) == []
