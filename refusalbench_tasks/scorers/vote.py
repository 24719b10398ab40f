"""One grader's verdict on one reply."""

from collections.abc import Mapping
from dataclasses import dataclass

from refusalbench_tasks.taxonomy import Label


@dataclass(frozen=True)
class Vote:
    """One grader's verdict; label None, with the failure, if it gave no valid one."""

    grader: str
    label: Label | None
    numbers: Mapping[str, float]
    explanation: str
    failure: str | None
