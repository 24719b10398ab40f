"""`refusalbench documents`: what it prints."""

from pathlib import Path

from click.testing import CliRunner

from refusalbench_tasks.cli import main
from tests.own.documents.folder import (
    UPPER,
)


def test_the_command_names_what_it_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "mill.txt").write_text(UPPER)
    (tmp_path / "in" / "a\x1b[1m.md").write_text("")
    told = CliRunner().invoke(
        main, ["documents", str(tmp_path / "in"), "-o", str(tmp_path / "c.jsonl")]
    )
    assert told.exit_code == 0
    assert "\x1b" not in told.output
    assert "empty: 0 bytes" in told.output
    assert "documents: 1, chunks: 1, words: 66" in told.output


def test_nothing_usable_is_an_error_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x.md").write_text("# x")
    told = CliRunner().invoke(
        main, ["documents", str(tmp_path / "in"), "-o", str(tmp_path / "c.jsonl")]
    )
    assert told.exit_code == 1
    assert "left out, x.md: no passage (a heading without text)" in told.output
    assert "no document can be used" in told.output
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
