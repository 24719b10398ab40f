"""The order of the tests."""

import pytest

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
