"""Which ten passages of a GaRAGe question to keep."""

from collections.abc import Sequence

PASSAGES = 10
MOST_SIGNAL = 5
"""Passages with the answer among the ten, a question's own included."""


def ten_of(evidence: Sequence[str], cited: Sequence[bool] = ()) -> list[int] | None:
    """Return the positions of the ten passages to keep, in their old order; None if that cannot be done.

    Up to five signal passages, those that the human answer cites first; then noise: cited, then related information,
    then the rest, always in the old order. Surplus signal passages are not used as filler (the released pipeline's
    rule; of GaRAGe's labels `ANSWER-THE-QUESTION` is signal).
    """

    def priority(k: int) -> int:
        if k < len(cited) and cited[k]:
            return 0
        return 1 if evidence[k] == "RELATED-INFORMATION" else 2

    signal = sorted((k for k, label in enumerate(evidence) if label == "ANSWER-THE-QUESTION"), key=priority)
    noise = sorted((k for k, label in enumerate(evidence) if label != "ANSWER-THE-QUESTION"), key=priority)
    kept = signal[:MOST_SIGNAL]
    kept += noise[: PASSAGES - len(kept)]
    return sorted(kept) if signal and len(kept) == PASSAGES else None
