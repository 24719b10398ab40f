"""Time of `refusalbench report`."""

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


def made_up(folder: Path, rows: int) -> Path:
    """Write a log of `nq` with made-up scores, through Inspect's own writer, and return
    its path.
    """
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
    return write_log(
        folder, "base", samples, data="synthetic", selected_fingerprint=str(rows)
    )


def repeat_log(source: Path, target: Path, model: str, times: int) -> None:
    """Write a log whose rows are those of another, repeated under other ids.

    Inspect's writer takes a time that grows with the square of the rows, which would be
    hours for 160,000.
    """
    with (
        zipfile.ZipFile(source) as old,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        header = json.loads(old.read("header.json"))
        header["eval"]["model"] = model
        new.writestr("header.json", json.dumps(header))
        summaries = json.loads(old.read("summaries.json"))
        new.writestr(
            "summaries.json",
            json.dumps(
                [
                    one | {"id": f"{one['id']}-{k}"}
                    for k in range(times)
                    for one in summaries
                ]
            ),
        )
        for name in [name for name in old.namelist() if name.startswith("samples/")]:
            sample = json.loads(old.read(name))
            for k in range(times):
                copy = sample | {"id": f"{sample['id']}-{k}"}
                new.writestr(
                    f"samples/{copy['id']}_epoch_{copy['epoch']}.json", json.dumps(copy)
                )


def measure(logs: int, times: int = 1) -> float:
    """Return the seconds of a report in a process of its own, start-up included; logs
    have 1,600 rows, `times` over.
    """
    with tempfile.TemporaryDirectory() as folder:
        base = made_up(Path(folder) / "base", 1_600)
        (Path(folder) / "logs").mkdir()
        for k in range(logs):
            repeat_log(
                base, Path(folder) / f"logs/{k:03d}.eval", f"model-{k:02d}", times
            )
        start = time.perf_counter()
        command = Path(sys.executable).with_name("refusalbench")
        subprocess.run(
            [command, "report", "logs", "-o", "out"],
            capture_output=True,
            check=True,
            cwd=folder,
        )
        return time.perf_counter() - start


def results() -> list[Result]:
    """Return the time for 30 logs of 1,600 rows, how it grows with the logs, and that
    of one log of 160,000 rows.
    """
    seconds = measure(30)
    double = measure(60)
    small = measure(1, 10)
    large = measure(1, 100)
    own = "start-up, page, pictures and tables included"
    long = "report of one log of 160,000 rows, and against one of 16,000"
    return [
        Result("report of 30 logs of 1,600 rows", f"{seconds:.1f} s", own),
        Result("report of 60 logs against 30", f"{double / seconds:.2f}×", own),
        Result(long, f"{large:.1f} s; {large / small:.1f}×", own),
    ]
