"""Base questions as rows: the unperturbed items that a plan starts from."""

from typing import Any

from refusalbench_tasks.datasets.item import RefusalItem


def base_row(item: RefusalItem) -> dict[str, Any]:
    """Return a base question as a row that `nq` or `garage` run and `perturb` starts
    from: an unperturbed control.
    """
    row = {
        "id": item.item_id,
        "source_id": item.source_id,
        "query": item.query,
        "intensity": "CLEAN",
        "expected_rag_behavior": "ANSWER_CORRECTLY",
    }
    if len(item.passages) == 1:
        return row | {
            "context": item.passages[0],
            "answers": list(item.answers),
        }
    return row | {
        "grounding": list(item.passages),
        "signal_indices": list(item.signal),
        "reference_answer": item.reference,
        "answers": list(item.answers),
        "domain": item.domain,
        "question_type": item.question_type,
        "question_complexity": item.question_complexity,
    }
