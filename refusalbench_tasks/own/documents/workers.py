"""Work on outside files in processes of its own: without network, within time and
memory, killed if it hangs.
"""

import logging
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import cpu_count, get_all_start_methods, get_context
from threading import Event
from typing import Any, TypeVar

from .extracted import Unusable

Job = TypeVar("Job")
Result = TypeVar("Result")

START = 60.0
"""Seconds that a process may take to begin a job; the time of the job counts from then
on.
"""
STEP = 0.1
"""Seconds after which a waiting thread looks whether it is still wanted."""
MEMORY = 4 * 2**30
"""Bytes that one process may use (where the system knows such a limit)."""
FORBIDDEN = frozenset(
    (
        "socket.connect",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.gethostbyaddr",
        "socket.bind",
        "socket.sendto",
        "socket.sendmsg",
        "subprocess.Popen",
        "os.system",
        "os.exec",
        "os.posix_spawn",
        "os.spawn",
        "os.startfile",
        "os.fork",
        "os.forkpty",
        "pty.spawn",
    )
)
"""The audit events of connections, names of hosts, datagrams and programs."""
LIBRARIES = (
    "trafilatura",
    "pypdf",
    "mammoth",
    "pptx",
    "openpyxl",
    "semantic_text_splitter",
    "markdown_it",
)
"""What the converters need; a server process loads them once for all workers."""


def each_apart(
    function: Callable[[Job], Result], jobs: Sequence[Job], seconds: float
) -> Iterator[Result | Unusable]:
    """Yield the result of each job in the order of the jobs, or why there is none.

    Each job has a process of its own, as many at once as there are processors. One that
    takes longer than `seconds` is killed. An exception of the function is a reason too.
    The function can't open a connection or start a program.
    """
    has_server = "forkserver" in get_all_start_methods()
    context: Any = get_context("forkserver" if has_server else "spawn")
    if has_server:
        # what every job needs is loaded once, and not by each process
        context.set_forkserver_preload([__package__ + ".build", *LIBRARIES])
    ended = Event()
    pool = ThreadPoolExecutor(cpu_count())
    try:
        yield from pool.map(
            lambda job: _apart(
                context,
                function,
                job,
                seconds,
                ended,
            ),
            jobs,
        )
    finally:
        ended.set()
        pool.shutdown(cancel_futures=True)


def _apart(
    context: Any,
    function: Callable[[Any], object],
    job: object,
    seconds: float,
    ended: Event,
) -> Any:
    """Return what came of one job in a process of its own, which is killed when nobody
    waits any more.
    """
    here, there = context.Pipe()
    process = context.Process(
        target=_serve,
        args=(there, function, job),
        daemon=True,
    )
    process.start()
    there.close()
    try:
        # it first says that it has begun: how long a process takes to start is not the
        # document's fault
        for most in (START, seconds):
            due = time.monotonic() + most
            while not here.poll(STEP):
                if ended.is_set() or time.monotonic() >= due:
                    return Unusable(f"took longer than {seconds:g} seconds")
            result = here.recv()
        return result
    except (EOFError, OSError):
        process.join(1)
        return Unusable(f"its converter died (exit code {process.exitcode})")
    finally:
        process.kill()
        process.join()
        here.close()


def _serve(pipe: Any, function: Callable[[Any], object], job: object) -> None:
    _confine()
    with suppress(EOFError, OSError):
        pipe.send(None)
        try:
            result = function(job)
        except Unusable as error:
            result = error
        except MemoryError:
            result = Unusable(f"needs more than {MEMORY // 2**30} GiB of memory")
        except RecursionError:
            result = Unusable("broken: nested too deep")
        except Exception as error:
            result = Unusable(
                f"broken ({type(error).__name__}: {' '.join(str(error).split())[:120]})"
            )
        pipe.send(result)


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
