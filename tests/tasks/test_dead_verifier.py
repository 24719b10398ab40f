"""A verifier that cannot be called stops a run before it is paid for; one that dies later stops it soon."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval, score
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.panel import PREFLIGHT
from refusalbench_tasks.generators.noted import SCORER
from refusalbench_tasks.generators.registered import consensus_scores
from refusalbench_tasks.solvers.baselines import oracle
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.perturb import perturb
from tests.commands import start
from tests.generators.panel import named, verdict, write_well
from tests.models import fake, metrics_of


def gone(name: str) -> Model:
    """Return a model whose every call fails, the first one too."""
    made = named(name, lambda _: "")

    async def generate(*_: Any, **__: Any) -> Any:
        raise LookupError("404: no such model\nand more")

    made.generate = generate  # type: ignore[method-assign]
    return made


def noted(prompts: list[str]) -> Callable[[str], Any]:
    """Return a writer's function that notes what it is asked."""

    def write(prompt: str) -> Any:
        prompts.append(prompt)
        return write_well(prompt)

    return write


def noting(prompts: list[str], answer: Callable[[str], Any], name: str) -> Model:
    """Return a model that notes what it is asked."""

    def reply(prompt: str) -> Any:
        prompts.append(prompt)
        return answer(prompt)

    return named(name, reply)


def mortal(name: str, lives: int) -> Model:
    """Return a verifier that answers so many items, and then fails."""
    left = [lives]

    def reply(_: str) -> dict[str, Any]:
        left[0] -= 1
        if left[0] < 0:
            raise ConnectionError("502")
        return verdict()

    return named(name, reply)


def run(writer: Any, panel: list[Model], **task: Any) -> EvalLog:
    settings: dict[str, Any] = {"bases": "nq_sample", "cache": False, "classes": "Ambiguity", "intensities": "LOW"}
    options = {key: task.pop(key) for key in ("fail_on_error", "max_samples") if key in task}
    roles: Any = {"verifier": panel}
    (log,) = eval(
        perturb(**(settings | task)), model=named("w", writer), model_roles=roles, log_dir="logs", display="none",
        **options,
    )  # fmt: skip
    return log


def values(log: EvalLog) -> dict[str, float]:
    return metrics_of(log, SCORER)


def test_a_verifier_that_cannot_be_called_ends_the_run_before_an_item_is_written() -> None:
    written: list[str] = []
    log = run(noted(written), [named("a", lambda _: verdict()), gone("b")])
    assert log.status == "error"
    assert log.error
    assert log.error.message.startswith("verifier mockllm/b cannot be called: LookupError: 404: no such model; nothing")
    assert "\n" not in log.error.message
    assert written == []


def test_a_reader_that_cannot_be_called_ends_the_run_too_unless_nobody_is_to_read() -> None:
    written: list[str] = []
    roles: Any = {"verifier": [named("a", lambda _: verdict())], "reader": gone("r")}
    settings: dict[str, Any] = {"bases": "nq_sample", "cache": False, "classes": "Ambiguity", "intensities": "LOW"}

    def ended(**task: Any) -> EvalLog:
        (log,) = eval(
            perturb(**settings, **task), model=named("w", noted(written)), model_roles=roles, log_dir="logs",
            display="none", limit=2,
        )  # fmt: skip
        return log

    log = ended()
    assert log.error
    assert log.error.message.startswith("verifier mockllm/r cannot be called: LookupError")
    assert written == []
    assert ended(reading="off").status == "success"


def test_each_verifier_is_called_once_at_the_start_and_its_words_do_not_matter() -> None:
    asked: list[str] = []

    def called(name: str) -> Model:
        made = named(name, lambda _: verdict())
        generate = made.generate

        async def watched(prompt: Any, **options: Any) -> Any:
            asked.extend([name] if prompt == PREFLIGHT else [])
            return await generate(prompt, **options)

        made.generate = watched  # type: ignore[method-assign, assignment]
        return made

    assert values(run(write_well, [called("a"), called("b")]))["n_accepted"] == 18
    assert asked == ["a", "b"]
    values(run(write_well, [called("a")], max_failures=0))
    assert asked == ["a", "b"]


def test_failures_in_a_row_stop_the_run_with_the_verifiers_error() -> None:
    log = run(write_well, [mortal("b", 4)], max_failures=3, max_samples=1)
    assert log.status == "error"
    assert log.error
    assert log.error.message.startswith(
        "verifier mockllm/b failed 3 times in a row, last: ConnectionError: 502; the run"
    )
    assert len([s for s in log.samples or [] if s.scores]) == 6


def test_where_errors_are_allowed_no_further_item_is_written() -> None:
    written: list[str] = []
    log = run(
        noted(written), [mortal("b", 4)], max_failures=3, max_samples=1,
        fail_on_error=False,
    )  # fmt: skip
    assert len(written) == 7
    m = values(log)
    assert (m["n_candidates"], m["n_accepted"], m["n_undecided"]) == (6, 4, 2)
    assert (m["acceptance"], m["acceptance_low"], m["acceptance_high"]) == (1.0, 4 / 6, 1.0)
    assert (m["acceptance_n"], m["acceptance_bounds_n"]) == (4, 6)
    assert (m["yield"], m["yield_n"]) == (4 / 18, 18)
    assert m["mockllm/b/missing/ConnectionError"] == 2


def test_the_missing_votes_of_a_stopped_run_can_be_asked_for_alone() -> None:
    log = run(write_well, [mortal("b", 4)], max_failures=3, max_samples=1)
    asked: list[str] = []
    roles: Any = {"verifier": [noting(asked, lambda _: verdict(), "b")]}
    whole = score(log, consensus_scores(cache=False), action="overwrite", model_roles=roles, display="none")
    found = [s.scores["consensus_scores"] for s in whole.samples or [] if s.scores]
    written = [one for one in found if one.metadata and one.metadata["candidate"]]
    assert len(written) >= 6
    assert {one.answer for one in written} == {"accepted"}
    assert len(asked) == len(written) - 4


def test_a_cast_vote_ends_a_row_of_failures() -> None:
    turn = iter(range(1_000))
    flaky = named("b", lambda _: verdict() if next(turn) % 6 == 5 else "no")
    assert values(run(write_well, [flaky], max_failures=3, max_samples=1))["n_undecided"] > 0


def test_any_number_of_failures_can_be_allowed() -> None:
    m = values(run(write_well, [gone("b")], max_failures=0))
    assert (m["n_undecided"], m["acceptance_low"], m["acceptance_high"]) == (18, 0.0, 1.0)
    assert m["mockllm/b/missing/LookupError"] == 18


def test_without_bases_the_task_says_so_in_one_line() -> None:
    with pytest.raises(DataError, match=r"^bases: required; .*-T bases=FILE$"):
        perturb()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [([], "Error: bases: required"), (["-T", "bases=nq_sample"], "Error: no verifier is bound")],
)
def test_the_command_ends_in_one_line_before_it_starts(arguments: list[str], problem: str, tmp_path: Path) -> None:
    line = ["inspect", "eval", "refusalbench_tasks/perturb", "--model", "mockllm/w", *arguments]
    status, printed = start(line, tmp_path).ended()
    assert status == 1
    assert problem in printed
    assert "Traceback" not in printed
    assert not list(tmp_path.glob("logs/*"))


def test_a_baseline_of_another_task_is_named_in_one_line() -> None:
    (log,) = eval(
        bluff(data="sample", judge="offline", ptrue="none"), solver=oracle(), model=fake(lambda _: ""), limit=1,
        log_dir="logs", display="none",
    )  # fmt: skip
    assert log.error
    assert log.error.message.startswith("oracle: a baseline of nq and garage; row ")
    assert "\n" not in log.error.message
