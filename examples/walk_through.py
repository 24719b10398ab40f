"""Run the walk-through of docs/own-system.md offline: `python -m examples.walk_through
FOLDER`, or `make demo-own`.

The commands are those of the page, taken from it. The models are scripted
(scripted_models.py): the way is real, and the numbers say nothing about any system.
"""

import os
import re
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from examples.scripted_models import said
from tests.provider.server import Server

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "own-system.md"
PORT = "8000"
"""The port of the assistant on the page."""
_BLOCK = re.compile(r"<!-- (run|start) -->\n```bash\n(.*?)```", re.DOTALL)
_SECONDS_TO_START = 120


def blocks(port: int | None = None) -> list[tuple[str, str]]:
    """Return the page's commands, those to `run` and those to `start` and leave
    running, for another port if given.
    """
    text = PAGE.read_text(encoding="utf-8")
    return [
        (kind, block.replace(PORT, str(port or PORT)))
        for kind, block in _BLOCK.findall(text)
    ]


def walk(folder: Path, environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each block of the page with what it printed, run in a folder; the last line
    is how it ended.

    The folder gets a link to the examples, so that the commands find them. Whatever
    is started is ended.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "examples").symlink_to(ROOT / "examples", target_is_directory=True)
    port = free_port()
    started: list[subprocess.Popen[bytes]] = []
    try:
        for kind, text in blocks(port):
            if kind == "start":
                started.append(
                    subprocess.Popen(
                        shlex.split(text),
                        cwd=folder,
                        env=dict(environment),
                        stdout=subprocess.DEVNULL,
                    )
                )
                _wait_for(port, started[-1])
                yield text, ""
                continue
            done = subprocess.run(
                ["bash", "-ec", text],
                cwd=folder,
                env=dict(environment),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            yield text, f"{done.stdout}exit status {done.returncode}"
    finally:
        for process in started:
            process.terminate()
            process.wait()


@contextmanager
def scripted(environment: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield an environment in which every OpenAI client asks the scripted models, and
    no other key is set.

    Calls are kept in a folder of their own: those of an earlier version of the scripts
    are not taken for theirs.
    """
    with Server(said) as server, TemporaryDirectory() as calls:
        yield {
            name: value
            for name, value in environment.items()
            if not name.endswith("_API_KEY")
        } | {
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": server.openai_url,
            "INSPECT_DISPLAY": "none",
            "INSPECT_CACHE_DIR": calls,
        }


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError("the assistant did not start")


def _shown(text: str) -> str:
    """Return commands with a prompt before each, but not before the lines that go on
    with one.
    """
    return "$ " + re.sub(r"(?<!\\)\n(?=.)", "\n$ ", text.strip())


def main() -> None:
    """Print each command and what it says; end with the status of the first that fails.

    That of a gate is its verdict on the assistant.
    """
    folder = Path(sys.argv[1])
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    print(
        "Every model in this run is a script (examples/scripted_models.py); no key and"
        " no network are used."
    )
    with scripted(os.environ | {"PATH": path}) as environment:
        for text, told in walk(folder, environment):
            output, _, status = told.rpartition("exit status ")
            print("\n" + _shown(text), output.rstrip(), sep="\n", flush=True)
            if int(status or 0) and "refusalbench gate" not in text:
                sys.exit(int(status))
    print(f"\nThe report: {folder}/own/report/index.html. The logs: {folder}/own/logs.")


if __name__ == "__main__":
    main()
