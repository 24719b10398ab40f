"""One run of `nq` and three scored copies of it, for the tests of `audit`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval, score
from inspect_ai.log import write_eval_log

from refusalbench_tasks.scorers.refusal import refusal_scores
from refusalbench_tasks.tasks.nq import nq
from tests.generators.panel import named
from tests.models import part, right_verdict


def grader(name: str, grade: Callable[[str], int | None]) -> Any:
    def answer(prompt: str) -> dict[str, Any]:
        known = right_verdict(prompt)
        if isinstance(known, dict):
            return known
        given = grade(part(prompt, "REPLY"))
        label = "ANSWER_ATTEMPT" if given is not None else "REFUSE_OTHER"
        references = "BEGIN REFERENCES" in prompt
        return {"explanation": "x", "label": label} | (
            {"grade": given} if references else {}
        )

    return named(name, answer)


@pytest.fixture(scope="session")
def scored(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return three scored copies of one run whose replies end in a digit: graders a and
    b agree, c grades by parity.
    """
    folder = tmp_path_factory.mktemp("scored")
    count = iter(range(10_000))
    model = named("m", lambda prompt: f"It is number {next(count)}")
    task = nq(data="sample", intensities="LOW")
    roles: Any = {"grader": grader("a", lambda reply: 1 + int(reply.split()[-1]) % 5)}
    (log,) = eval(
        task,
        model=model,
        model_roles=roles,
        log_dir=str(folder / "run"),
        display="none",
    )
    paths = []
    graders: dict[str, Callable[[str], int | None]] = {
        "a": lambda reply: 1 + int(reply.split()[-1]) % 5,
        "b": lambda reply: 1 + int(reply.split()[-1]) % 5,
        "c": lambda reply: 5 if int(reply.split()[-1]) % 2 else None,
    }
    for name, grade in graders.items():
        roles = {"grader": grader(name, grade)}
        again = score(
            log, refusal_scores(), action="overwrite", model_roles=roles, display="none"
        )
        paths.append(str(folder / f"{name}.eval"))
        write_eval_log(again, paths[-1])
    return paths


@pytest.fixture
def copies(
    scored: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Return the scored copies, which no test changes, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return scored
