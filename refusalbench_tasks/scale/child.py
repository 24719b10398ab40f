"""A command in a process of its own, which ends with the one that started it."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event

GUARD = Path(__file__).with_name("guard.py")
_POLL = 0.2
_TOLD = 300
"""How many characters of what a command wrote are kept for a message."""


def run_command(
    command: Sequence[str], environment: Mapping[str, str], folder: str, stopped: Event | None = None
) -> tuple[int, str]:
    """Run a command and return its exit status and the last line that it wrote.

    The environment is this process's, with the additions; the folder is the current one where it does not exist. An
    exception (Ctrl-C) or the event asks it to end, and it is waited for.
    """
    place = folder if Path(folder).is_dir() else None
    with tempfile.TemporaryFile() as said:
        guard = subprocess.Popen(
            [sys.executable, str(GUARD), *command],
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=subprocess.STDOUT,
            env=os.environ | environment,
            cwd=place,
            start_new_session=True,
        )
        try:
            _wait(guard, stopped)
        finally:
            _stop(guard)
        said.seek(0)
        lines = said.read().decode(errors="replace").strip().splitlines()
    return guard.returncode, " ".join(lines[-1].split())[:_TOLD] if lines else ""


def _wait(guard: "subprocess.Popen[bytes]", stopped: Event | None) -> None:
    while not (stopped and stopped.is_set()):
        with suppress(subprocess.TimeoutExpired):
            guard.wait(_POLL)
            return


def _stop(guard: "subprocess.Popen[bytes]") -> None:
    assert guard.stdin is not None
    with suppress(BrokenPipeError):
        if guard.poll() is None:
            guard.stdin.write(b"stop\n")
            guard.stdin.flush()
            guard.wait()
    with suppress(BrokenPipeError):
        guard.stdin.close()
