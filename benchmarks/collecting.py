"""Fifty records from a local web in one run: which of them are accepted, what they cost, and what is fetched twice.

The web, the writer and three readers are scripted and on this machine. The numbers say what the pipeline asks for, and
nothing about what a model or the web gives. `python -m benchmarks.collecting RECORDS` measures another number.
"""

import contextlib
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from unittest.mock import patch

from benchmarks.memory import peak_kilobytes
from benchmarks.result import Result, markdown
from tests.collection.panel import metrics, run
from tests.collection.web import Outside

RECORDS = 50


@dataclass(frozen=True)
class Collected:
    """A run: planned and accepted records, calls an accepted one, addresses and searches with those asked twice.

    `seconds` are processor time of the process, which holds the web and the scripted models too.
    """

    planned: int
    accepted: int
    calls: float
    pages: int
    pages_twice: int
    searches: int
    searches_twice: int
    seconds: float
    megabytes: float


def collect(records: int = RECORDS) -> Collected:
    """Return what a run of so many planned records takes."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), Outside() as site:
        with patch("refusalbench_tasks.web.fetch.CheckedTransport", lambda **_: site.transport()):
            begun = time.process_time()
            log = run(f"searxng:{site.here}/searxng", locks=records)
            seconds = time.process_time() - begun
        found, searches = metrics(log), Counter(site.searches)
        pages = Counter((host, path) for host, path, _ in site.seen)
    return Collected(
        records,
        int(found["n_accepted"]),
        found["calls_per_accepted"],
        len(pages),
        sum(n > 1 for n in pages.values()),
        len(searches),
        sum(n > 1 for n in searches.values()),
        seconds,
        peak_kilobytes() / 1024,
    )


def results(records: int = RECORDS) -> list[Result]:
    """Return calls, time, repeated requests and memory of one run."""
    got = collect(records)
    method = f"{got.planned} planned records, local web, scripted writer and panel of three"
    rate = f"{got.accepted / got.seconds:.2f} ({got.accepted} in {got.seconds:.0f} s)"
    twice = f"{got.pages_twice} of {got.pages:,} and {got.searches_twice} of {got.searches:,}"
    time_method = "as above; processor time of one process, start-up apart, web and models in it"
    rows = [
        ("collect: model calls an accepted record", f"{got.calls:.2f}", "≤ 12", method),
        ("collect: accepted records a second", rate, "(none)", time_method),
        ("collect: pages and searches asked for twice", twice, "0", "as above; robots.txt among the pages"),
        ("collect: memory", f"{got.megabytes:.0f} MB", "(none)", "as above; the most that the process held"),
    ]
    return [Result(*row) for row in rows]


if __name__ == "__main__":
    print(markdown(results(int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS)))
