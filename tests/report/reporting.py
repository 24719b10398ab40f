"""`refusalbench report`, as tests call it, and the tables that it writes."""

import csv
from pathlib import Path

from click.testing import CliRunner, Result

from refusalbench_tasks.cli import main

SCRIPT = "<script>alert(1)</script>"


def report(*logs: Path, to: Path) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, logs), "-o", str(to)])


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
