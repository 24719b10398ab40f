"""What a piece of work takes in a process of its own."""

import subprocess
import sys
from dataclasses import dataclass

_END = """
import time as _time
from benchmarks.memory import peak_kilobytes as _peak
print(_time.process_time(), _peak())
"""


@dataclass(frozen=True)
class Taken:
    """CPU seconds (user and system) and megabytes at the peak, of the process itself without those that it starts."""

    seconds: float
    megabytes: float
    said: str


def alone(program: str, *arguments: str) -> Taken:
    """Return what a program takes in a fresh interpreter, with start-up; `said` is what it prints.

    In the process that measures, the peak would be that of whatever it did before.
    """
    done = subprocess.run(
        [sys.executable, "-c", program + _END, *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    *said, last = done.stdout.strip().splitlines()
    seconds, kilobytes = last.split()
    return Taken(float(seconds), int(kilobytes) / 1024, "\n".join(said))
