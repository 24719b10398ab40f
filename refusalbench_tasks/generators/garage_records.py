"""GaRAGe's own records as base questions: RefusalBench's filter, and its cut to ten
passages (C.1, and the released code).
"""

from collections.abc import Sequence
from dataclasses import replace

from refusalbench_tasks.datasets.fields import entries_in
from refusalbench_tasks.datasets.refusal_rows import ANSWERS_IT, PASSAGES
from refusalbench_tasks.datasets.rows import Row
from refusalbench_tasks.replies.outside_text import one_line

VALIDATED = "answer_validate"
"""A column that GaRAGe's own records alone have."""
MOST_SIGNAL = 5
_ALLOWED = {
    VALIDATED: ("yes",),
    "question_complexity": ("simple", "simple w. condition", "comparison", "set"),
    "question_type": ("slow-changing", ""),
    "question_category": (
        "science",
        "health",
        "business & industrial",
        "law & government",
        "finance",
    ),
}
_OF_PASSAGES = ("grounding", "evidence_correct", "evidence_cited")
"""What a record says of its passages, one entry each."""
_RELATED = "RELATED-INFORMATION"


def base_of(record: Row) -> tuple[str | None, Row]:
    """Return why a record is no base question, None if it is one, and its row of ten
    passages.
    """
    values = record.values
    for field, allowed in _ALLOWED.items():
        value = one_line(values.get(field) or "")
        if value.lower() not in allowed:
            return f"{field} is '{value}'", record
    texts, labels, cited = (entries_in(values.get(name)) for name in _OF_PASSAGES)
    kept = ten_of(labels, {k for k, answer in enumerate(cited) if answer == "YES"})
    if len(texts) != len(labels) or kept is None:
        return f"no {PASSAGES} labelled passages with one that answers", record
    base = {"id": values.get("sample_id"), "intensity": "CLEAN"}
    base["grounding"] = [texts[k] for k in kept]
    base["evidence_correct"] = [labels[k] for k in kept]
    return None, replace(record, values={**values, **base})


def ten_of(labels: Sequence[str], cited: set[int]) -> list[int] | None:
    """Return the positions of the ten passages to keep, in their order; None without
    ten, or without one that answers.

    At most five answer the question; others fill up. In both, those that the people's
    answer cites come first, then those with related information.
    """

    def rank(position: int) -> tuple[bool, bool]:
        return position not in cited, labels[position] != _RELATED

    order = sorted(range(len(labels)), key=rank)
    signal = [k for k in order if labels[k] == ANSWERS_IT][:MOST_SIGNAL]
    noise = [k for k in order if labels[k] != ANSWERS_IT]
    kept = signal + noise[: PASSAGES - len(signal)]
    return sorted(kept) if signal and len(kept) == PASSAGES else None
