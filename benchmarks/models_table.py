"""Write what `show` says of logs into docs/benchmarks.md: `python -m benchmarks.models_table LOGS`."""

import sys
from pathlib import Path

from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import write_whole

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
BEGIN, END = "<!-- table -->\n", "<!-- end -->"


def fill(page: Path, logs: list[str]) -> None:
    """Put the table between the page's marks. Raises DataError with what `show` says where it fails."""
    shown = CliRunner().invoke(main, ["show", *logs, "--format", "markdown"])
    if shown.exit_code:
        raise DataError(shown.output.strip())
    head, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    write_whole(page, f"{head}{BEGIN}{shown.stdout.strip()}\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    fill(PAGE, sys.argv[1:])
