"""Fill docs/reduce-false-refusals.md from logs of treatments: `python -m
benchmarks.treatments_table LOGS ...`.

Each folder has the runs of one model, as `python -m examples.treatments` writes them.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from benchmarks.models_table import ROOT, filled
from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import write_whole
from refusalbench_tasks.tables import Table, TableRow

PAGE = ROOT / "docs" / "reduce-false-refusals.md"
RATES = {
    "false refusals": "false_refusal_rate",
    "missed refusals": "missed_refusal_rate",
}


def compared(logs: Path) -> dict[str, Any]:
    """Return the tables of `refusalbench compare`.

    Raises DataError with what it says where it fails.
    """
    done = CliRunner().invoke(main, ["compare", str(logs), "--format", "json"])
    if done.exit_code:
        raise DataError(done.output.strip())
    tables: dict[str, Any] = json.loads(done.stdout)
    return tables


def table_of(logs: Path) -> str:
    """Return the table of a model's treatments in Markdown: rates, and paired
    differences from the plain prompt.
    """
    tables = compared(logs)
    differences = {
        (row["treatment"], row["metric"]): row
        for row in tables["treatment_differences"]
    }
    rows: list[TableRow] = []
    for arm in tables["treatments"]:
        row: TableRow = {"treatment": arm["treatment"]}
        for title, metric in RATES.items():
            row[title] = _share(arm[metric])
            row[f"{title}, difference"] = _difference(
                differences.get((arm["treatment"], metric))
            )
        row |= {
            "calls": f"{arm['calls a row']:.1f}",
            "tokens": f"{arm['tokens a row']:,.0f}",
        }
        rows.append(row)
    return Table("treatments", "Treatments", rows).as_markdown()


def _share(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"


def _difference(row: dict[str, Any] | None) -> str:
    """Return a paired difference with its CI and the number of pairs; empty for the
    plain prompt.
    """
    if row is None:
        return ""
    if row["difference"] is None:
        return "undefined"
    ends = (
        "no CI"
        if row["95 % low"] is None
        else f"{row['95 % low']:+.2f} to {row['95 % high']:+.2f}"
    )
    return f"{row['difference']:+.2f} [{ends}], n {row['n']}"


def fill(folders: Sequence[Path]) -> None:
    """Write the table of each folder between the page's marks of its name."""
    tables = {folder.name: table_of(folder) for folder in folders}
    write_whole(PAGE, filled(PAGE.read_text(encoding="utf-8"), tables))


if __name__ == "__main__":
    fill([Path(name) for name in sys.argv[1:]])
