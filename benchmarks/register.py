"""The entries for the register of Inspect Evals.

`python -m benchmarks.register` fills the reports in docs/register from the recorded
replies of real models; `python -m benchmarks.register FOLDER` writes whole entries,
with the address and the commit of this checkout.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import yaml

from benchmarks.models_table import Recording, recordings, replayed
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.report.evaluation_report import report_block
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.safe_writing import write_whole

ROOT = Path(__file__).parents[1]
ENTRIES = ROOT / "docs" / "register"
REPORT = "evaluation_report:"
COMMIT = "commit"
Entry = dict[str, Any]


def entry_files() -> list[Path]:
    """Return the files of docs/register, one a task."""
    return sorted(ENTRIES.glob("*.yaml"))


def sample_report(
    task: str, log_of: Callable[[Recording], str], rows_in_all: int
) -> Entry:
    """Return the report of a task from its recorded replies, which says that these are
    samples; without a commit.
    """
    of_task = [recording for recording in recordings() if recording.rows == task]
    runs = read_logs(map(log_of, of_task)).runs
    report = report_block(runs)
    del report[COMMIT]
    by_name = {recording.path.stem: recording.about for recording in of_task}
    for result in report["results"]:
        about = by_name[result["model"]]
        result |= {"model": about["model"], "date": about["date"]}
    report["results"].sort(key=lambda result: str(result["model"]))
    replies = len(of_task[0].replies)
    report["notes"] = [
        f"samples: {replies} replies to bundled rows, of {rows_in_all} rows of the"
        " whole set; three small open models, temperature 0, no grader",
        "ci_low, ci_high: 95 % CI",
    ]
    return report


def filled(text: str, report: Entry) -> str:
    """Return the text of an entry with a report in place of the one it has."""
    about = text.partition(REPORT)[0]
    return about + yaml.safe_dump(
        {REPORT.removesuffix(":"): report},
        sort_keys=False,
        allow_unicode=True,
        width=120,
    )


def whole_entry(text: str, checkout: Path) -> Entry:
    """Return an entry with the address and the commit of a checkout; its report has
    the commit, too.
    """
    address = _git(checkout, "remote", "get-url", "origin")
    if address.startswith("git@"):
        address = "https://" + address.removeprefix("git@").replace(":", "/", 1)
    if not address.startswith("https://"):
        raise DataError(
            f"{checkout}: the remote 'origin' is {address}, which nobody else can"
            " reach; set it to the https address of the public repository"
        )
    commit = _git(checkout, "rev-parse", "HEAD")
    entry: Entry = yaml.safe_load(text)
    source = {
        "repository_url": address.removesuffix(".git"),
        "repository_commit": commit,
    }
    report = {COMMIT: commit, **entry.pop("evaluation_report")}
    return {**entry, "source": source, "evaluation_report": report}


def _git(checkout: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(checkout), *words],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise DataError(
            f"{checkout}: git {' '.join(words)}: {done.stderr.strip()}; run this in a"
            " clone of the public repository"
        )
    return done.stdout.strip()


def main(args: Sequence[str]) -> None:
    """Fill docs/register, or write whole entries to a folder."""
    with tempfile.TemporaryDirectory() as logs:
        for file in entry_files():
            text = file.read_text(encoding="utf-8")
            if args:
                entry = whole_entry(text, ROOT)
                target = Path(args[0]) / file.stem / "eval.yaml"
                write_whole(target, yaml.safe_dump(entry, sort_keys=False))
                continue
            [task] = yaml.safe_load(text)["tasks"]
            report = sample_report(
                task["name"],
                lambda recording: replayed(recording, Path(logs)).location,
                task["dataset_samples"],
            )
            write_whole(file, filled(text, report))


if __name__ == "__main__":
    main(sys.argv[1:])
