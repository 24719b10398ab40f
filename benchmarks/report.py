"""Time and memory of `refusalbench report`."""

import json
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from inspect_ai.log import EvalSample
from inspect_ai.model import ModelOutput

from benchmarks.resampling import scores
from benchmarks.result import Result
from tests.results.synthetic import write_log

_CHILD = """
import sys
from pathlib import Path
from benchmarks.memory import peak_kilobytes
from refusalbench_tasks.report.build import write_report
made = write_report(sys.argv[1:-1], Path(sys.argv[-1]))
print(made.runs, made.figures, peak_kilobytes())
"""


def made_up(folder: Path, rows: int) -> Path:
    """Write a log of `nq` with made-up scores, through Inspect's own writer, and return its path."""
    samples = [
        EvalSample(
            id=str(one.sample_id),
            epoch=1,
            input="question",
            target="",
            metadata=one.sample_metadata or {},
            scores={"refusal_scores": one.score},
            output=ModelOutput.from_content("base", "reply"),
        )
        for one in scores(rows)
    ]
    return write_log(folder, "base", samples, data="synthetic", selected_fingerprint=str(rows))


def repeat_log(source: Path, target: Path, model: str, times: int) -> None:
    """Write a log whose rows are those of another, repeated under other ids.

    Inspect's writer takes a time that grows with the square of the rows, which would be hours for 160,000.
    """
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        header = json.loads(old.read("header.json"))
        header["eval"]["model"] = model
        new.writestr("header.json", json.dumps(header))
        summaries = json.loads(old.read("summaries.json"))
        new.writestr(
            "summaries.json", json.dumps([one | {"id": f"{one['id']}-{k}"} for k in range(times) for one in summaries])
        )
        for name in [name for name in old.namelist() if name.startswith("samples/")]:
            sample = json.loads(old.read(name))
            for k in range(times):
                copy = sample | {"id": f"{sample['id']}-{k}"}
                new.writestr(f"samples/{copy['id']}_epoch_{copy['epoch']}.json", json.dumps(copy))


def measure(logs: int, times: int = 1) -> tuple[float, float, int]:
    """Return seconds and megabytes of a report in a process of its own, start-up included, and its figures.

    Each log has 1,600 rows, `times` over. The megabytes are those of the process itself, without its helpers.
    """
    with tempfile.TemporaryDirectory() as folder:
        base = made_up(Path(folder) / "base", 1_600)
        (Path(folder) / "logs").mkdir()
        for k in range(logs):
            repeat_log(base, Path(folder) / f"logs/{k:03d}.eval", f"model-{k:02d}", times)
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", _CHILD, str(Path(folder) / "logs"), str(Path(folder) / "out")],
            capture_output=True,
            text=True,
            check=True,
        )
        seconds = time.perf_counter() - start
    _, figures, kilobytes = map(int, done.stdout.split())
    return seconds, kilobytes / 1024, figures


def results() -> list[Result]:
    """Return time and memory for 30 logs of 1,600 rows, how time grows with the logs, and one log of 160,000 rows."""
    seconds, memory, figures = measure(30)
    double = measure(60)[0]
    small, large = measure(1, 10)[0], measure(1, 100)
    own = "start-up, page, pictures and tables included"
    return [
        Result(
            "report of 30 logs of 1,600 rows",
            f"{seconds:.1f} s, {memory:.0f} MB, {figures} figures",
            "≤ 10 s, ≤ 1 GB",
            own,
        ),
        Result("report of 60 logs against 30", f"{double / seconds:.2f}×", "≤ 2×", own),
        Result(
            "report of one log of 160,000 rows, and against one of 16,000",
            f"{large[0]:.1f} s, {large[1]:.0f} MB; {large[0] / small:.1f}×",
            "works, ≤ 10×",
            own,
        ),
    ]
