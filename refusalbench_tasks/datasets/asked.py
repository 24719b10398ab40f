"""In transition: see item."""

from refusalbench_tasks.datasets.item import input_text as asked
from refusalbench_tasks.datasets.item import question_in as question_in

__all__ = ["asked", "question_in"]
