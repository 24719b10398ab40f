"""The order of the tests, and what they need not fear from a slow machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.started import started_commands

# the first draw of text builds a table for a second, and how long a draw takes on a busy machine is no defect
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")

LONG = (
    "test_package.py",
    "test_faults.py",
    "test_resume.py",
    "test_perturb.py",
    "test_nq.py",
    "test_bluff.py",
    "test_garage.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files with long tests first, so that no worker is left with one at the end."""
    items.sort(key=lambda item: LONG.index(item.path.name) if item.path.name in LONG else len(LONG))


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with `inspect` and `refusalbench` that need no start-up, for the front of PATH."""
    return started_commands(tmp_path_factory.mktemp("commands"))


@pytest.fixture(scope="session", autouse=True)
def _undrawn_results() -> Iterator[None]:
    """Leave out the table at the end of an eval in this process: Inspect lays it out for a second, shown or not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("inspect_ai._display.rich.display.tasks_results", lambda _: "")
        yield
