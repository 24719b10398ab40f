"""The web of these tests, and its way into the task: the last step of a connection leads here, after all checks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.collect.outside import Outside


@pytest.fixture(scope="module")
def served() -> Iterator[Outside]:
    with Outside() as site:
        yield site


@pytest.fixture
def outside(served: Outside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Outside:
    """Return the local web, with a run in a folder of its own whose client's connections end there."""
    served.seen.clear()
    served.searches.clear()
    served.traps = False
    served.title = "A page"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "calls"))
    monkeypatch.setattr("refusalbench_tasks.collect.web.fetch.CheckedTransport", lambda **_: served.transport())
    return served
