"""The page that says where each thing of the papers is: its places are there, and no
figure is missing.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.report.figures.catalogue import (
    GENERATION,
    HEDGING,
    REFUSAL,
    FigureEntry,
)

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "fidelity.md").read_text(encoding="utf-8")
ROWS = [
    (heading, [cell.strip() for cell in line.strip().strip("|").split("|")])
    for heading, part in re.findall(
        r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL
    )
    for line in part.splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| what "))
]


def numbers(text: str) -> set[int]:
    """Return the numbers of "Figures 5, 7 to 9 and 12"."""
    found = set()
    for listed in re.findall(r"Figures? ([\d, ]+(?:(?:to|and) [\d, ]+)*)", text):
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", listed):
            found |= set(range(int(first), int(last or first) + 1))
    return found


@pytest.mark.parametrize(
    "row", [row for _, row in ROWS], ids=[row[0][:40] for _, row in ROWS]
)
def test_a_row_says_how_it_stands_and_where(row: list[str]) -> None:
    what, _, code, how, note = row
    assert re.search(r"exact|chosen|left out|see \[", how), what
    assert code or how == "left out", what
    assert note or how != "left out", what
    for place in re.findall(r"`([^`]+)`", code):
        assert (ROOT / "refusalbench_tasks" / place).exists(), place


@pytest.mark.parametrize(
    ("paper", "entries"),
    [("RefusalBench", (*REFUSAL, *GENERATION)), ("BLUFF-1000", HEDGING)],
)
def test_every_figure_that_a_report_draws_is_on_the_page(
    paper: str, entries: tuple[FigureEntry[Any], ...]
) -> None:
    told = set().union(
        *(
            numbers(" | ".join(row))
            for heading, row in ROWS
            if heading.startswith(paper)
        )
    )
    drawn = set().union(*(numbers(entry.source) for entry in entries))
    assert drawn <= told
    assert len(drawn) > 5
