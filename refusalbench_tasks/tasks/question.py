"""Questions from one's own documents: the evaluated model writes them, independent
readers accept or reject them.
"""

from typing import Literal, Never

from inspect_ai import Task, task

from refusalbench_tasks.generators.kit.panel import LONGEST_RUN
from refusalbench_tasks.own.questions.question_scorer import RIVALS

VERSION = "1-A"


@task
def question(
    corpus: str | None = None,
    n: int | None = None,
    questions: int = 3,
    outside: int = 0,
    rivals: int = RIVALS,
    conflicts: Literal["drop", "keep"] = "drop",
    cache: bool = True,
    max_failures: int = LONGEST_RUN,
    seed: int = 0,
    shard: str | None = None,
    **others: Never,
) -> Task:
    """Return a run that writes questions: the model under evaluation is the writer, the
    role `reader` reads them.

    The arguments are those of `QuestionSettings`. An unknown argument is an error,
    before anything is loaded.
    """
    given = locals()
    from refusalbench_tasks.own.questions.question_task import (
        QuestionSettings,
        question_task,
    )

    return question_task(VERSION, QuestionSettings.of("question", given))
