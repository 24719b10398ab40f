"""The data set as a whole: sources, duplicates, controls, provenance; a selection is
balanced, reproducible and never a prefix.
"""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from benchmarks import pins
from refusalbench_tasks.datasets import benchmarks as loading
from refusalbench_tasks.datasets.benchmarks import (
    NQ,
    Loaded,
    Selection,
    keep,
    select,
)
from refusalbench_tasks.datasets.benchmarks import load as load_benchmark
from refusalbench_tasks.datasets.draw import fingerprint
from refusalbench_tasks.datasets.rows import bundled_rows
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import Intensity
from tests.datasets.perturbed_items import item, items

SAMPLE = Path(loading.__file__).parent / "data" / "nq_sample.jsonl"


def rows() -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()
    ]


def load(data: str, keep_conflicts: bool = False, **selection: Any) -> Loaded:
    return load_benchmark(NQ, Selection(data=data, **selection), keep_conflicts)


def conflicting(path: Path) -> Path:
    """Write the sample with one row's input copied under another class."""
    content = rows()
    refused = next(
        r
        for r in content
        if r["intensity"] == "HIGH" and r["perturbation_class"] == "P-MissingInfo"
    )
    answered = next(r for r in content if r["intensity"] == "LOW")
    copy = answered | {
        "id": "copy",
        "perturbed_query": refused["perturbed_query"],
        "perturbed_context": refused["perturbed_context"],
    }
    path.write_text(
        "\n".join(json.dumps(r) for r in [*content, copy]), encoding="utf-8"
    )
    return path


def test_conflicting_duplicates_are_dropped_with_a_warning_that_names_them(
    tmp_path: Path, caplog: Any
) -> None:
    path = conflicting(tmp_path / "rows.jsonl")
    with caplog.at_level(logging.WARNING):
        loaded = load(str(path))
    (pair,) = loaded.provenance["conflicting_ids"]
    assert "copy" in pair
    assert all(name in caplog.text for name in pair)
    assert not {i.item_id for i in loaded.perturbed} & set(pair)


def test_official_code_keeps_them(tmp_path: Path) -> None:
    path = conflicting(tmp_path / "rows.jsonl")
    kept = load(str(path), keep_conflicts=True)
    assert "copy" in {i.item_id for i in kept.perturbed}


def test_duplicates_with_one_label_are_kept(tmp_path: Path) -> None:
    content = rows()
    path = tmp_path / "rows.jsonl"
    path.write_text(
        "\n".join(json.dumps(r) for r in [*content, content[0] | {"id": "twin"}]),
        encoding="utf-8",
    )
    loaded = load(str(path))
    assert loaded.provenance["conflicting_ids"] == []
    assert "twin" in {item.item_id for item in loaded.perturbed}


def test_controls_belong_to_the_questions_that_were_drawn() -> None:
    loaded = load("sample")
    chosen = select(
        loaded, Selection(classes="Ambiguity", per_stratum=1, controls="add")
    )
    perturbed = {i.source_id for i in chosen if not i.is_clean}
    assert len(perturbed) == 3
    assert {i.source_id for i in chosen if i.is_clean} == perturbed
    assert len(select(loaded, Selection(per_stratum=5, controls="only"))) == 5


def test_a_set_is_pinned_at_its_commit_and_one_whose_rows_changed_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    commit = "a" * 40
    rows = bundled_rows(NQ.sample)
    monkeypatch.setattr(pins, "read_hub", lambda repo, split: (rows, commit))
    found = pins.pin(NQ, {})
    assert (found["commit"], found["rows"]) == (commit, len(rows))
    assert pins.pin(NQ, found) == found
    monkeypatch.setattr(pins, "read_hub", lambda repo, split: (rows[1:], commit))
    with pytest.raises(DataError, match="rows 71, and 72 is known"):
        pins.pin(NQ, found)


def test_a_pin_is_what_is_read_and_the_log_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str | None] = []

    def read(repo: str, split: str, revision: str | None) -> Any:
        asked.append(revision)
        return bundled_rows(NQ.sample), None

    monkeypatch.setattr(loading, "read_hub", read)
    assert loading.load(NQ, Selection()).provenance["pinned"] is False
    monkeypatch.setattr(loading, "pin_of", lambda repo: "b" * 40)
    about = loading.load(NQ, Selection()).provenance
    assert (about["pinned"], about["revision"]) == (True, "b" * 40)
    assert asked == [None, "b" * 40]


def test_a_draw_beyond_what_a_stratum_holds_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        assert len(select(load("sample"), Selection(per_stratum=4))) == 72
        assert not caplog.records
        assert len(select(load("sample"), Selection(per_stratum=9))) == 72
    assert "per_stratum=9: 18 of 18 groups hold fewer (the smallest, " in caplog.text
    assert ", 4); all of theirs are used" in caplog.text


def test_a_file_whose_rows_all_conflict_says_why_nothing_is_left(
    tmp_path: Path,
) -> None:
    row = {"query": "q", "context": "c", "answers": ["a"], "class": "MissingInfo"}
    lines = [
        json.dumps(row | {"intensity": intensity}) for intensity in ("LOW", "HIGH")
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(lines))
    with pytest.raises(DataError, match="no rows are left; .* labels that conflict"):
        select(load(str(tmp_path / "rows.jsonl")), Selection())


OWN = [
    {
        "query": "How long?",
        "context": "30 days.",
        "answers": ["30 days"],
        "intensity": "CLEAN",
    },
    {
        "query": "How long?",
        "context": "Days.",
        "answers": ["30 days"],
        "class": "MissingInfo",
        "intensity": "HIGH",
    },
]


def test_unperturbed_rows_are_answerable_unless_controls_are_asked_for(
    tmp_path: Path,
) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in OWN))
    loaded = load(str(path))
    plain, added, only = (
        select(loaded, Selection(controls=c)) for c in ("none", "add", "only")
    )
    assert sorted((i.is_clean, i.control) for i in plain) == [
        (False, False),
        (True, False),
    ]
    assert sorted((i.is_clean, i.control) for i in added) == [
        (False, False),
        (True, True),
    ]
    assert [(i.is_clean, i.control) for i in only] == [(True, True)]
    # the same content, whatever its part in the run
    assert fingerprint(plain) == fingerprint(added)


def test_filters_ignore_case_and_the_p_of_classes_and_name_what_is_known() -> None:
    kept = keep(items(), "classes", ["ambiguity", "P-MISSINGINFO"])
    assert {str(i.perturbation) for i in kept} == {"P-Ambiguity", "P-MissingInfo"}
    with pytest.raises(
        DataError, match="classes: unknown name 'Doubt'; known: P-Ambiguity"
    ):
        keep(items(), "classes", ["Doubt"])


def test_controls_pass_every_filter() -> None:
    control = item("c")
    kept = keep([*items(), control], "intensities", ["LOW"])
    assert control in kept
    assert {i.intensity for i in kept} == {Intensity.LOW, Intensity.CLEAN}
