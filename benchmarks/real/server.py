"""llama.cpp's server with the weights of one model, for as long as it is needed."""

import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import httpx

from refusalbench_tasks.errors import DataError

CONTEXT = 16384
"""Tokens of context for all slots: a prompt of `garage` has up to 4,000, a reply 200.
"""
SLOTS = 2
"""How many requests are answered at once; more are no faster on two cores."""
PATIENCE = 120
"""Seconds that a server may take to load its weights."""


@contextmanager
def served(weights: Path, threads: int = 2) -> Iterator[str]:
    """Give the address of a server of these weights, which ends with the block.

    Raises DataError if it can't start.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "benchmarks.real.server",
        str(weights),
        str(port),
        str(threads),
    ]
    # a file, as a pipe that nobody reads would stop the server when it is full
    with tempfile.TemporaryFile() as written:
        # of a session of its own: Ctrl-C reaches the run, which then ends the server
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=written, start_new_session=True
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait(process, address, written)
            yield f"{address}/v1"
        finally:
            process.kill()
            process.wait()


def _wait(process: "subprocess.Popen[bytes]", address: str, written: IO[bytes]) -> None:
    """Wait until a server answers.

    Raises DataError if it ends before, or takes too long.
    """
    for _ in range(PATIENCE * 2):
        if process.poll() is not None:
            written.seek(0)
            lines = written.read().decode(errors="replace").strip().splitlines()
            reason = lines[-1] if lines else "no reason given"
            raise DataError(
                f"llama.cpp ended: {reason[:300]}; is the group `real` installed?"
            )
        try:
            if httpx.get(f"{address}/health", timeout=5).is_success:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.5)
    raise DataError(f"llama.cpp did not answer within {PATIENCE} s on {address}")


def serve(weights: str, port: int, threads: int) -> None:
    """Serve until the process is ended."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = weights
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = CONTEXT
    params.n_parallel = SLOTS
    params.cpuparams.n_threads = threads
    server = xllamacpp.Server(params)
    while server is not None:
        time.sleep(3600)


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
