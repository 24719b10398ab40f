"""Treatments and gateways by the genuine clients, through faults."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.solver import Solver

from refusalbench_tasks import nq
from refusalbench_tasks.solvers.treatments import NOTES
from refusalbench_tasks.solvers.treatments.by_confidence import self_consistency
from refusalbench_tasks.solvers.treatments.by_prompt import evidence_first, self_check
from tests.provider import Fault, Server, faulty


@pytest.mark.parametrize(
    "treatment, calls", [(evidence_first, 1), (self_check, 3), (self_consistency, 5)]
)
def test_a_treatment_runs_by_the_real_client_through_faults_and_a_cache(
    treatment: Callable[[], Solver],
    calls: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    asked = []
    with Server(
        faulty(lambda call: "REFUSE_OTHER", 0.2, (Fault.RATE_LIMIT, Fault.SERVER_ERROR))
    ) as server:
        config = GenerateConfig(max_retries=0, max_tokens=100, temperature=1.0)
        client = get_model(
            "openai/gpt-4o",
            base_url=server.openai_url,
            config=config,
            memoize=False,
            max_retries=5,
        )
        for _ in range(2):
            [log] = eval(
                nq(data="sample", judge="offline"),
                model=client,
                solver=treatment(),
                limit=2,
                cache=True,
                log_dir=str(tmp_path),
                display="none",
                message_limit=20,
            )
            assert log.status == "success", log.error
            assert [
                sample.metadata[NOTES][-1]["calls"] for sample in log.samples or []
            ] == [calls, calls]
            asked.append(len(server.calls))
    # what can be cached is not asked for again; votes must be asked for anew
    assert asked[0] >= 2 * calls
    assert (asked[1] == asked[0]) is (treatment is not self_consistency)


def test_a_gateway_without_the_responses_api_says_which_option_helps(
    tmp_path: Path,
) -> None:
    with Server(lambda call: "REFUSE_OTHER") as server:
        task = nq(data="sample", judge="offline")
        options: Any = {"log_dir": str(tmp_path), "display": "none", "limit": 1}
        [log] = eval(
            task, model="openai/o1", model_base_url=server.openai_url, **options
        )
        assert log.status == "error"
        assert log.error
        assert (
            "the server knows no Responses API; add -M responses_api=false"
            in log.error.message
        )
        args = {"responses_api": False}
        [log] = eval(
            task,
            model="openai/o1",
            model_base_url=server.openai_url,
            model_args=args,
            **options,
        )
        assert log.status == "success"
