"""How many replies of a run have no confidence, told while there is time to stop it."""

import logging
from collections import Counter, defaultdict

from refusalbench_tasks.metrics.missing_confidence import TOLERATED

logger = logging.getLogger(__name__)
_LEAST = 10


class ConfidenceTally:
    """Counts of the reasons why confidences are missing, by the model that is asked; None where there is one."""

    def __init__(self) -> None:
        self._reasons: defaultdict[str, Counter[str | None]] = defaultdict(Counter)
        self._told: set[str] = set()

    def count(self, model: str, missing: str | None) -> None:
        """Count one reply, and warn once per model when more than a tenth of ten or more have no confidence."""
        reasons = self._reasons[model]
        reasons[missing] += 1
        asked, lost = reasons.total(), reasons.total() - reasons[None]
        if asked < _LEAST or lost <= TOLERATED * asked or model in self._told:
            return
        self._told.add(model)
        why = ", ".join(f"{reason} {n}" for reason, n in reasons.most_common() if reason)
        logger.warning(
            "%s gave no confidence for %d of %d replies so far (%s). "
            "Try -T ptrue=sample, or another model: --model-role confidence=PROVIDER/MODEL",
            model,
            lost,
            asked,
            why,
        )
