"""One shard of a file that is too large for memory: it is read twice, and only the shard's rows are kept."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from refusalbench_tasks.arguments import switches
from refusalbench_tasks.datasets.files import Row, each_row
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.loading import Benchmark, Selection
from refusalbench_tasks.datasets.selection import names_of
from refusalbench_tasks.datasets.shard import Shard, dealt, empty, sum_fingerprint
from refusalbench_tasks.datasets.worlds import WORLDS
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import plain_name

NOT_FILES = ("hub", "sample", WORLDS)
BATCH = 2_000
"""Rows that are looked at together."""
FILTERS: dict[str, Callable[[RefusalItem], str | None]] = {
    "classes": lambda item: item.perturbation,
    "intensities": lambda item: item.intensity,
    "generators": lambda item: item.generator,
    "levers": lambda item: item.lever,
    "domains": lambda item: item.domain,
}


@dataclass(frozen=True)
class Streamed:
    """The rows of one shard, and what is known of the whole that they are from."""

    rows: list[Row]
    selection: Selection
    """What is left to select: the filters were applied."""
    facts: dict[str, Any]


@dataclass
class _Whole:
    """What the first reading finds out: nothing that grows with the rows, only with the base questions."""

    kinds: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    seen: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    rows: int = 0
    total: int = 0


def stream_shard(benchmark: Benchmark, data: str, selection: Selection, shard: Shard) -> Streamed:
    """Return the rows of a shard of a JSONL, Parquet or CSV file.

    Memory is in proportion to the shard, and to the number of base questions of the file (a count for each). The
    shards are those of a run that is not streamed, unless there are controls or conflicting duplicates, of which a
    stream knows its own shard's only. Raises DataError for bad rows, and for a filter that names what no row has.
    """
    whole = _look(benchmark, data, selection)
    strata = ((name, json.dumps(sorted(found.elements()))) for name, found in whole.kinds.items())
    where = dealt(strata, shard.of, selection.seed)
    rows = [row for row, item in _kept(benchmark, data, selection) if where[item.source_id] == shard.shard]
    if not rows:
        raise empty(shard, len(whole.kinds))
    facts = {
        "shard": shard.shard,
        "of": shard.of,
        "whole_rows": whole.rows,
        "whole_fingerprint": f"{whole.total % (1 << 64):016x}",
        "streamed": True,
    }
    rest = replace(selection, classes=None, intensities=None, generators=None, levers=None, domains=None, shard=None)
    return Streamed(rows, rest, facts)


def check_stream(data: str, selection: Selection | None) -> None:
    """Raise DataError unless the selection can be streamed, or need not be."""
    stream = selection is not None and selection.stream
    switches(stream=stream)
    if selection is None or not stream:
        return
    if selection.shard is None:
        raise DataError("stream=true: a stream is cut into shards, so it needs -T shard=i/n")
    if data in NOT_FILES:
        raise DataError(f"stream=true: only a file can be streamed, not data={data}")
    for argument in ("per_stratum", "knobs"):
        if getattr(selection, argument) is not None:
            raise DataError(f"stream=true: {argument} needs the whole file in memory; leave one of them out")


def _look(benchmark: Benchmark, data: str, selection: Selection) -> _Whole:
    whole = _Whole()
    for _, item in _kept(benchmark, data, selection, whole.seen):
        whole.kinds[item.source_id][f"{item.perturbation}|{item.intensity}"] += 1
        whole.rows += 1
        whole.total += int(sum_fingerprint([item]), 16)
    for argument, seen in whole.seen.items():
        for name in names_of(getattr(selection, argument)):
            if plain_name(name) not in seen:
                raise DataError(f"{argument}: unknown name '{name}'; known: {', '.join(sorted(seen.values()))}")
    return whole


def _kept(
    benchmark: Benchmark, data: str, selection: Selection, seen: dict[str, dict[str, str]] | None = None
) -> Iterator[tuple[Row, RefusalItem]]:
    """Yield the rows that pass the filters; `seen` takes the names that occur. Unperturbed rows always pass."""
    wanted = {name: {plain_name(one) for one in names_of(getattr(selection, name))} for name in FILTERS}
    wanted = {name: names for name, names in wanted.items() if names}
    for row, item in _items(benchmark, data):
        if not item.is_clean and seen is not None:
            for name in wanted:
                value = FILTERS[name](item)
                if value:
                    seen[name][plain_name(value)] = value
        if item.is_clean or all(plain_name(FILTERS[name](item) or "") in names for name, names in wanted.items()):
            yield row, item


def _items(benchmark: Benchmark, data: str) -> Iterator[tuple[Row, RefusalItem]]:
    rows = each_row(data)
    while batch := list(islice(rows, BATCH)):
        yield from zip(batch, _checked(benchmark, batch), strict=True)


def _checked(benchmark: Benchmark, batch: Sequence[Row]) -> list[RefusalItem]:
    items = benchmark.items_of(batch)
    if len(items) != len(batch):
        raise DataError(f"stream=true: {benchmark.name} makes {len(items)} items of {len(batch)} rows, not one each")
    return items
