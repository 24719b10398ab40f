"""`refusalbench worlds`: files of rows, cards, errors, and the attacks on rows."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.worlds import quad, source_question
from refusalbench_tasks.worlds.document import DOCUMENTS
from refusalbench_tasks.worlds.quad import CROSSED, Design
from refusalbench_tasks.worlds.quad_rows import rows
from refusalbench_tasks.worlds.shortcuts import ATTACKS, Reading, readings
from refusalbench_tasks.worlds.source_rows import source_rows


def run(*args: str, status: int = 0) -> str:
    told = CliRunner().invoke(main, ["worlds", *args])
    assert told.exit_code == status, told.output
    return told.output


@pytest.mark.parametrize(
    ("layout", "shape"), [("nq", "context"), ("garage", "grounding")]
)
def test_json_lines_and_parquet_hold_the_same_rows(
    layout: str, shape: str, tmp_path: Path
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in ("rows.jsonl", "rows.parquet"):
        told = run(
            "-n",
            "12",
            "--seed",
            "9",
            "--from",
            "8",
            "--layout",
            layout,
            "-o",
            f"{tmp_path}/{name}",
        )
        assert told == f"12 rows in {tmp_path}/{name}\n"
    lines = [
        json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()
    ]
    due = list(rows(9, 8, 20, layout=shape))  # type: ignore[arg-type]
    assert lines == due
    assert parquet.read_table(tmp_path / "rows.parquet").to_pylist() == due


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


def test_sources_for_bluff_go_to_json_lines(tmp_path: Path) -> None:
    run(
        "--layout",
        "bluff",
        "-n",
        "8",
        "--seed",
        "3",
        "-o",
        f"{tmp_path}/rows.jsonl",
        "--card",
    )
    written = [
        json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()
    ]
    assert written == json.loads(json.dumps(list(source_rows(3, 0, 8))))
    assert (
        f"version {source_question.VERSION}" in (tmp_path / "rows.card.md").read_text()
    )


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("-n", "8"), "give -o FILE and -n ROWS"),
        (("-n", "6", "-o", "rows.jsonl"), "rows come in fours"),
        (("-n", "8", "-o", "rows.txt"), "rows.txt"),
        (("-n", "8", "--domains", "moon", "-o", "rows.jsonl"), "unknown 'moon'"),
        (("-n", "8", "--layout", "bluff", "-o", "rows.parquet"), "go to a .jsonl file"),
        (
            (
                "-n",
                "8",
                "--layout",
                "bluff",
                "--domains",
                "opinions",
                "-o",
                "rows.jsonl",
            ),
            "has no sources",
        ),
        (("-n", "8", "--shortcuts"), "too few"),
        (("--shortcuts", "--layout", "garage"), "leave out --layout"),
    ],
)
def test_errors_say_what_to_do(
    args: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    output = CliRunner().invoke(main, ["worlds", *args])
    assert output.exit_code
    assert told in output.output
    assert not list(tmp_path.iterdir())


@cache
def read_rows(control: Design) -> list[Reading]:
    return readings(77, 240, DOCUMENTS, control)


@pytest.mark.parametrize("attack", list(ATTACKS))
def test_an_attack_fails_on_rows_and_succeeds_on_its_control(attack: str) -> None:
    pytest.importorskip("sklearn")
    read, control = ATTACKS[attack]
    assert read(read_rows(control)).accuracy > 0.75
    found = read(read_rows(CROSSED)).accuracy
    # of some 190 test rows; products of relation and phrase do learn something, and the
    # page says how much
    assert found < (0.8 if attack == "relation x phrase" else 0.6)


def test_the_report_has_a_line_for_each_attack_and_a_learning_curve() -> None:
    pytest.importorskip("sklearn")
    told = run("--shortcuts", "-n", "240", "--seed", "5")
    assert all(f"| {attack} |" in told for attack in ATTACKS)
    assert "240 rows of seed 5" in told
    assert "relation x phrase, by rows: " in told
