"""What the benchmarks measure with."""

import subprocess
import sys
from pathlib import Path

import pytest

import benchmarks


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="needs /proc")
def test_the_memory_of_a_process_is_not_that_of_the_one_that_started_it() -> None:
    held = b"x" * 300_000_000
    code = "from benchmarks.memory import peak_kilobytes; print(peak_kilobytes())"
    root = Path(benchmarks.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert 1_000 < int(done.stdout) < len(held) / 1024 / 2
