"""The command `refusalbench` as it is typed: a process of its own, in which names are those of the installed suite."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def typed(arguments: Sequence[str]) -> tuple[int, str]:
    """Run the command and return its exit status and what it wrote."""
    command = [str(Path(sys.executable).with_name("refusalbench")), *arguments]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False
    )
    return done.returncode, done.stdout
