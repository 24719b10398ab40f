"""The web of these tests, and its way into the task: the last step of a connection
leads here, after all checks.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.collect.site import Site


@pytest.fixture(scope="session")
def served() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture
def site(served: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Return the local web, with a run in a folder of its own whose client's
    connections end there.
    """
    served.seen.clear()
    served.searches.clear()
    served.down.clear()
    served.traps, served.title = False, "A page"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "calls"))
    monkeypatch.setattr(
        "refusalbench_tasks.collect.web.fetch.CheckedTransport", served.transport
    )
    return served
