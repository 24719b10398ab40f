"""Fifty records from a local web in one run: which of them are accepted, what they cost, and what is fetched twice.

The web, the writer and three readers are scripted and on this machine: `python -m benchmarks.collecting`. The numbers
say what the pipeline asks for, and nothing about what a model or the web gives.
"""

import os
import resource
import sys
import tempfile
import time
from collections import Counter
from unittest.mock import patch

from tests.collection.panel import metrics, run
from tests.collection.web import Outside


def main() -> None:
    """Print the numbers."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with tempfile.TemporaryDirectory() as folder, Outside() as site:
        os.chdir(folder)
        with patch("refusalbench_tasks.web.fetch.CheckedTransport", lambda **_: site.transport()):
            begun = time.perf_counter()
            log = run(f"searxng:{site.here}/searxng", locks=records)
            seconds = time.perf_counter() - begun
        found, pages = metrics(log), Counter((host, path) for host, path, _ in site.seen)
        searches = Counter(site.searches)
        os.chdir("/")
    print(f"records: {found['n_accepted']:.0f} of {records} accepted in {seconds:.0f} s")
    print(f"model calls an accepted record: {found['calls_per_accepted']:.2f}, with a panel of three")
    print(f"pages: {len(pages)} fetched, {sum(n > 1 for n in pages.values())} of them twice")
    print(f"searches: {len(searches)}, {sum(n > 1 for n in searches.values())} of them asked twice")
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


if __name__ == "__main__":
    main()
