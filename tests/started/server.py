"""The process behind the commands: `server.py ADDRESS PID` serves calls until the process PID is gone."""

import gc
import json
import os
import runpy
import signal
import socket
import sys
from contextlib import nullcontext, suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

ENTRIES = {"inspect": "inspect_ai._cli.main", "refusalbench": "refusalbench_tasks.cli"}
SCRIPTS = "started-python"
"""The command that runs a Python file."""
LOADED = (
    *ENTRIES.values(),
    "refusalbench_tasks._registry",
    "inspect_ai._eval.task.run",
    "openai",
    "anthropic",
    "numpy",
)
NEEDED = (
    "fastapi",
    "uvicorn",
    "rich.markdown",
    "scipy.optimize",
    "inspect_ai.agent._acp.server",
    "inspect_ai.model._openai_responses",
    "inspect_ai.model._providers.anthropic",
    "inspect_ai.model._providers.none",
    "inspect_ai.model._providers.openai",
    "inspect_ai.solver._transcript",
    "inspect_swe._registry",
    "nest_asyncio",
    "numpy.random",
    "openai.resources.chat.completions",
    "refusalbench_tasks.generators.levers",
    "refusalbench_tasks.results.show",
)
"""What every run imports besides, half of its time; where another version of Inspect lacks one, runs do without."""


def main(address: str, owner: int) -> None:
    """Import what the commands import, then fork for each call."""
    sys.path.pop(0)  # the folder of this file, which the commands' path does not hold
    for name in LOADED:
        import_module(name)
    for name in NEEDED:
        with suppress(ImportError):
            import_module(name)
    # Inspect's list of models, which each process with one reads for half a second
    with suppress(ImportError, AttributeError):
        import_module("inspect_ai.model._model_info")._get_model_info_db()
    # the table at the end of an eval, which `--display none` lays out for a second and does not show
    display: Any = import_module("inspect_ai._display.rich.display")
    display.tasks_results = lambda _: ""
    # what each sample would tell a server that steers it
    transport: Any = import_module("inspect_ai.agent._acp.transport")
    transport.acp_session = nullcontext
    # a dozen threads for each member of a log
    with suppress(ImportError):
        packing: Any = import_module("inspect_ai._util.zipfile")
        packing._ZSTD_THREADS = 0
    # what is loaded stays: no call's collector looks at it, or copies its pages
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{address}.new")
        listener.listen()
        listener.settimeout(1)
        os.rename(f"{address}.new", address)
        while os.getppid() == owner:
            try:
                call, _ = listener.accept()
            except TimeoutError:
                continue
            if os.fork() == 0:
                listener.close()
                _answer(call)
            call.close()


def _answer(call: socket.socket) -> None:
    call.settimeout(None)
    size, streams, _, _ = socket.recv_fds(call, 8, 3)
    text = b""
    while len(text) < int.from_bytes(size, "big"):
        text += call.recv(1 << 16)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    Thread(target=_die_with_caller, args=(call,), daemon=True).start()
    status = _run(json.loads(text))
    sys.stdout.flush()
    sys.stderr.flush()
    call.sendall(bytes([status]))
    os._exit(status)


def _die_with_caller(call: socket.socket) -> None:
    """Kill this process when the command that it runs for is killed: its end of the socket closes."""
    call.recv(1)
    os.kill(os.getpid(), signal.SIGKILL)


def _run(call: dict[str, Any]) -> int:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.chdir(call["folder"])
    os.environ.clear()
    os.environ.update(call["environment"])
    sys.argv = call["argv"]
    try:
        name = Path(sys.argv[0]).name
        if name == SCRIPTS:
            del sys.argv[0]
            sys.path.insert(0, str(Path(sys.argv[0]).parent))
            runpy.run_path(sys.argv[0], run_name="__main__")
        else:
            import_module(ENTRIES[name]).main()
    except SystemExit as end:
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
