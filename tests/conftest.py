"""What every test has: places of its own for logs and finished calls, and no fear of a
slow machine.
"""

import importlib.metadata
import os
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import HealthCheck, settings

# the first draw of text builds a table for a second, and how long a draw takes on a
# busy machine is no defect
settings.register_profile(
    "suite",
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")

# two workers fill two cores: threads of numpy's and scikit-learn's own only wait for
# one another
os.environ.setdefault("OMP_NUM_THREADS", "1")

# nothing is installed during the tests: what is, Python looks up once, and not 0.2 s
# long at every eval
importlib.metadata.packages_distributions = cache(
    importlib.metadata.packages_distributions
)


@pytest.fixture(scope="session", autouse=True)
def _own_places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep logs, finished calls and notes of runs in folders of this run: what a former
    one left is none of ours.

    No eval starts a server that would steer it, and real clients find a key, which is
    none.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in ("INSPECT_CACHE_DIR", "INSPECT_LOG_DIR", "XDG_DATA_HOME"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        patch.setenv("INSPECT_EVAL_CTL_SERVER", "false")
        for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
            patch.setenv(name, "none")
        yield


@pytest.fixture(autouse=True)
def _own_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a display of its own: Inspect keeps the first one of a process,
    and a test that shows its progress would let later ones print theirs.
    """
    monkeypatch.setattr("inspect_ai._display.core.active._active_display", None)
    monkeypatch.setattr("inspect_ai.util._display._display_type", None)
