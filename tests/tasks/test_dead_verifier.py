"""A verifier that cannot be called stops a run before it is paid for; one that dies
later stops it soon.
"""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.model import Model

from refusalbench_tasks.solvers.baselines import oracle
from refusalbench_tasks.tasks.bluff import bluff
from tests.commands import start
from tests.generators.panel import named, verdict, write_well
from tests.models import fake
from tests.tasks import generation
from tests.tasks.generation import anew, metrics, noting

FEW = {"bases": "nq_sample", "classes": "Ambiguity", "intensities": "LOW"}


def run(
    panel: list[Model],
    written: list[str] | None = None,
    options: Any = None,
    **task: Any,
) -> Any:
    writer = noting([] if written is None else written, write_well, "w")
    return generation.run(writer, panel, options=options, **FEW | task)


def gone(name: str) -> Model:
    """Return a model whose every call fails, the first one too."""
    made = named(name, lambda _: "")

    async def generate(*_: Any, **__: Any) -> Any:
        raise LookupError("404: no such model\nand more")

    made.generate = generate  # type: ignore[method-assign]
    return made


def mortal(lives: int) -> Model:
    """Return a verifier that answers so many items, and then fails."""
    left = iter(range(lives))

    def reply(_: str) -> dict[str, Any]:
        if next(left, None) is None:
            raise ConnectionError("502")
        return verdict()

    return named("b", reply)


@pytest.mark.parametrize("reader", [False, True])
def test_who_cannot_be_called_ends_the_run_before_an_item_is_written(
    reader: bool,
) -> None:
    written: list[str] = []
    given: Any = {"reader": gone("b")} if reader else {}
    log = run(
        [named("a", lambda _: verdict()), *([] if reader else [gone("b")])],
        written,
        **given,
    )
    assert log.status == "error"
    assert log.error.message.startswith(
        "verifier mockllm/b cannot be called: LookupError: 404: no such model; nothing"
    )
    assert "\n" not in log.error.message
    assert written == []
    assert (
        not reader
        or run(
            [named("a", lambda _: verdict())],
            options={"limit": 2},
            reading="off",
            **given,
        ).results
    )


def test_failures_in_a_row_stop_the_run_and_missing_votes_are_asked_for_alone() -> None:
    log = run([mortal(4)], options={"max_samples": 1}, max_failures=3)
    assert log.status == "error"
    told = (
        "verifier mockllm/b failed 3 times in a row, last: ConnectionError: 502;"
        " the run"
    )
    assert log.error.message.startswith(told)
    assert len([s for s in log.samples if s.scores]) == 6
    asked: list[str] = []
    found = [
        s.scores["consensus_scores"]
        for s in anew(log, verifier=[noting(asked, name="b")]).samples or []
        if s.scores
    ]
    written = [one for one in found if one.metadata and one.metadata["candidate"]]
    assert len(written) >= 6
    assert {one.answer for one in written} == {"accepted"}
    assert len(asked) == len(written) - 4


def test_where_errors_are_allowed_no_further_item_is_written() -> None:
    written: list[str] = []
    m = metrics(
        run(
            [mortal(4)],
            written,
            {"max_samples": 1, "fail_on_error": False},
            max_failures=3,
        )
    )
    assert len(written) == 7
    assert (m["n_candidates"], m["n_accepted"], m["n_undecided"]) == (6, 4, 2)
    assert (m["acceptance"], m["acceptance_low"], m["acceptance_high"]) == (
        1.0,
        4 / 6,
        1.0,
    )
    assert (m["acceptance_n"], m["acceptance_bounds_n"]) == (4, 6)
    assert (m["yield"], m["yield_n"]) == (4 / 18, 18)
    assert m["mockllm/b/missing/ConnectionError"] == 2


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "Error: bases: required"),
        (["-T", "bases=nq_sample"], "Error: no verifier is bound"),
    ],
)
def test_the_command_ends_in_one_line_before_it_starts(
    arguments: list[str], problem: str, tmp_path: Path
) -> None:
    line = [
        "inspect",
        "eval",
        "refusalbench_tasks/perturb",
        "--model",
        "mockllm/w",
        *arguments,
    ]
    status, printed = start(line, tmp_path).ended()
    assert status == 1
    assert problem in printed
    assert "Traceback" not in printed
    assert not list(tmp_path.glob("logs/*"))


def test_a_baseline_of_another_task_is_named_in_one_line() -> None:
    task = bluff(data="sample", judge="offline", ptrue="none")
    (log,) = eval(
        task,
        solver=oracle(),
        model=fake(lambda _: ""),
        limit=1,
        log_dir="logs",
        display="none",
    )
    assert log.error
    assert log.error.message.startswith("oracle: for nq and garage alone; row ")
    assert "\n" not in log.error.message
