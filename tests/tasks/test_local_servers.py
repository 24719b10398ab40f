"""BLUFF-1000 with Inspect's providers for a server of one's own: the confidence is read from log-probabilities."""

import pytest
from inspect_ai.model import get_model

from tests.provider import Server
from tests.tasks.hedging import run, values, well_behaved


@pytest.mark.parametrize("provider", ["vllm", "sglang"])
def test_log_probabilities_come_by_the_provider_of_a_local_server(provider: str) -> None:
    with Server(well_behaved) as server:
        model = get_model(f"{provider}/local", base_url=server.openai_url, api_key="x", memoize=False)
        found = values(run(model, topics="law", per_topic=1, judge="offline"))
    sure = {name.rpartition("/")[2]: value["confidence"] for name, value in found.items()}
    # A and " A" hold 0.6 + 0.2 beside B's 0.2; then A holds 0.3 beside B's 0.6
    assert sure == {"clear": pytest.approx(0.8), "ambiguous": pytest.approx(1 / 3)}
