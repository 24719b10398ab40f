"""Rows that several tests look at, made once."""

from typing import Any

import pytest

from refusalbench_tasks.worlds.document import DOMAINS
from refusalbench_tasks.worlds.quad_rows import quad_rows

SEED = 31
NUMBER = 1_560
Row = dict[str, Any]


@pytest.fixture(scope="session")
def crossed_rows() -> list[Row]:
    return list(quad_rows(SEED, 0, NUMBER, DOMAINS))


@pytest.fixture(scope="session")
def ten_passage_rows() -> list[Row]:
    return list(quad_rows(SEED, 0, 240, layout="grounding"))
