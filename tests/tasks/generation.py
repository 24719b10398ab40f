"""Generation runs of the tests: over few base questions, with scripted writers and
verifiers.
"""

import hashlib
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from inspect_ai import eval, score
from inspect_ai.log import EvalLog
from inspect_ai.model import Model

from refusalbench_tasks.cli import main
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.inspect_entry import consensus_scores
from refusalbench_tasks.generators.kit.bases import base_row
from refusalbench_tasks.generators.perturb_record import SCORER
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.tasks.perturb import perturb
from tests.generators.panel import One, named, verdict
from tests.models import metrics_of


def draw(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def few_bases(number: int, of: str = "nq_sample") -> str:
    """Write the first bundled base questions to a file in the current folder, and
    return its name.
    """
    name = f"{of}_{number}.jsonl"
    write_rows(Path(name), map(base_row, curate(of).items[:number]))
    return name


def verifier(name: str, fails: int = 0) -> Model:
    """Return a verifier that fails a share of candidates, in per
    cent, by their text.
    """
    return named(name, lambda prompt: verdict(draw(name + prompt) % 100 >= fails))


def noting(
    asked: list[str], answer: One = lambda _: verdict(), name: str = "v"
) -> Model:
    """Return a model that notes what it is asked."""

    def reply(prompt: str) -> Any:
        asked.append(prompt)
        return answer(prompt)

    return named(name, reply)


def run(
    writer: Model | One,
    verifiers: list[Model],
    logs: str = "logs",
    options: Any = None,
    **task: Any,
) -> EvalLog:
    """Run `perturb` on three base questions, or on others that are given; `reader` is
    the model that reads blindly.
    """
    roles: Any = {"verifier": verifiers} | (
        {"reader": task.pop("reader")} if "reader" in task else {}
    )
    settings: dict[str, Any] = {"cache": False} | task
    settings.setdefault("bases", few_bases(3))
    model = writer if isinstance(writer, Model) else named("w", writer)
    more: dict[str, Any] = {"log_dir": logs, "display": "none"} | (options or {})
    (log,) = eval(perturb(**settings), model=model, model_roles=roles, **more)
    return log


def anew(log: EvalLog, **roles: Any) -> EvalLog:
    """Score a run again with these models in its roles."""
    return score(
        log,
        consensus_scores(cache=False),
        action="overwrite",
        model_roles=roles,
        display="none",
    )


def answers(log: EvalLog) -> dict[str, str | None]:
    """Return by sample what became of it."""
    return {
        str(one.id): one.scores[SCORER].answer
        for one in log.samples or []
        if one.scores
    }


def metrics(log: EvalLog) -> dict[str, float]:
    return metrics_of(log, SCORER)


def command(*arguments: str) -> str:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output
