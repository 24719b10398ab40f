"""What a search finds, and what is kept of it."""

from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.collect.web.searches import KeptSearch, addresses_in
from refusalbench_tasks.errors import DataError

JSON = st.sampled_from(
    [
        None,
        True,
        3,
        "",
        "text",
        "2021-03-12",
        "http://a.com/",
        "\ud800",
        [],
        ["x"],
        {},
        {"u": 1},
    ]
)


@settings(max_examples=60)
@given(
    st.lists(
        st.fixed_dictionaries({"url": JSON}) | JSON,
        max_size=4,
    )
)
def test_no_rows_of_an_engine_raise(rows: list[Any]) -> None:
    for url in addresses_in(rows, 3):
        assert url.startswith("http")


def test_a_search_is_made_once_and_kept(tmp_path: Path) -> None:
    asked: list[str] = []

    class Engine:
        async def search(self, query: str, n: int) -> list[str]:
            asked.append(query)
            return [f"http://{query}.example.com/"]

    for _ in range(2):
        kept = KeptSearch(Engine(), "engine", tmp_path)
        for query in "ab":
            hits = anyio.run(kept.search, query, 3)
            assert hits == [f"http://{query}.example.com/"]
    assert asked == ["a", "b"]
    next(tmp_path.glob("*/*.json")).write_text("{")
    with pytest.raises(DataError, match="damaged; delete the file"):
        [anyio.run(kept.search, query, 3) for query in "ab"]


def test_each_address_stands_once_and_at_most_so_many() -> None:
    rows = [{"url": url} for url in ("http://a.com/", "ftp://b.com/", "HTTPS://c.com/")]
    assert addresses_in([*rows, *rows], 9) == ["http://a.com/", "HTTPS://c.com/"]
    assert addresses_in(rows, 1) == ["http://a.com/"]
    assert addresses_in({"url": "http://a.com/"}, 9) == []
