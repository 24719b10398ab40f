"""Questions from one's own documents: the evaluated model writes them, independent
readers accept or reject them.
"""

from typing import Never

from inspect_ai import Task, task

from refusalbench_tasks.arguments import reject_unknown
from refusalbench_tasks.generators.kit.panel import LONGEST_RUN
from refusalbench_tasks.own.questions.question_settings import (
    RIVALS,
    Conflicts,
    QuestionSettings,
)

VERSION = "1-A"


@task
def question(
    corpus: str | None = None,
    n: int | None = None,
    questions: int = 3,
    outside: int = 0,
    rivals: int = RIVALS,
    conflicts: Conflicts = "drop",
    cache: bool = True,
    max_failures: int = LONGEST_RUN,
    seed: int = 0,
    shard: str | None = None,
    **others: Never,
) -> Task:
    """Return a run that writes questions: the model under evaluation is the writer, the
    role `reader` reads them.

    `QuestionSettings` and `ReadingSettings` document the arguments. An unknown argument
    is an error, before anything is loaded.
    """
    from refusalbench_tasks.own.questions.question_task import question_task

    reject_unknown(question, others)
    settings = QuestionSettings(
        corpus=corpus,
        n=n,
        questions=questions,
        outside=outside,
        rivals=rivals,
        conflicts=conflicts,
        cache=cache,
        max_failures=max_failures,
        seed=seed,
        shard=shard,
    )
    return question_task(VERSION, settings)
