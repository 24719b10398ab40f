"""Which claims the sources support, by a grader."""

import asyncio
from typing import Any

import pytest

from refusalbench_tasks.judging.attribution import attribute
from tests.models import fake, part

CLAIMS = ["It opened in 1987.", "It is long."]
SOURCES = ["The bridge opened in 1987."]


def supported(*flags: Any) -> list[bool] | None:
    def verdict(prompt: str) -> dict[str, Any]:
        assert part(prompt, "CLAIMS").startswith("[1] It opened in 1987.")
        assert part(prompt, "SOURCES") == "[1] The bridge opened in 1987."
        return {"explanation": "x", "supported": list(flags)}

    return asyncio.run(attribute(fake(verdict), CLAIMS, SOURCES))


def test_each_claim_has_a_verdict() -> None:
    assert supported(True, False) == [True, False]


@pytest.mark.parametrize("flags", [(), (True,), (True, True, False), (True, 1)])
def test_a_verdict_for_other_than_every_claim_is_none(flags: tuple[Any, ...]) -> None:
    assert supported(*flags) is None
