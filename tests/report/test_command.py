"""`refusalbench report`: what can't be done is one line."""

import sys
from pathlib import Path

import pytest

from tests.report.reporting import report


def test_nothing_to_report_is_one_line(tmp_path: Path) -> None:
    result = report(tmp_path, to=tmp_path / "out")
    assert result.exit_code != 0
    assert f"{tmp_path}: no log with scored samples" in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("missing", ["matplotlib", "jinja2"])
def test_a_missing_extra_says_how_to_install_it(
    missing: str, mixed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    result = report(mixed, to=tmp_path / "out")
    assert result.exit_code != 0
    assert "refusalbench-tasks[report]" in result.output
    assert len(result.output.strip().splitlines()) == 1
