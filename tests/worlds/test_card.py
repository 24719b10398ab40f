"""The card of a file of rows."""

import re
from pathlib import Path

from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.worlds import quad


def run(*args: str, status: int = 0) -> str:
    told = CliRunner().invoke(main, ["worlds", *args])
    assert told.exit_code == status, told.output
    return told.output


def test_the_card_says_what_the_rows_are_and_how_to_make_them_again(
    tmp_path: Path,
) -> None:
    run(
        "-n",
        "48",
        "--seed",
        "3",
        "--domains",
        "halls,opinions",
        "-o",
        f"{tmp_path}/rows.jsonl",
        "--card",
    )
    card = (tmp_path / "rows.card.md").read_text()
    assert card.startswith(f"# 48 synthetic rows, version {quad.VERSION}\n")
    assert "Licence: CC0-1.0" in card
    assert "| P-Ambiguity | 8 |" in card
    assert "| opinions | 4 |" in card
    command = re.search(r"`refusalbench worlds (.+?) -o rows.jsonl`", card)
    assert command
    run(*command[1].split(), "-o", f"{tmp_path}/again.jsonl", "--card")
    digests = {
        one
        for path in tmp_path.glob("*.card.md")
        for one in re.findall(r"`([0-9a-f]{64})`", path.read_text())
    }
    assert len(digests) == 1
