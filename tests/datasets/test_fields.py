"""Fields of rows: lists in cells, and what is meant as one and is none."""

from pathlib import Path

import pytest

from refusalbench_tasks.datasets.benchmarks import GARAGE, NQ
from refusalbench_tasks.datasets.fields import list_in
from refusalbench_tasks.datasets.rows import checked_row, read_rows
from refusalbench_tasks.errors import DataError

DEEP = "[" * 200_000


HUGE = "1" * 5_000


@pytest.mark.parametrize(
    ("cell", "listed"),
    [
        ('["Ada", "A."]', ["Ada", "A."]),
        ("[1, 2]", [1, 2]),
        ("[]", []),
        ("[sic] so", None),
        ("[1887, they say]", None),
    ],
)
def test_a_list_in_a_cell_is_read_as_json(
    cell: str, listed: list[object] | None
) -> None:
    assert list_in(cell) == listed


@pytest.mark.parametrize(
    "cell",
    [
        '["Ada", "A."',
        "['Ada', 'A.']",
        "['Ada' 'A.']",
        "['Ada', open('x')]",
        "[[[[",
        f"[{HUGE}]",
        DEEP,
        "['a', \"b]",
        "['\\ud800']",
    ],
)
def test_what_is_meant_as_a_list_and_is_none_is_an_error(cell: str) -> None:
    with pytest.raises(ValueError, match="cannot be read as one|more than|surrogate"):
        list_in(cell)


def test_a_list_of_aliases_in_a_csv_is_several_aliases(tmp_path: Path) -> None:
    head = "query,context,answers,intensity"
    cells = 'q,c,"[""Ada Brook"", ""A. Brook""]",CLEAN'
    (tmp_path / "f.csv").write_text(f"{head}\n{cells}\n")
    (item,) = NQ.items_of(read_rows(tmp_path / "f.csv"))
    assert item.answers == ("Ada Brook", "A. Brook")
    (tmp_path / "f.csv").write_text(f"{head}\n{cells.replace(']', '')}\n")
    with pytest.raises(DataError, match="row 1, field 'answers': begins as a list"):
        NQ.items_of(read_rows(tmp_path / "f.csv"))


@pytest.mark.parametrize("reference", [["Ada"], "['Ada']", '["Ada"', {"a": 1}])
def test_a_list_as_reference_is_an_error(reference: object) -> None:
    row = {
        "query": "q",
        "grounding": ["t"] * 10,
        "signal_indices": [0],
        "intensity": "CLEAN",
    }
    with pytest.raises(DataError, match="row 1, field 'reference_answer': "):
        GARAGE.items_of(
            [checked_row("f", "row 1", row | {"reference_answer": reference})]
        )
