"""What every `inspect` command pays for the suite: the modules and the time of
`_registry`, beside Inspect itself; and what the least `refusalbench` command takes.
"""

import json
import resource
import subprocess
import sys
from statistics import median

from benchmarks.result import Result

RUNS = 7
CODE = """
import json, sys, time
import inspect_ai
before, start = set(sys.modules), time.process_time()
import refusalbench_tasks._registry
taken, added = time.process_time() - start, set(sys.modules) - before
ours = sum(name.partition(".")[0] == "refusalbench_tasks" for name in added)
print(json.dumps([taken, ours]))
"""


def results() -> list[Result]:
    """Return the CPU time of the import, the median of processes of their own, and how
    many modules it loads.
    """
    runs = [
        subprocess.run(
            [sys.executable, "-c", CODE], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(RUNS)
    ]
    seconds, modules = zip(*map(json.loads, runs), strict=True)
    return [
        Result(
            "`import refusalbench_tasks._registry`, over `import inspect_ai`",
            f"{median(seconds):.2f} s, {modules[0]} modules",
            f"CPU time; median of {RUNS} processes",
        ),
        Result(
            "`refusalbench --version`",
            f"{median(_version_seconds() for _ in range(RUNS)):.2f} s",
            f"CPU time; median of {RUNS} processes",
        ),
    ]


def _version_seconds() -> float:
    code = "from refusalbench_tasks.cli import main; main(['--version'])"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
