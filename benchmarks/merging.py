"""Time and memory of `refusalbench merge`: `python -m benchmarks.merging SAMPLES` measures other sizes."""

import sys
import tempfile
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.alone import Taken, alone
from benchmarks.large_logs import Template, write_large
from benchmarks.result import Result
from benchmarks.small_run import small_run

SHARDS = 16
_PROGRAM = """
import sys
from refusalbench_tasks.scale.commands.merge import merge
merge.main([sys.argv[1], "-o", sys.argv[2]], standalone_mode=False)
"""


def write_shards(folder: Path, template: Template, samples: int, shards: int = SHARDS) -> None:
    """Write the logs of the shards of one run."""

    def change(header: dict[str, Any], number: int) -> None:
        header["eval"]["metadata"] |= {"shard": number, "of": shards, "whole_rows": samples}
        header["eval"] |= {"eval_id": f"eval-{number}", "run_id": f"run-{number}", "task_id": f"task-{number}"}

    edges = [samples * k // shards for k in range(shards + 1)]
    for number, (first, end) in enumerate(pairwise(edges), 1):
        path = folder / f"{number:04d}.eval"
        write_large(path, template, end - first, first, partial(change, number=number))


def measure(samples: int, shards: int = SHARDS) -> Taken:
    """Return what it takes to merge so many samples."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_shards(folder / "parts", small_run(folder / "small"), samples, shards)
        return alone(_PROGRAM, str(folder / "parts"), str(folder / "all.eval"))


def results() -> list[Result]:
    """Return time and memory for 10,000 and 50,000 samples, and what each further sample takes."""
    few, many = measure(10_000), measure(50_000)
    more = 40_000
    return [
        Result(
            "merge of 50,000 samples of 3 kB",
            f"{many.seconds:.0f} s, {many.megabytes:.0f} MB",
            "≤ 30 s",
            f"{SHARDS} shards of made-up `nq`; CPU of one core, start-up included",
        ),
        Result(
            "merge: a further sample",
            f"{(many.seconds - few.seconds) / more * 1e6:.0f} µs, "
            f"{(many.megabytes - few.megabytes) / more * 2**20:.0f} bytes",
            "≤ 600 µs, ≤ 1,000 bytes",
            f"50,000 against 10,000 samples; {many.seconds / few.seconds:.1f}× the time for 5× the samples",
        ),
    ]


if __name__ == "__main__":
    for size in map(int, sys.argv[1:]):
        taken = measure(size)
        print(f"{size:,} samples: {taken.seconds:.1f} s, {taken.megabytes:.0f} MB; {taken.said.splitlines()[-1]}")
