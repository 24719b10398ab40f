"""Who replied, by the header of a log."""

import pytest
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSpec

from refusalbench_tasks.results.log_files import System, system_of


@pytest.mark.parametrize(
    ("model", "solver", "given", "name", "baseline"),
    [
        (
            "openai/gpt-4o",
            "refusalbench_tasks/replay",
            {"name": "x"},
            "openai/gpt-4o",
            False,
        ),
        (
            "none/none",
            "refusalbench_tasks/endpoint",
            {"name": "helpdesk"},
            "helpdesk",
            False,
        ),
        ("none/none", "refusalbench_tasks/callable", {"name": " "}, "callable", False),
        ("none/none", "refusalbench_tasks/oracle", {"name": "x"}, "oracle", True),
        ("none/none", None, None, "none/none", True),
    ],
)
def test_an_application_is_no_baseline_and_has_its_name(
    model: str,
    solver: str | None,
    given: dict[str, str] | None,
    name: str,
    baseline: bool,
) -> None:
    log = {
        "created": "2026-01-01T00:00:00+00:00",
        "task": "nq",
        "dataset": EvalDataset(),
        "config": EvalConfig(),
    }
    spec = EvalSpec(model=model, solver=solver, solver_args=given, **log)
    assert system_of(EvalLog(eval=spec)) == System(name, baseline)
