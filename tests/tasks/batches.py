"""Runs of the tests by the batch endpoints: every task, through the genuine clients to the local server."""

from collections.abc import Callable
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.log import EvalLog
from inspect_ai.model import BatchConfig, GenerateConfig, Model, get_model

from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.tasks.perturb import perturb
from tests.provider import Server
from tests.tasks.generation import few_bases

AT_ONCE = BatchConfig(size=1_000, send_delay=0.05, tick=0.05)
"""No waiting: the defaults send after 15 seconds, and look for results every 15."""

TASKS: dict[str, tuple[Callable[[], Task], str]] = {
    "nq": (lambda: nq(data="sample"), "grader"),
    "garage": (lambda: garage(data="sample"), "grader"),
    "bluff": (lambda: bluff(data="sample", topics="law", per_topic=2), "grader"),
    "perturb": (
        lambda: perturb(bases=few_bases(1), classes="MissingInfo", intensities="LOW,HIGH", cache=False),
        "verifier",
    ),
}
"""What makes each task, and the role that it asks besides the model."""

MODELS = {
    "openai": ("openai/gpt-4o", "openai/gpt-4o-mini"),
    "anthropic": ("anthropic/claude-a", "anthropic/claude-b"),
}


def client(wire: str, server: Server, batch: BatchConfig | None, which: int = 0) -> Model:
    """Return the first or the second model of a provider; it never tries again."""
    url = server.openai_url if wire == "openai" else server.anthropic_url
    config = GenerateConfig(max_retries=0, max_tokens=500, batch=batch)
    return get_model(MODELS[wire][which], base_url=url, api_key="x", config=config, memoize=False, max_retries=0)


def run(name: str, wire: str, server: Server, batch: BatchConfig | None, limit: int = 4, **options: Any) -> EvalLog:
    """Run a task on few samples, by batches or without."""
    make, role = TASKS[name]
    roles: Any = {role: [client(wire, server, batch, 1)]}
    (log,) = eval(
        make(), model=client(wire, server, batch), model_roles=roles, limit=limit, log_dir="logs", display="none",
        **options,
    )  # fmt: skip
    return log


def values(log: EvalLog) -> dict[str, dict[str, Any]]:
    """Return what each scorer says of each sample; an error or a reason is none."""
    return {str(s.id): {name: score.value for name, score in (s.scores or {}).items()} for s in log.samples or []}
