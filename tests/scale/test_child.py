"""A command ends with the one that started it, in order where that can be."""

import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Timer

from refusalbench_tasks.scale.child import GUARD, run_command
from refusalbench_tasks.scale.shard_run import INSPECT

WORKS = """
import os, sys, time
from pathlib import Path
try:
    Path("pid").write_text(str(os.getpid()))
    time.sleep(60)
except KeyboardInterrupt:
    Path("ended").write_text("in order")
    print("bye")
    sys.exit(3)
"""


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]


def begun(folder: Path) -> int:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if (folder / "pid").exists() and (text := (folder / "pid").read_text()):
            return int(text)
        time.sleep(0.02)
    raise AssertionError("the command did not begin")


def gone(pid: int) -> bool:
    end = time.monotonic() + 60
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pid)


def test_the_status_and_the_last_line_come_back(tmp_path: Path) -> None:
    code = "import os; print('first'); print(os.environ['GIVEN'], os.getcwd()); raise SystemExit(4)"
    status, said = run_command([sys.executable, "-ISc", code], {"GIVEN": "yes"}, str(tmp_path))
    assert (status, said) == (4, f"yes {tmp_path}")


def test_a_command_that_is_stopped_ends_in_order(tmp_path: Path) -> None:
    stopped = Event()
    timer = Timer(0, lambda: stopped.set() if begun(tmp_path) else None)
    timer.start()
    assert run_command([sys.executable, "-ISc", WORKS], {}, str(tmp_path), stopped) == (3, "bye")
    assert (tmp_path / "ended").read_text() == "in order"
    timer.join()


def test_a_command_of_a_starter_that_does_not_hear_ctrl_c_ends_in_order(tmp_path: Path) -> None:
    starter = f"""
import signal, sys, threading
sys.path.insert(0, {str(GUARD.parents[2])!r})
signal.pthread_sigmask(signal.SIG_BLOCK, {{signal.SIGINT}})  # as in the workers of Ray
from refusalbench_tasks.scale.child import run_command
stopped = threading.Event()
threading.Thread(target=lambda: (sys.stdin.readline(), stopped.set())).start()
print(run_command([sys.executable, "-ISc", {WORKS!r}], {{}}, {str(tmp_path)!r}, stopped))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", starter], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    begun(tmp_path)
    assert process.communicate("\n", timeout=60)[0].strip() == "(3, 'bye')"


def test_a_command_whose_starter_is_lost_is_killed_at_once(tmp_path: Path) -> None:
    guard = subprocess.Popen(
        [sys.executable, str(GUARD), sys.executable, "-ISc", WORKS], stdin=subprocess.PIPE, cwd=tmp_path
    )
    pid = begun(tmp_path)
    assert guard.stdin
    guard.stdin.close()  # as the system does for a process that is killed
    assert guard.wait(60) == 128 + signal.SIGKILL
    assert gone(pid)
    assert not (tmp_path / "ended").exists()


def test_a_command_whose_guard_is_killed_does_not_go_on(tmp_path: Path) -> None:
    guard = subprocess.Popen(
        [sys.executable, str(GUARD), sys.executable, "-ISc", WORKS], stdin=subprocess.PIPE, cwd=tmp_path
    )
    pid = begun(tmp_path)
    guard.kill()
    guard.wait()
    assert guard.stdin
    guard.stdin.close()
    if sys.platform == "linux":
        assert gone(pid)
    else:
        os.kill(pid, signal.SIGKILL)


def test_a_scheduler_s_signal_ends_it_in_order(tmp_path: Path) -> None:
    guard = subprocess.Popen(
        [sys.executable, str(GUARD), sys.executable, "-ISc", WORKS], stdin=subprocess.PIPE, cwd=tmp_path
    )
    begun(tmp_path)
    guard.terminate()
    assert guard.wait(60) == 3
    assert (tmp_path / "ended").exists()
    assert guard.stdin
    guard.stdin.close()


def test_inspect_takes_no_module_of_the_folder_in_which_it_runs(tmp_path: Path) -> None:
    # in place of the library, which takes seconds to import, one that is found where a library is
    library, folder = tmp_path / "library", tmp_path / "folder"
    for place in (library, folder):
        place.mkdir()
        (place / "inspect_ai.py").write_text(f"print({place.name!r})", encoding="utf-8")
    assert run_command([*INSPECT, "--version"], {"PYTHONPATH": str(library)}, str(folder)) == (0, "library")
    assert find_spec(f"{INSPECT[-1]}.__main__")
