"""What is known of a row of a data set, whoever answered it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Self

from refusalbench_tasks.taxonomy import Intensity, Label

GROUPS: Mapping[str, str] = {
    "class": "perturbation",
    "intensity": "intensity",
    "generator": "generator",
    "domain": "domain",
    "type": "question_type",
    "complexity": "question_complexity",
    "lever": "lever",
}
"""The fields that rows are grouped by, under the names that breakdowns have for them."""
FACTS = (
    "expected",
    "accepted_alternatives",
    "source_id",
    "item_id",
    *GROUPS.values(),
    "pair",
    "intrinsic",
    "knobs",
    "control",
)
"""The names in a sample's metadata that are read."""


@dataclass(frozen=True, slots=True)
class SampleFacts:
    """The metadata of a sample that metrics and reports read; blank (or None) where a log does not tell."""

    expected: Label | None = None
    source: str = ""
    """The base question: rows made from the same one are not independent."""
    item: str = ""
    perturbation: str = ""
    intensity: str = ""
    generator: str = ""
    domain: str = ""
    question_type: str = ""
    question_complexity: str = ""
    lever: str = ""
    pair: str = ""
    """Rows of one pair differ in one thing; empty where the data has no pairs."""
    intrinsic: bool = False
    """Whether the question alone tells that there is no answer."""
    knobs: Mapping[str, float | str] = field(default_factory=dict)
    """How hard the row is, apart from whether it has an answer."""
    accepted: tuple[Label, ...] = ()
    """Other refusal codes that a careful reader may give."""
    control: bool = False
    """Whether this is an unperturbed original beside the rows of the run, which is in no main metric."""

    @classmethod
    def of(cls, metadata: Mapping[str, Any]) -> Self:
        """Return the facts of a sample's metadata.

        Unperturbed rows of one's own are no controls. In logs that don't tell them apart, every unperturbed row is one.
        Raises ValueError for a label that is none.
        """
        get = metadata.get
        expected, accepted = _labels(get("expected"), *(get("accepted_alternatives") or ()))
        # by place, because a log has up to a million rows
        return cls(
            expected,
            str(get("source_id", "")),
            str(get("item_id") or ""),
            str(get("perturbation") or ""),
            str(get("intensity") or ""),
            str(get("generator") or ""),
            str(get("domain") or ""),
            str(get("question_type") or ""),
            str(get("question_complexity") or ""),
            str(get("lever") or ""),
            str(get("pair") or ""),
            bool(get("intrinsic")),
            _knobs(get("knobs")),
            accepted,
            bool(get("control", get("intensity") == Intensity.CLEAN)),
        )

    def group(self, name: str) -> str:
        """Return the group of a row, by a name in `GROUPS`; blank for none."""
        return str(getattr(self, GROUPS[name]))


@lru_cache(maxsize=1024)
def _labels(expected: str | None, *others: str) -> tuple[Label | None, tuple[Label, ...]]:
    """Return the gold label and the others that are accepted, of many rows as the same objects."""
    return Label(expected) if expected else None, tuple(map(Label, others))


_NONE: Mapping[str, float | str] = {}
"""Held once, for all rows without knobs."""


def _knobs(stored: Any) -> Mapping[str, float | str]:
    """Return the knobs that are numbers or words; none where a log keeps something else in their place."""
    if not isinstance(stored, Mapping) or not stored:
        return _NONE
    return {str(name): value for name, value in stored.items() if isinstance(value, int | float | str)}
