"""Commands without their start-up: a process that has imported what they import forks for each call."""

import os
import subprocess
import sys
import time
from pathlib import Path

COMMANDS = ("inspect", "refusalbench", "started-python")
LIGHT = {
    "INSPECT_EVAL_CTL_SERVER": "false",
    "INSPECT_EVAL_NO_LOG_REALTIME": "true",
    "INSPECT_EVAL_SCORE_DISPLAY": "true",
    "INSPECT_TRACE_LEVEL": "CRITICAL",
}
"""Inspect's variables for evals without what no test looks at; the last one is that of `--no-score-display`."""
HERE = Path(__file__).parent


def started_commands(folder: Path) -> Path:
    """Return a folder for the front of PATH, in which `inspect` and `refusalbench` start at once.

    They are the real commands, with the arguments, environment, folder and streams of the caller, end with their status
    and are killed with their caller. `started-python FILE` runs a Python file likewise. The process behind them ends
    with the caller's.
    """
    address = folder / "socket"
    server = subprocess.Popen([sys.executable, str(HERE / "server.py"), str(address), str(os.getpid())])
    deadline = time.monotonic() + 120
    while not address.exists():
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("the process behind the commands did not start")
        time.sleep(0.02)
    client = (HERE / "client.py").read_text(encoding="utf-8")
    for name in COMMANDS:
        command = folder / name
        command.write_text(f"#!{sys.executable} -IS\nADDRESS = {str(address)!r}\n{client}", encoding="utf-8")
        command.chmod(0o755)
    return folder
