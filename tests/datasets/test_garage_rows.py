"""Ten-passage rows of every layout become items, and bad rows say
where they are bad.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.datasets import benchmarks as loading
from refusalbench_tasks.datasets.benchmarks import GARAGE
from refusalbench_tasks.datasets.rows import Row
from refusalbench_tasks.errors import DataError

SAMPLE = Path(loading.__file__).parent / "data" / "garage_sample.jsonl"
ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()
]
RELEASED = next(row for row in ROWS if row["intensity"] == "HIGH")
PIPELINE: dict[str, Any] = {
    "sample_id": "base-1",
    "question": RELEASED["query"],
    "answer_generate": RELEASED["reference_answer"],
    "grounding": [
        {f"cite_{k}": g["text"], "age": "1"}
        for k, g in enumerate(RELEASED["grounding"])
    ],
    "evidence_correct": [
        "ANSWER-THE-QUESTION" if k in (1, 4) else "UNKNOWN" for k in range(10)
    ],
    "question_category": "Science",
    "question_type": "SLOW-CHANGING",
    "question_complexity": "Simple",
    "refusalbench_perturbation_metadata": {
        "perturbation_class": RELEASED["perturbation_class"],
        "intensity": "HIGH",
        "expected_rag_behavior": RELEASED["expected_rag_behavior"],
        "lever_selected": "x",
        "source_qid": "base-1",
        "passage_mapping": {"signal_indices": [4, 1], "noise_indices": [0]},
    },
    "refusalbench_stratified_metadata": {"generator_model": "nova", "unique_id": "u1"},
}


def item_of(row: dict[str, Any]):  # type: ignore[no-untyped-def]
    return GARAGE.layout.item_of(Row("g.jsonl", "line 1", row))


def test_a_released_row() -> None:
    item = item_of(RELEASED)
    assert item.query == RELEASED["query"]
    assert item.passages == tuple(g["text"] for g in RELEASED["grounding"])
    assert item.signal == tuple(RELEASED["signal_indices"])
    assert item.reference == RELEASED["reference_answer"]
    assert item.domain == RELEASED["domain"]


def test_an_original_may_have_another_number_of_passages() -> None:
    row = RELEASED | {
        "original_query": "Who?",
        "original_grounding": [*RELEASED["grounding"], {"text": "More."}],
    }
    assert item_of(row).passages == item_of(RELEASED).passages
    original = GARAGE.layout.original_of(Row("g.jsonl", "line 1", row))
    assert original is not None
    assert (original.query, original.passages[-1], len(original.passages)) == (
        "Who?",
        "More.",
        11,
    )


def test_a_pipeline_row_with_nested_metadata() -> None:
    item = item_of(PIPELINE)
    assert (item.item_id, item.source_id, item.generator) == ("u1", "base-1", "nova")
    assert item.expected.value == RELEASED["expected_rag_behavior"]
    assert item.signal == (4, 1)
    assert item.domain == "Science"
    without = PIPELINE | {
        "refusalbench_perturbation_metadata": {
            k: v
            for k, v in PIPELINE["refusalbench_perturbation_metadata"].items()
            if k != "passage_mapping"
        }
    }
    assert item_of(without).signal == (1, 4)


@pytest.mark.parametrize(
    ("row", "field", "problem"),
    [
        (
            RELEASED | {"grounding": RELEASED["grounding"][:9]},
            "grounding",
            "expected 10 passages, found 9",
        ),
        (RELEASED | {"grounding": None}, "grounding", "missing"),
        (
            RELEASED | {"grounding": [{"x": "y"}] * 10},
            "grounding",
            "passage 0 has no text",
        ),
        (
            RELEASED | {"signal_indices": [0, 10]},
            "signal_indices",
            "positions from 0 to 9",
        ),
        (
            RELEASED | {"signal_indices": None},
            "signal_indices",
            "missing; add it, or 'evidence_correct'",
        ),
        (
            PIPELINE
            | {
                "refusalbench_perturbation_metadata": {},
                "evidence_correct": None,
            },
            "intensity",
            "missing",
        ),
        (
            {"text": "a layout that nobody knows"},
            "query",
            "missing; add a column 'perturbed_query' or 'query'",
        ),
    ],
)
def test_a_bad_row_names_file_row_and_field(
    row: dict[str, Any], field: str, problem: str
) -> None:
    with pytest.raises(DataError) as caught:
        item_of(row)
    assert str(caught.value).startswith(f"g.jsonl, line 1, field '{field}': ")
    assert problem in str(caught.value)
