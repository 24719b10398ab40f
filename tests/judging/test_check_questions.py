"""How a grader is asked about known replies."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval

from refusalbench_tasks.tasks.bluff import bluff
from tests.models import fake


def replies(_: str) -> str:
    return "It was 1931, I think."


def test_bluff_asks_by_its_own_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # other graders of tests are called mockllm/fake too
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    roles: Any = {
        "grader": fake(
            lambda _: {"explanation": "x", "behaviour": "REFUSAL"}, checked=False
        )
    }
    for protocol in ("paper", "official-code"):
        task = bluff(data="sample", per_topic=1, ptrue="none", protocol=protocol)
        (log,) = eval(
            task,
            model=fake(replies),
            model_roles=roles,
            limit=1,
            log_dir="logs",
            display="none",
        )
        assert log.error
        assert (
            f"missed {4 if protocol == 'paper' else 8} of 8 known replies"
            in log.error.message
        )
