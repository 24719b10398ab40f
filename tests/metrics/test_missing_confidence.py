"""When the lack of confidences is worth a warning."""

import pytest

from refusalbench_tasks.metrics.hedging_table import missing_confidences
from tests.metrics.bluff_table import reply, table


def of(*reasons: str, n: int = 20) -> str | None:
    rows = [
        reply(f"q{k}", "clear", confidence_missing=dict(enumerate(reasons)).get(k, ""))
        for k in range(n)
    ]
    return missing_confidences(table(*rows))


def test_more_than_a_tenth_is_named_with_its_reasons() -> None:
    told = "3 of 20 replies have no confidence (low mass 2, no logprobs 1)."
    assert of("no_logprobs", "low_mass", "low_mass", "not_asked") == told


@pytest.mark.parametrize("reasons", [(), ("low_mass",) * 2, ("not_asked",) * 20])
def test_a_tenth_or_what_was_not_asked_is_not(reasons: tuple[str, ...]) -> None:
    assert of(*reasons) is None
