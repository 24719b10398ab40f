"""Accepted candidates as rows of the released layouts."""

import hashlib
from typing import Any

from .generation_logs import Generated

PREFIX = "RB-FRESH"
"""How the ids of rows begin."""
DIGITS = 12
"""Of the digest at the end of a row's id."""


def released_row(item: Generated) -> dict[str, Any]:
    """Return an accepted candidate as a released row: NQ's layout for one passage,
    GaRAGe's for several.

    Its id says where it is from and what it says, so that an item has one id in every
    export.
    """
    candidate = item.candidate
    slot = item.slot
    base = item.slot.base
    assert candidate is not None
    writer = item.writer.rpartition("/")[2]
    text = "|||".join((candidate.query, *candidate.passages, item.writer))
    digest = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:DIGITS]
    row = {
        "id": (
            f"{PREFIX}_{writer}_{base.source_id}_{slot.perturbation}_{slot.intensity}_{digest}"
        ),
        "source_id": base.source_id,
        "generator_model": item.writer,
        "perturbation_class": slot.perturbation.value,
        "intensity": slot.intensity.value,
        "expected_rag_behavior": slot.expected.value,
        "lever_selected": candidate.lever,
        "original_query": base.query,
        "original_answers": list(base.answers),
        "implementation_reasoning": candidate.reasoning,
        "verifier_votes": {
            vote.verifier: "PASS" if vote.passed else "FAIL" for vote in item.votes
        },
    }
    if candidate.evidence is not None:
        row["evidence"] = candidate.evidence.model_dump(mode="json")
    if candidate.accepted_alternatives:
        row["accepted_alternatives"] = [
            label.value for label in candidate.accepted_alternatives
        ]
    if candidate.ground_added:
        row["ground_added"] = candidate.ground_added
    if not slot.multi:
        return row | {
            "original_context": base.passages[0],
            "perturbed_query": candidate.query,
            "perturbed_context": candidate.passages[0],
        }
    noise = [k for k in range(len(base.passages)) if k not in base.signal]
    return row | {
        "query": candidate.query,
        "grounding": list(candidate.passages),
        "original_grounding": list(base.passages),
        "reference_answer": base.reference,
        "signal_indices": list(base.signal),
        "noise_indices": noise,
        "domain": base.domain,
        "question_type": base.question_type,
        "question_complexity": base.question_complexity,
    }
