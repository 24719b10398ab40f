"""`refusalbench worlds`: files of rows, cards, and errors."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.worlds import source_question
from refusalbench_tasks.worlds.quad_rows import quad_rows
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
    due = list(quad_rows(9, 8, 20, layout=shape))  # type: ignore[arg-type]
    assert lines == due
    assert parquet.read_table(tmp_path / "rows.parquet").to_pylist() == due


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
        (("-n", "8"), "Missing option '-o'"),
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
            "unknown 'opinions'",
        ),
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
