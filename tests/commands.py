"""`inspect` and `refusalbench` as a terminal starts them, in a fork of the test's
process: start-up takes seconds.

A fork has the arguments, environment, folder and streams of its own, and ends with the
command's status.
"""

import os
import shlex
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points, packages_distributions
from pathlib import Path
from typing import Any

from inspect_ai.model import get_model

MAIN: dict[str, Callable[[], object]] = {
    name: entry_points(group="console_scripts", name=name)[name].load()
    for name in ("inspect", "refusalbench")
}
# what nearly every command imports or looks up for seconds: once, and not in every fork
for name in ("acp", "pandas", "refusalbench_tasks._registry"):
    import_module(name)
for name in ("openai/gpt-4o", "anthropic/claude-a"):
    get_model(name, api_key="none", memoize=False)
packages_distributions()
SECONDS = 300


@dataclass
class Fork:
    """What runs in a fork, and the file that it prints to."""

    pid: int
    output: Path

    def kill(self) -> None:
        """Kill it as a system out of memory does."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        # a server in a thread of ours logs the broken connections; a fork in the midst
        # of it would inherit its locks
        time.sleep(1)

    def ended(self) -> tuple[int, str]:
        """Wait for its end, and return its status and what it printed."""
        deadline = time.monotonic() + SECONDS
        while not (found := os.waitpid(self.pid, os.WNOHANG))[0]:
            if time.monotonic() > deadline:
                self.kill()
                raise TimeoutError(
                    self.output.read_text(encoding="utf-8", errors="replace")
                )
            time.sleep(0.02)
        return os.waitstatus_to_exitcode(found[1]), self.output.read_text(
            encoding="utf-8", errors="replace"
        )


def forked(work: Callable[[], object], folder: Path, **environment: str) -> Fork:
    """Begin work in a fork, in a folder and with these variables beside the present
    ones.
    """
    handle, name = tempfile.mkstemp(prefix="printed-")
    pid = os.fork()
    if pid:
        os.close(handle)
        return Fork(pid, Path(name))
    status = 1
    try:
        os.dup2(handle, 1)
        os.dup2(handle, 2)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        os.chdir(folder)
        os.environ.update(environment)
        work()
        status = 0
    except SystemExit as end:
        if isinstance(end.code, str):
            sys.stderr.write(end.code)
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def start(line: str | Sequence[str], folder: Path, **environment: str) -> Fork:
    """Begin a command in a folder: words, or a line as it stands on a page, with the
    patterns of files in it.
    """
    words = shlex.split(line) if isinstance(line, str) else list(line)
    if isinstance(line, str):
        words = [one for word in words for one in (_files(word, folder) or [word])]

    def work() -> Any:
        sys.argv = words
        return MAIN[words[0]]()

    return forked(work, folder, **environment)


def run(line: str | Sequence[str], folder: Path, **environment: str) -> str:
    """Run a command to its end. Return what it printed; fail if it did."""
    status, printed = start(line, folder, **environment).ended()
    assert status == 0, f"{line}\n{printed}"
    return printed


def _files(word: str, folder: Path) -> list[str]:
    return (
        sorted(str(found.relative_to(folder)) for found in folder.glob(word))
        if "*" in word
        else []
    )
