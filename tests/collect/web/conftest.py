"""The web of these tests, on this machine."""

from collections.abc import Iterator

import pytest

from tests.collect.web.site import Site


@pytest.fixture(scope="module")
def served() -> Iterator[Site]:
    with Site(slow=0.5) as site:
        yield site


@pytest.fixture
def site(served: Site) -> Site:
    served.seen.clear()
    served.down.clear()
    return served
