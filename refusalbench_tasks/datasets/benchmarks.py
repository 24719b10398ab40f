"""The data sets of the refusal kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.refusal_rows import GarageRow, RefusalRow
from refusalbench_tasks.datasets.rows import Row, entries_by


@dataclass(frozen=True)
class Benchmark:
    """All that is particular to one data set of the refusal kind; the task, its solver and scorers follow from it."""

    name: str
    task: str
    repo: str
    split: str
    licence: str
    sample: str
    """Its bundled rows: a file in `datasets/data`, or an absolute path for a data set outside of this package."""
    prompt: str
    """Its prompt: a file in `solvers/prompts`, or an absolute path, with the slots `{{query}}` and `{{context}}`."""
    passages: Literal["context", "grounding"]
    """The column that holds the passages; a file with this column has its layout."""
    layout: type[RefusalRow]
    grounded: bool = False
    """Whether there are several passages, shown as numbered search results: answers are graded for grounding."""

    def items_of(self, rows: Sequence[Row]) -> list[RefusalItem]:
        """Return one item per row of the released, the pipeline's or our own layout; errors as in `entries_by`."""
        return entries_by(self.layout.item_of, rows, lambda item: item.item_id)

    def originals_of(self, rows: Sequence[Row]) -> list[RefusalItem]:
        """Return the distinct originals that rows hold, in their order."""
        distinct: dict[str, RefusalItem] = {}
        for original in filter(None, map(self.layout.original_of, rows)):
            distinct.setdefault(original.item_id, original)
        return list(distinct.values())


NQ = Benchmark(
    name="RefusalBench-NQ",
    task="nq",
    repo="aashiqmuhamed/RefusalBench-NQ",
    split="test",
    licence="Apache-2.0",
    sample="nq_sample.jsonl",
    prompt="nq.txt",
    passages="context",
    layout=RefusalRow,
)
GARAGE = Benchmark(
    name="RefusalBench-GaRAGe",
    task="garage",
    repo="aashiqmuhamed/RefusalBench-GaRAGe",
    split="test",
    licence="CC-BY-NC-4.0",
    sample="garage_sample.jsonl",
    prompt="garage.txt",
    passages="grounding",
    layout=GarageRow,
    grounded=True,
)
BENCHMARKS = (NQ, GARAGE)
"""Those of this package. `refusalbench bases` and `perturb` know them by the names of their tasks."""


def tasks_text(*others: str, word: str = "or") -> str:
    """Return the names of the tasks of these data sets and of others, for a message: `nq, garage or bluff`."""
    *names, last = *(benchmark.task for benchmark in BENCHMARKS), *others
    return f"{', '.join(names)} {word} {last}"


def layout_of(rows: Sequence[Row]) -> Benchmark:
    """Return the data set whose layout the rows have: the newest whose column of passages one of them has, else NQ."""
    known = (benchmark for benchmark in reversed(BENCHMARKS) if any(benchmark.passages in row.values for row in rows))
    return next(known, NQ)
