"""The order of the tests, and what they need not fear from a slow machine."""

import pytest
from hypothesis import HealthCheck, settings

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
