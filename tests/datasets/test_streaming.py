"""A shard of a file that is streamed is the shard of the file, and memory holds no more."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from refusalbench_tasks.datasets import streaming
from refusalbench_tasks.datasets.files import each_row, read_rows
from refusalbench_tasks.datasets.loading import Selection
from refusalbench_tasks.datasets.nq_rows import NQ
from refusalbench_tasks.datasets.shard import Shard
from refusalbench_tasks.datasets.streaming import BATCH, stream_shard
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.row_files import row_file
from refusalbench_tasks.tasks.nq import nq


def rows(number: int, padding: int = 0) -> list[dict[str, Any]]:
    """Three rows a base question: two classes in turn, and a clean one."""
    kinds = [("P-MissingInfo", "HIGH"), ("P-Ambiguity", "LOW"), (None, "CLEAN")]
    return [
        {
            "id": f"r{at}",
            "source_id": f"s{at // 3}",
            "query": f"What is {at}?",
            "context": f"It is number {at}. " + "x" * padding,
            "answers": [str(at)],
            "class": kinds[at % 3][0],
            "intensity": kinds[at % 3][1],
            "lever": f"lever {at % 2}",
        }
        for at in range(number)
    ]


def write(path: Path, content: list[dict[str, Any]]) -> str:
    with row_file(path) as file:
        file.write(content)
    return str(path)


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
@pytest.mark.parametrize("filters", [{}, {"classes": "Ambiguity"}, {"classes": "Ambiguity", "levers": "lever 1"}])
def test_streamed_shards_are_the_shards_of_the_run(tmp_path: Path, suffix: str, filters: dict[str, str]) -> None:
    data = write(tmp_path / f"rows{suffix}", rows(60))
    for number in (1, 2, 3):
        plain = nq(data=data, judge="offline", shard=f"{number}/3", **filters)  # type: ignore[arg-type]
        streamed = nq(data=data, judge="offline", shard=f"{number}/3", stream=True, **filters)  # type: ignore[arg-type]
        assert {s.id for s in streamed.dataset} == {s.id for s in plain.dataset}
        assert plain.metadata is not None
        assert streamed.metadata is not None
        for name in ("shard", "of", "whole_rows", "whole_fingerprint", "selected_fingerprint"):
            assert streamed.metadata[name] == plain.metadata[name]
        assert streamed.metadata["streamed"]


def test_batches_cut_no_question(tmp_path: Path) -> None:
    data = write(tmp_path / "rows.jsonl", rows(BATCH + 2))
    parts = [stream_shard(NQ, data, Selection(), Shard(number, 2)).rows for number in (1, 2)]
    assert sorted(str(row.values["id"]) for part in parts for row in part) == sorted(f"r{n}" for n in range(BATCH + 2))
    sources = [{row.values["source_id"] for row in part} for part in parts]
    assert not sources[0] & sources[1]


def test_memory_is_in_proportion_to_the_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "BATCH", 10)
    data = write(tmp_path / "rows.jsonl", rows(300, padding=20_000))
    tracemalloc.start()
    kept = stream_shard(NQ, data, Selection(), Shard(1, 20)).rows
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # 15 rows of 300 are kept, and a batch is looked at as rows and as items
    assert len(kept) == 15
    assert peak < 0.2 * Path(data).stat().st_size


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"stream": True}, "needs -T shard=i/n"),
        ({"stream": True, "shard": "1/2", "per_stratum": 1}, "per_stratum needs the whole file"),
        ({"stream": True, "shard": "1/2", "knobs": "hops=1"}, "knobs needs the whole file"),
        ({"stream": True, "shard": "1/2", "classes": "Nothing"}, "classes: unknown name 'Nothing'; known: P-Ambiguity"),
        ({"stream": "yes", "shard": "1/2"}, "stream: expected true or false"),
        ({"stream": True, "shard": "4/4"}, "only 3 base questions"),
    ],
)
def test_what_can_not_be_streamed_is_said(tmp_path: Path, arguments: dict[str, Any], message: str) -> None:
    data = write(tmp_path / "rows.jsonl", rows(9))
    with pytest.raises(DataError, match=message):
        nq(data=data, judge="offline", **arguments)


def test_made_rows_are_not_streamed() -> None:
    with pytest.raises(DataError, match="only a file can be streamed, not data=worlds"):
        nq(data="worlds", n=4, judge="offline", shard="1/1", stream=True)


def test_a_bad_row_of_a_stream_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in [*rows(2), {"id": "r9", "query": "q"}]), encoding="utf-8")
    with pytest.raises(DataError, match=r"rows\.jsonl, line 3, field 'context'"):
        nq(data=str(path), judge="offline", shard="1/1", stream=True)


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_rows_one_by_one_are_the_rows(tmp_path: Path, suffix: str) -> None:
    data = write(tmp_path / f"rows{suffix}", rows(7))
    assert list(each_row(data)) == read_rows(data)
