"""Pin the hub sets at their present commits: `make pins`, which needs the network.

`python -m benchmarks.pins FILE` writes another file than the package's.
"""

import json
import sys
from pathlib import Path
from typing import Any

from refusalbench_tasks.datasets.benchmarks import BENCHMARKS, Benchmark
from refusalbench_tasks.datasets.draw import fingerprint
from refusalbench_tasks.datasets.remote import read_hub
from refusalbench_tasks.errors import DataError

PINS = (
    Path(__file__).parent.parent
    / "refusalbench_tasks"
    / "datasets"
    / "data"
    / "pins.json"
)


def pin(benchmark: Benchmark, known: dict[str, Any]) -> dict[str, Any]:
    """Return the commit of a set, its rows and their fingerprint.

    Raises DataError if its rows are others than known.

    A set whose rows changed has to be looked at by a person: delete its entry then, and
    pin again.
    """
    rows, commit = read_hub(benchmark.repo, benchmark.split)
    if commit is None:
        raise DataError(
            f"{benchmark.repo}: the client says no commit; nothing is pinned"
        )
    found = {"rows": len(rows), "fingerprint": fingerprint(benchmark.items_of(rows))}
    for name, value in found.items():
        if known.get(name, value) != value:
            raise DataError(
                f"{benchmark.repo}: {name} {value}, and {known[name]} is known; look at"
                " what changed"
            )
    return {"commit": commit, **found}


if __name__ == "__main__":
    file = Path(sys.argv[1]) if sys.argv[1:] else PINS
    pins = json.loads(file.read_text(encoding="utf-8"))
    pins |= {one.repo: pin(one, pins.get(one.repo, {})) for one in BENCHMARKS}
    file.write_text(json.dumps(pins, indent=1) + "\n", encoding="utf-8")
    print(file.read_text(encoding="utf-8"))
