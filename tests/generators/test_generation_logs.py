"""What is read from generation logs: every attempt, the copy that counts, and what is
left out.
"""

import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.generation_logs import (
    Generations,
    find_runs,
    read_runs,
)
from refusalbench_tasks.generators.solved_filter import solved_in
from refusalbench_tasks.tasks.perturb import perturb
from tests.generators.panel import add, named, verdict, write_well
from tests.tasks.generation import draw, few_bases, metrics


@pytest.fixture(autouse=True)
def _quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_DISPLAY", "none")


def writer(prompt: str) -> dict[str, Any]:
    """Write another text at each attempt."""
    draft = write_well(prompt)
    if "This is attempt" in prompt:
        draft = add(draft, f" It was told {draw(prompt) % 97} times.")
    return draft


def judge(name: str, fails: int) -> Model:
    return named(name, lambda prompt: verdict(draw(name + prompt) % 100 >= fails))


def generate(logs: str = "logs", fails: int = 60, **task: Any) -> EvalLog:
    roles: Any = {"verifier": [judge("a", fails), judge("b", 20)]}
    settings: dict[str, Any] = {
        "bases": few_bases(9),
        "cache": False,
        "classes": "MissingInfo",
        "intensities": "MEDIUM",
    } | task
    (log,) = eval(
        perturb(**settings),
        model=named("w", writer),
        model_roles=roles,
        log_dir=logs,
        display="none",
    )
    return log


def accepted(found: Generations) -> int:
    return sum(bool(item.accepted) for item in found.items)


def command(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(arguments))
    return result.exit_code, result.output


@pytest.mark.parametrize("attempts", [1, 3])
def test_readers_see_what_the_run_accepted_in_every_attempt(
    attempts: int, tmp_path: Path
) -> None:
    m = metrics(generate(attempts=attempts))
    found = read_runs(["logs"])
    assert accepted(found) == m["n_accepted"]
    assert len(found.items) == m["n_candidates"]
    assert found.runs[0].samples == m["n_items"] == 9
    if attempts > 1:
        assert any(item.accepted and item.slot.attempt > 1 for item in found.items)
    code, output = command("export", "logs", "-o", "set", "--all")
    assert (code, output.split()[0]) == (0, f"{m['n_accepted']:.0f}")
    assert (
        f"| mockllm/w | 9 | {m['n_candidates']:.0f} | {m['n_accepted']:.0f} |"
        in (tmp_path / "set/README.md").read_text()
    )


def damaged(path: Path) -> None:
    path.write_bytes(b"PK\x03\x04 no archive")


@pytest.mark.parametrize(
    "arguments",
    [
        ["export", "bad", "-o", "set"],
        ["plan", "--bases", "own.jsonl", "--solved-in", "bad"],
    ],
)
def test_nothing_but_a_damaged_log_is_one_error_line(arguments: list[str]) -> None:
    Path("own.jsonl").write_text(
        '{"question": "Who?", "answer": "Ole", "context": "It was Ole."}'
    )
    Path("bad").mkdir()
    damaged(Path("bad/2020-01-01_perturb_x.eval"))
    code, output = command(*arguments)
    assert code == 1
    assert output.count("\n") == 1
    assert "not a readable log" in output


def test_kappa_and_pass_rates_of_early_stops_are_said_to_be_unmeasurable() -> None:
    generate()
    assert command("export", "logs", "-o", "set", "--all")[0] == 0
    assert (
        "Not measurable: one verifier, or early stop"
        in Path("set/README.md").read_text()
    )


def test_a_log_with_a_member_that_swells_is_left_out_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = generate()
    shutil.copy(log.location, "logs/whole.eval")
    with zipfile.ZipFile(log.location, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("samples/big_epoch_1.json", b"[" + b" " * 2_000_000 + b"]")
    monkeypatch.setattr("refusalbench_tasks.log_reading.LARGEST", 1_000_000)
    found = find_runs(["logs"])
    assert len(found.items) == 9
    ((_, reason),) = found.left_out
    assert (
        reason
        == "its member 'samples/big_epoch_1.json' unpacks to 2 MB from 0.0 MB; no run"
        " writes that"
    )
    with pytest.raises(
        DataError, match="solved-in: no log can be used: .*no run writes that"
    ):
        solved_in([], [log.location])
