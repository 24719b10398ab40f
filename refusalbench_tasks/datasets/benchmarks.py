"""The data sets of the refusal kind."""

from collections.abc import Sequence

from refusalbench_tasks.datasets.files import Row
from refusalbench_tasks.datasets.garage_rows import GARAGE
from refusalbench_tasks.datasets.loading import Benchmark
from refusalbench_tasks.datasets.nq_rows import NQ

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
