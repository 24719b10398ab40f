"""Every test of an own system begins in an empty folder, and counts no failure of
another.
"""

from pathlib import Path

import pytest

from refusalbench_tasks.generators.kit.panel import forget_failures


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    forget_failures()
