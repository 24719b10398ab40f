"""The numbers that `refusalbench show` prints."""

import json
from typing import Any

from click.testing import CliRunner

from refusalbench_tasks.cli import main


def told(*words: str) -> dict[tuple[str, str], list[Any]]:
    done = CliRunner().invoke(main, ["show", *words, "--format", "json"])
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["summary"]
    return {(one["run"], one["metric"]): [one["value"], one["n"]] for one in rows}
