"""`guard.py COMMAND…`: runs a command that must not outlive who started it.

The starter holds the guard's standard input. The word `stop` there asks the command to end as Ctrl-C does; an end of
the input means that the starter is gone, and the command is killed at once, as what it spends nobody would count.
"""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from threading import Thread

PATIENCE = 60.0
"""Seconds that a command has to write its log after it was asked to end."""


def main(command: list[str]) -> int:
    """Run the command and return its exit status; 128 and the signal if one ended it."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=_prepare)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: _send(child, signal.SIGINT))
    Thread(target=_watch, args=(child,), daemon=True).start()
    status = child.wait()
    return status if status >= 0 else 128 - status


def _watch(child: "subprocess.Popen[bytes]") -> None:
    # not sys.stdin, whose lock this thread would still hold when the guard ends
    while said := os.read(0, 100):
        if b"stop" in said:
            _send(child, signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                child.wait(PATIENCE)
            break
    _send(child, signal.SIGKILL)


def _send(child: "subprocess.Popen[bytes]", what: signal.Signals) -> None:
    if child.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, what)


def _prepare() -> None:
    """Let the command hear Ctrl-C, which Ray blocks in its workers; on Linux it is killed when the guard is."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    if sys.platform == "linux":
        import ctypes

        set_death_signal = 1
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
