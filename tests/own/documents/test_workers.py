import os
import socket
import subprocess
import time
from pathlib import Path

from refusalbench_tasks.own.documents.extracted import Unusable
from refusalbench_tasks.own.documents.workers import each_apart


def task(job: tuple[str, float]) -> str:
    kind, value = job
    if kind == "hang":
        time.sleep(60)
    elif kind == "die":
        os._exit(7)
    elif kind == "raise":
        raise ValueError("two\nlines")
    elif kind == "deep":
        raise RecursionError
    elif kind == "memory":
        bytearray(2**34)
    elif kind == "connect":
        socket.create_connection(("127.0.0.1", 9))
    elif kind == "start":
        subprocess.run(["true"], check=False)
    elif kind == "spawn":
        os.posix_spawn("/bin/true", ["true"], {})
    elif kind == "datagram":
        socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9))
    elif kind == "name":
        socket.gethostbyname("localhost")
    time.sleep(value)
    return kind


def test_results_come_in_the_order_of_the_jobs() -> None:
    jobs = [("slow", 0.2), ("b", 0.0), ("c", 0.0), ("d", 0.0)]
    assert list(each_apart(task, jobs, 30)) == ["slow", "b", "c", "d"]


def test_what_hangs_or_dies_is_told_and_the_rest_goes_on() -> None:
    jobs = [
        (kind, 0.0)
        for kind in ("hang", "a", "die", "b", "raise", "deep", "memory", "c")
    ]
    made = list(each_apart(task, jobs, 1))
    reasons = [str(one) if isinstance(one, Unusable) else one for one in made]
    assert reasons == [
        "took longer than 1 seconds",
        "a",
        "its converter died (exit code 7)",
        "b",
        "broken (ValueError: two lines)",
        "broken: nested too deep",
        "needs more than 4 GiB of memory",
        "c",
    ]


def test_no_connection_no_datagram_and_no_program_is_allowed() -> None:
    jobs = [(kind, 0.0) for kind in ("connect", "datagram", "name", "start", "spawn")]
    reasons = [
        str(one) for one in each_apart(task, jobs, 10) if isinstance(one, Unusable)
    ]
    events = (
        "socket.getaddrinfo",
        "socket.sendto",
        "socket.gethostbyname",
        "subprocess.Popen",
        "os.posix_spawn",
    )
    assert reasons == [
        f"broken (PermissionError: a converter may not use {event})" for event in events
    ]


def test_nothing_runs_on_when_the_reader_stops() -> None:
    results = each_apart(_own_id, [0, 1, 2], 30)
    first = next(results)
    results.close()  # type: ignore[attr-defined]
    assert isinstance(first, int)
    assert not Path(f"/proc/{first}").exists()


def _own_id(_: int) -> int:
    return os.getpid()
