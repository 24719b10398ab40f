"""Time and memory of `refusalbench export`, and how they grow with the items of a log."""

import json
import resource
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from inspect_ai import eval

from benchmarks.result import Result
from refusalbench_tasks.perturb import perturb
from tests.generators.panel import named, verdict, write_well

_CHILD = """
import sys
from pathlib import Path
from benchmarks.memory import peak_kilobytes
from refusalbench_tasks.generators.export import export
from refusalbench_tasks.generators.generation_logs import read_runs
done = export(read_runs([sys.argv[1]]).runs, Path(sys.argv[2]), None, None)
print(done.rows, peak_kilobytes())
"""
SLOTS = 16


def write_log(folder: Path) -> Path:
    """Write the log of a run in which every one of a few slots is accepted, and return its path."""
    roles: Any = {"verifier": [named("v", lambda prompt: verdict())]}
    (log,) = eval(
        perturb(bases="nq_sample", classes="MissingInfo", intensities="MEDIUM", cache=False),
        model=named("w", write_well), model_roles=roles, log_dir=str(folder), limit=SLOTS, display="none",
    )  # fmt: skip
    assert log.status == "success"
    return next(folder.glob("*.eval"))


def repeat_log(source: Path, target: Path, times: int) -> None:
    """Write a log whose samples are those of another, repeated with other base questions."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
        for name in old.namelist():
            if not name.startswith("samples/"):
                new.writestr(name, old.read(name))
                continue
            sample = json.loads(old.read(name))
            candidate = sample["scores"]["consensus_scores"]["metadata"]["candidate"]
            passage, base = candidate["passages"][0], sample["metadata"]["base"]["item_id"]
            for k in range(times):
                sample["id"] = f"{k}-{base}"
                sample["metadata"]["base"]["item_id"] = f"{base}-{k}"
                candidate["passages"] = [f"{passage} It was told {k} times."]
                new.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))


def measure(base: Path, items: int, folder: Path) -> tuple[float, float, int]:
    """Return CPU seconds and megabytes of an export in a process of its own, start-up included, and its rows."""
    log = folder / f"{items}.eval"
    repeat_log(base, log, items // SLOTS)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, str(log), str(folder / f"out-{items}")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    rows, kilobytes = map(int, done.stdout.split())
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, kilobytes / 1024, rows


def results() -> list[Result]:
    """Return time and memory of an export of 2,000 items, and of 8,000 against them."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        base = write_log(folder)
        small, large = measure(base, 2_000, folder), measure(base, 8_000, folder)
    assert (small[2], large[2]) == (2_000, 8_000)
    method = "CPU time, start-up included; one log, every item accepted and written"
    value = f"{large[0]:.1f} s, {large[1]:.0f} MB; {large[0] / small[0]:.1f}×"
    return [
        Result("export of 2,000 generated items", f"{small[0]:.1f} s, {small[1]:.0f} MB", "≤ 10 s", method),
        Result("export of 8,000, and against 2,000", value, "≤ 4.4×", method),
    ]
