"""Time and memory of `refusalbench export`: `python -m benchmarks.generation_reading ITEMS LOGS` measures others."""

import json
import re
import resource
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai import eval

from benchmarks.result import Result
from refusalbench_tasks.tasks.perturb import perturb
from tests.generators.panel import named, verdict, write_well

_CHILD = """
import sys
from pathlib import Path
from benchmarks.memory import peak_kilobytes
from refusalbench_tasks.generators.export import export
from refusalbench_tasks.generators.kept_runs import keep_runs
logs, spool, out, per_stratum, per_generator = sys.argv[1:]
Path(spool).mkdir()
done = export(keep_runs([logs], Path(spool)), Path(out), int(per_stratum) or None, int(per_generator) or None)
print(done.rows, peak_kilobytes())
"""
SLOTS = 16
_ZSTANDARD = 93
"""How Inspect packs the members of a log."""
_WORD = re.compile(r"\b[a-z]{6,}\b")
_NUMBER = "@@number@@"
"""Stands in a sample's text for the number of its base question."""


@dataclass(frozen=True)
class Exported:
    """CPU seconds of all processes with start-up, megabytes of the first process at its peak, and rows written."""

    seconds: float
    megabytes: float
    rows: int


def write_log(folder: Path) -> Path:
    """Write the log of a run in which every one of a few slots is accepted, and return its path."""
    roles: Any = {"verifier": [named("v", lambda prompt: verdict())]}
    (log,) = eval(
        perturb(bases="nq_sample", classes="MissingInfo,Contradiction", intensities="LOW,MEDIUM", cache=False),
        model=named("w", write_well), model_roles=roles, log_dir=str(folder), limit=SLOTS, display="none",
    )  # fmt: skip
    assert log.status == "success"
    return next(folder.glob("*.eval"))


def repeat_log(source: Path, target: Path, times: int, first: int = 0) -> None:
    """Write a log whose samples are those of another, repeated with other base questions in other words."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", _ZSTANDARD) as new:
        for name in old.namelist():
            if not name.startswith("samples/"):
                header = json.loads(old.read(name))
                if name == "header.json":
                    header["eval"] |= {"task_id": target.stem, "eval_id": target.stem}
                new.writestr(name, json.dumps(header))
                continue
            text = _other(old.read(name))
            for k in range(first, first + times):
                new.writestr(f"samples/{k}-{name.removeprefix('samples/')}", text.replace(_NUMBER, str(k)))


def _other(text: bytes, k: str = _NUMBER) -> str:
    """Return a sample about another base question: its long words are others, in the same places."""
    sample = json.loads(text)
    base, candidate = sample["metadata"]["base"], sample["scores"]["consensus_scores"]["metadata"]["candidate"]
    sample["id"] = f"{k}-{sample['id']}"
    base["item_id"], base["source_id"] = f"{base['item_id']}-{k}", f"{base['source_id']}-{k}"
    for one in (base, candidate):
        one["query"] = _WORD.sub(rf"\g<0>x{k}", one["query"])
        one["passages"] = [_WORD.sub(rf"\g<0>x{k}", passage) for passage in one["passages"]]
    return json.dumps(sample)


def write_logs(base: Path, folder: Path, items: int, logs: int) -> None:
    """Write so many logs with so many items in all."""
    folder.mkdir()
    each = items // logs // SLOTS
    for k in range(logs):
        repeat_log(base, folder / f"{k:03d}.eval", each, k * each)


def measure(logs: Path, folder: Path, per_stratum: int = 0, per_generator: int = 0) -> Exported:
    """Return what an export takes in a process of its own; 0 draws everything."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, str(logs), str(folder / "spool"), str(folder / "out"), str(per_stratum),
         str(per_generator)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    rows, kilobytes = map(int, done.stdout.split())
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Exported(seconds, kilobytes / 1024, rows)


def export_of(base: Path, items: int, logs: int) -> Exported:
    """Return what it takes to export every one of so many items, all of which are accepted."""
    with tempfile.TemporaryDirectory() as place:
        write_logs(base, Path(place) / "logs", items, logs)
        return measure(Path(place) / "logs", Path(place))


def results() -> list[Result]:
    """Return time and memory of an export of 2,000 items, and of 8,000 against them."""
    with tempfile.TemporaryDirectory() as place:
        base = write_log(Path(place))
        small, large = export_of(base, 2_000, 1), export_of(base, 8_000, 4)
    assert (small.rows, large.rows) == (2_000, 8_000)
    method = "CPU time of all processes, start-up included; logs of 2,000 items, every item accepted and written"
    value = f"{large.seconds:.1f} s, {large.megabytes:.0f} MB; {large.seconds / small.seconds:.1f}×"
    seconds, megabytes = large.seconds - small.seconds, large.megabytes - small.megabytes
    more = f"{seconds / 6e-3:.0f} µs, {megabytes / 6_000 * 2**20:.0f} bytes"
    return [
        Result("export of 2,000 generated items", f"{small.seconds:.1f} s, {small.megabytes:.0f} MB", "≤ 10 s", method),
        Result("export of 8,000, and against 2,000", value, "≤ 4.4×", method),
        Result("export: a further item", more, "≤ 600 µs, ≤ 850 bytes", "8,000 against 2,000"),
    ]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        run = write_log(Path(home))
        taken = export_of(run, int(sys.argv[1]), int(sys.argv[2]))
    print(f"{taken.rows:,} rows: {taken.seconds:.1f} s, {taken.megabytes:.0f} MB")
