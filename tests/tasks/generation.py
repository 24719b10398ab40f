"""Generation runs of the tests: over few base questions, with scripted writers and verifiers."""

import hashlib
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from refusalbench_tasks.cli import main
from refusalbench_tasks.generators.kit.bases import base_row, load_bases
from refusalbench_tasks.generators.noted import SCORER
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.tasks.perturb import perturb
from tests.generators.panel import named, verdict
from tests.models import metrics_of


def draw(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def few_bases(number: int, of: str = "nq_sample") -> str:
    """Write the first bundled base questions to a file in the current folder, and return its name."""
    name = f"{of}_{number}.jsonl"
    write_rows(Path(name), map(base_row, load_bases(of)[:number]))
    return name


def verifier(name: str, fails: int = 0) -> Model:
    """Return a verifier that fails a share of candidates, in per cent, by their text."""
    return named(name, lambda prompt: verdict(draw(name + prompt) % 100 >= fails))


def run(writer: Model, verifiers: list[Model], logs: str = "logs", **task: Any) -> EvalLog:
    """Run `perturb` on three base questions, or on others that are given."""
    settings: dict[str, Any] = {"bases": few_bases(3), "cache": False} | task
    roles: Any = {"verifier": verifiers}
    (log,) = eval(perturb(**settings), model=writer, model_roles=roles, log_dir=logs, display="none")
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    return metrics_of(log, SCORER)


def command(*arguments: str) -> str:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output
