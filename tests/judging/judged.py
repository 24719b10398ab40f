"""What is made of a grader's scripted outputs."""

import asyncio
from typing import Any

from refusalbench_tasks.judging.label import (
    LABEL_ONLY,
    Vote,
    grade_rubric,
    judge_reply,
)
from tests.models import scripted

GOOD = {"explanation": "it answers", "label": "ANSWER_ATTEMPT", "grade": 5}


def judged(
    *answers: Any, graded: bool = True, references: tuple[str, ...] = ("1987",)
) -> Vote:
    rubric = grade_rubric(references) if graded else LABEL_ONLY
    return asyncio.run(judge_reply(scripted(*answers), "When?", "It was 1987.", rubric))
