"""What real models are run on: the bundled rows of each benchmark and synthetic ones,
without a grader.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from inspect_ai import Task, eval_set

from benchmarks.real.weights import OpenModel
from refusalbench_tasks import bluff, garage, nq
from refusalbench_tasks.datasets.languages import ENGLISH, LANGUAGES

MAX_TOKENS = 200
"""The longest reply: the longest gold answer of the rows has fewer than 60 tokens."""
BLUFF_ROWS = 32
"""16 questions, each with clear and with ambiguous sources."""
CROSSED_ROWS = 24
"""Rows of each language of questions, on English passages."""
VARIED = "qwen2.5-coder-0.5b"
"""The model whose replies at temperature 1 show how much a run varies."""


@dataclass(frozen=True)
class Setting:
    """One set of runs of a model: the tasks, and how the model replies."""

    name: str
    tasks: tuple[Task, ...]
    temperature: float = 0.0
    epochs: int = 1
    limit: int | None = None
    shuffle: int | None = None
    """The seed by which rows are shuffled before the limit."""


def settings_of(model: OpenModel) -> list[Setting]:
    """Return the sets of runs of a model."""
    tasks = (
        nq(data="sample", judge="offline"),
        garage(data="sample", judge="offline"),
        nq(data="worlds", n=120, judge="offline"),
    )
    hedging = (bluff(data="sample", judge="offline"),)
    asking = (
        nq(data="sample", judge="offline", ask=True),
        nq(data="worlds", n=120, judge="offline", ask=True),
    )
    twins = nq(data="sample", judge="offline", language="all", prompt_language="row")
    crossed = tuple(
        nq(data="sample", judge="offline", language=ENGLISH, question_language=language)
        for language in LANGUAGES[1:]
    )
    sets = [
        Setting(model.name, tasks),
        Setting(f"{model.name}-bluff", hedging, limit=BLUFF_ROWS),
        Setting(f"{model.name}-ask", asking),
        Setting(f"{model.name}-languages", (twins,)),
        Setting(f"{model.name}-crossed", crossed, limit=CROSSED_ROWS, shuffle=0),
    ]
    if model.name == VARIED:
        plain = nq(data="sample", judge="offline")
        sets.append(
            Setting(f"{model.name}-varied", (plain,), temperature=1.0, epochs=3)
        )
    return sets


def quick_setting(model: OpenModel) -> Setting:
    """Return a set that ends within five minutes: 24 of the bundled rows."""
    return Setting(
        f"{model.name}-quick",
        (nq(data="sample", judge="offline"),),
        limit=24,
        shuffle=0,
    )


def run(setting: Setting, model: OpenModel, address: str, logs: Path) -> bool:
    """Run a set, or what is left of it after an interruption; return whether all of it
    is done.
    """
    with addressed(address):
        done, _ = eval_set(
            list(setting.tasks),
            log_dir=str(logs / setting.name),
            model=model.inspect_name,
            temperature=setting.temperature,
            epochs=setting.epochs,
            limit=setting.limit,
            sample_shuffle=setting.shuffle,
            max_tokens=MAX_TOKENS,
            max_connections=2,
            max_tasks=1,
            display="plain",
            score_display=False,
            metadata={
                "quantization": model.quantization,
                "weights_sha256": model.sha256,
            },
        )
    return done


@contextmanager
def addressed(address: str) -> Iterator[None]:
    """Let Inspect's provider `local` call an address, in which no key is needed."""
    before = dict(os.environ)
    os.environ |= {"LOCAL_BASE_URL": address, "LOCAL_API_KEY": "none"}
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
