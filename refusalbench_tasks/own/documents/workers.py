"""Work on outside files in processes of its own: without network, within time and memory, killed if it hangs."""

import logging
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import connection, get_all_start_methods, get_context
from typing import Any, Generic, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")

START = 60.0
"""Seconds that a process may take to begin a job; the time of the job counts from then on."""
AHEAD = 4
"""Jobs a process that are done before their turn: what bounds the memory."""
MEMORY = 4 * 2**30
"""Bytes that one process may use (where the system knows such a limit)."""
FORBIDDEN = frozenset(
    (
        "socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.bind",
        "socket.sendto", "socket.sendmsg", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn",
        "os.startfile", "os.fork", "os.forkpty", "pty.spawn",
    )
)  # fmt: skip
"""The audit events of connections, names of hosts, datagrams and programs."""
LIBRARIES = ("trafilatura", "pypdf", "mammoth", "datasketch", "semantic_text_splitter", "sentencex", "markdown_it")
"""What the converters need; a server process loads them once for all workers."""


@dataclass(frozen=True)
class Failed:
    """A job without a result, and why."""

    reason: str


class _Begun:
    """What a process says when it begins a job."""


class _Worker(Generic[Job]):
    def __init__(self, context: Any, function: Callable[[Job], object]) -> None:
        self.here, there = context.Pipe()
        self.process = context.Process(target=_serve, args=(there, function), daemon=True)
        self.process.start()
        there.close()
        self.number: int | None = None
        self.deadline = 0.0

    def give(self, number: int, job: Job) -> None:
        self.number, self.deadline = number, time.monotonic() + START
        # a worker that died before is told by the end of its pipe
        with suppress(OSError):
            self.here.send(job)

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.here.close()


def each_apart(
    function: Callable[[Job], Result], jobs: Iterable[Job], processes: int, seconds: float
) -> Iterator[Result | Failed]:
    """Yield the result of each job in the order of the jobs, or Failed with the reason.

    A job that takes longer than `seconds` is killed with its process; another process goes on. An exception of the
    function is a Failed too. The function can't open a connection or start a program.
    """
    context = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
    if hasattr(context, "set_forkserver_preload"):
        context.set_forkserver_preload([__name__, *LIBRARIES])
    workers: list[_Worker[Job]] = [_Worker(context, function) for _ in range(processes)]
    waiting, done = enumerate(jobs), dict[int, Result | Failed]()
    due, given, more = 0, 0, True
    try:
        while more or due < given:
            for worker in workers:
                if more and worker.number is None and given < due + processes * AHEAD:
                    number, job = next(waiting, (-1, None))
                    more = job is not None
                    if job is not None:
                        worker.give(number, job)
                        given += 1
            busy = [worker for worker in workers if worker.number is not None]
            _collect(busy, done, seconds)
            for place, worker in enumerate(workers):
                if not worker.process.is_alive() and worker.number is None:
                    worker.stop()
                    workers[place] = _Worker(context, function)
            while due in done:
                yield done.pop(due)
                due += 1
    finally:
        for worker in workers:
            worker.stop()


def _collect(busy: list[_Worker[Job]], done: dict[int, Any], seconds: float) -> None:
    """Wait until a worker has finished or is overdue; put down what came of its job."""
    if not busy:
        return
    left = min(worker.deadline for worker in busy) - time.monotonic()
    ready = connection.wait([worker.here for worker in busy], max(0.0, left))
    for worker in busy:
        number = worker.number
        assert number is not None
        if worker.here in ready:
            try:
                said = worker.here.recv()
                if isinstance(said, _Begun):
                    worker.deadline = time.monotonic() + seconds
                    continue
                done[number] = said
            except (EOFError, OSError):
                worker.process.join()
                done[number] = Failed(f"its converter died (exit code {worker.process.exitcode})")
            worker.number = None
        elif time.monotonic() >= worker.deadline:
            worker.process.kill()
            worker.process.join()
            done[number] = Failed(f"took longer than {seconds:g} seconds")
            worker.number = None


def _serve(pipe: Any, function: Callable[[Any], object]) -> None:
    _confine()
    with suppress(EOFError, OSError):
        while True:
            job = pipe.recv()
            pipe.send(_Begun())
            pipe.send(_outcome(function, job))


def _outcome(function: Callable[[Any], object], job: object) -> object:
    try:
        return function(job)
    except MemoryError:
        return Failed(f"needs more than {MEMORY // 2**30} GiB of memory")
    except RecursionError:
        return Failed("broken: nested too deep")
    except Exception as error:
        return Failed(f"broken ({type(error).__name__}: {' '.join(str(error).split())[:120]})")


def _confine() -> None:
    """Take from this process what a converter of outside files has no use for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.disable(logging.CRITICAL)
    sys.addaudithook(_forbid)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _forbid(event: str, _: object) -> None:
    if event in FORBIDDEN:
        raise PermissionError(f"a converter may not use {event}")
