"""Fifty records from a local web in one run: which of them are accepted, what they cost, and what is fetched twice.

The web is in this process, and the run in one of its own with the scripted writer and three readers, so that its
memory and its time are not the web's. The numbers say what the pipeline asks for, and nothing about what a model or
the web gives. `python -m benchmarks.collecting RECORDS` measures another number.
"""

import contextlib
import json
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from unittest.mock import patch

from benchmarks.alone import alone
from benchmarks.memory import peak_kilobytes
from benchmarks.result import Result, markdown
from tests.collect.outside import Outside
from tests.collect.pages import Lock, pages_of

RECORDS = 50
SHORT_PAGES = 1
"""Pages of each record that are too short; reading the first of them loads word lists that stay."""
MEMORY = ((4, SHORT_PAGES), (50, 10), (150, SHORT_PAGES))
"""Further runs: planned records, and how many pages of each are too short."""
_PROGRAM = """
import sys
from benchmarks.collecting import collect
print(collect(int(sys.argv[1]), int(sys.argv[2])))
"""


@dataclass(frozen=True)
class Collected:
    """A run: planned and accepted records, calls an accepted one, addresses and searches with those asked twice.

    `seconds` are processor time of the run's process, start-up apart. `idle` megabytes it held when all was loaded,
    and `megabytes` at most.
    """

    planned: int
    accepted: int
    calls: float
    pages: int
    pages_twice: int
    searches: int
    searches_twice: int
    seconds: float
    idle: float
    megabytes: float


def collect(records: int, port: int) -> str:
    """Run `collect` on the web at a port of this machine; return what it took and found, as JSON."""
    from tests.collect.outside import transport_to
    from tests.collect.panel import metrics, run

    idle = peak_kilobytes() / 1024
    here = patch("refusalbench_tasks.collect.web.fetch.CheckedTransport", lambda **_: transport_to(port))
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), here:
        begun = time.process_time()
        log = run(f"searxng:http://127.0.0.1:{port}/searxng", locks=records)
        seconds = time.process_time() - begun
    found = metrics(log)
    taken = {"seconds": seconds, "idle": idle, "megabytes": peak_kilobytes() / 1024}
    return json.dumps({"accepted": int(found["n_accepted"]), "calls": found["calls_per_accepted"], **taken})


def collected(records: int = RECORDS, short_pages: int = SHORT_PAGES) -> Collected:
    """Return what a run of so many planned records takes, each with ten pages of use and some that are too short."""
    with Outside(pages=pages_of([Lock(number) for number in range(records)], short_pages)) as site:
        taken = json.loads(alone(_PROGRAM, str(records), str(site.port)).said.splitlines()[-1])
    pages, searches = Counter((host, path) for host, path, _ in site.seen), Counter(site.searches)
    return Collected(
        planned=records,
        pages=len(pages),
        pages_twice=sum(n > 1 for n in pages.values()),
        searches=len(searches),
        searches_twice=sum(n > 1 for n in searches.values()),
        **taken,
    )


def results(records: int = RECORDS) -> list[Result]:
    """Return calls, time, repeated requests and memory of one run, and the memory of smaller and larger ones."""
    got = collected(records)
    method = f"{got.planned} planned records, local web, scripted writer and panel of three"
    rate = f"{got.accepted / got.seconds:.2f} ({got.accepted} in {got.seconds:.0f} s)"
    twice = f"{got.pages_twice} of {got.pages:,} and {got.searches_twice} of {got.searches:,}"
    rows = [
        ("collect: model calls an accepted record", f"{got.calls:.2f}", "≤ 12", method),
        (
            "collect: accepted records a second",
            rate,
            "(none)",
            "as above; processor time without the web's, models in it",
        ),
        ("collect: pages and searches asked for twice", twice, "0", "as above; robots.txt among the pages"),
        memory_row(got),
        *(memory_row(collected(more, short)) for more, short in MEMORY),
    ]
    return [Result(*row) for row in rows]


def memory_row(got: Collected) -> tuple[str, str, str, str]:
    """Return the most that a run's process held."""
    name = f"collect: memory with {got.planned} records, {got.pages:,} requests for pages"
    return name, f"{got.megabytes:.0f} MB", "the same for all", f"{got.idle:.0f} MB of it when all is loaded; web apart"


if __name__ == "__main__":
    print(markdown(results(int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS)))
