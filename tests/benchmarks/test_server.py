"""A server of weights says why it can't start, and lets no process behind."""

import subprocess
import sys
from pathlib import Path
from typing import IO

import httpx
import pytest

from benchmarks.real.server import served
from refusalbench_tasks.errors import DataError

LISTENING = """
import http.server, sys
class Healthy(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        sys.stderr.write("x" * 200_000)
        self.send_response(200)
        self.end_headers()
    def log_message(self, *args): pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[2])), Healthy).serve_forever()
"""


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Start these words instead of llama.cpp."""
    words: list[str] = []
    start = subprocess.Popen

    def popen(
        given: list[str], stdout: int, stderr: IO[bytes], start_new_session: bool
    ) -> "subprocess.Popen[bytes]":
        arguments = [sys.executable, *words, *given[3:]]
        return start(
            arguments, stdout=stdout, stderr=stderr, start_new_session=start_new_session
        )

    monkeypatch.setattr("benchmarks.real.server.subprocess.Popen", popen)
    return words


def test_a_server_that_writes_much_does_not_stop(command: list[str]) -> None:
    command += ["-c", LISTENING]
    with served(Path("any.gguf")) as address:
        for _ in range(3):
            assert httpx.get(address.replace("/v1", "/health"), timeout=10).is_success
    with pytest.raises(httpx.ConnectError):
        httpx.get(address, timeout=10)


def test_a_server_that_ends_says_why(command: list[str]) -> None:
    command += ["-c", "raise SystemExit('out of memory')"]
    with (
        pytest.raises(
            DataError,
            match="llama.cpp ended: out of memory; is the group `real` installed",
        ),
        served(Path("a")),
    ):
        pass
