"""A reply of a file: what its columns may say."""

import pytest

from refusalbench_tasks.replies.confidence import Level
from refusalbench_tasks.solvers.recorded_reply import confidence_in


def test_a_confidence_is_a_share_a_percentage_or_a_level() -> None:
    assert [confidence_in(v) for v in (0, 1.0, "0.25", "85%")] == [0.0, 1.0, 0.25, 0.85]
    assert confidence_in("somewhat confident") is Level.SOMEWHAT_CONFIDENT
    wrong: object
    for wrong in (-0.1, float("nan"), "sure", [], "1.5"):
        with pytest.raises(ValueError, match="expected a number"):
            confidence_in(wrong)
