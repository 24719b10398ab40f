"""The record of BLUFF-1000's layout: the released fields, and ours for data whose making is known.

Whoever writes rows in this layout writes these fields: made ones (`data=worlds`) and collected ones alike.
"""

from collections.abc import Mapping
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from refusalbench_tasks.datasets.bluff_item import Category
from refusalbench_tasks.datasets.factorial import LEVELS, ConflictAbout, Stance

CATEGORIES: Mapping[str, Category] = {
    "reliable": "reliable",
    "unreliable": "unreliable",
    "distraction": "distraction",
    "unknown": "unknown",
    "unknown(marked as unreliable)": "unknown",
}
"""The categories of the released layout, older records included, and what they are here."""

AmbiguityType = Literal["conflict", "missing", "outdated", "vague", "unreliable"]
SOURCE_FACTORS: Mapping[str, tuple[str, ...]] = {
    "outlet": ("accountable", "unaccountable"),
    "authority": ("named", "anonymous"),
    "evidence": ("first_hand", "hearsay"),
    "date": ("fresh", "stale"),
    "wording": ("plain", "hedged"),
}
"""What a source's text and address tell of it, by factor, the level that speaks for it first; `unknown` is one too."""
UNKNOWN = "unknown"

LAYOUT = "id, topic, question, gold_answer, source_sets: {clear: [{category, title, url, text}], ambiguous: [...]}"
OPTIONAL = {
    "ambiguity": "ambiguity: {open: true or false, kind: text}",
    "factors": "factors: {clear: {reliability, conflict, sufficiency}, ambiguous: {...}}",
    "conflict_about": "conflict_about: {clear: null, ambiguous: asked, other_thing, former_value or bounds}",
}


class SourceRecord(BaseModel):
    """One source of a record."""

    model_config = ConfigDict(extra="ignore")

    category: str
    title: str = ""
    url: str = ""
    date: str | None = None
    """The day of publication; `timestamp`, the time of assembly, is not read."""
    text: str = Field(min_length=1)
    stance: Stance | None = None
    """How it stands to the gold answer; None where nobody has told."""
    value: str | None = None
    """The value that it gives, as text: the gold answer, another, an older one, or bounds; None if it is silent."""
    quote: str = ""
    """The words of its text that give the value."""
    position: int | None = Field(default=None, ge=1)
    """Its place in the set as it was composed, from 1."""
    factors: dict[str, str] = {}

    @field_validator("category")
    @classmethod
    def _known_category(cls, category: str) -> str:
        if category.strip().lower() not in CATEGORIES:
            raise ValueError(f"unknown category '{category}'; known: {', '.join(CATEGORIES)}")
        return category.strip().lower()

    @field_validator("factors")
    @classmethod
    def _known_factors(cls, factors: dict[str, str]) -> dict[str, str]:
        return known_levels(factors, {name: (*levels, UNKNOWN) for name, levels in SOURCE_FACTORS.items()})

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if self.quote and self.quote not in self.text:
            raise ValueError("quote: its words don't stand in text; copy them as they are")
        if self.stance in ("contradicts", "outdated", "vague") and not self.value:
            raise ValueError(f"value: a source that '{self.stance}' has the value that it gives")
        if self.stance == "silent" and self.value:
            raise ValueError(f"value: a silent source gives none, not '{self.value}'")
        return self


class SourceSets(BaseModel):
    """The sets of a record."""

    clear: list[SourceRecord] = []
    ambiguous: list[SourceRecord] = []

    @field_validator("clear", "ambiguous")
    @classmethod
    def _places_apart(cls, sources: list[SourceRecord]) -> list[SourceRecord]:
        places = [one.position for one in sources if one.position is not None]
        twice = next((place for place in places if places.count(place) > 1), None)
        if twice is not None:
            raise ValueError(f"position: {twice} is that of two sources of the set")
        return sources


class Ambiguity(BaseModel):
    """Whether ambiguous sources leave the answer open, and what makes them ambiguous."""

    model_config = ConfigDict(extra="ignore")

    open: bool
    kind: str = ""


class SetFactors(BaseModel):
    """The levels of each set's factors, as far as they are known."""

    model_config = ConfigDict(extra="forbid")

    clear: dict[str, str] = {}
    ambiguous: dict[str, str] = {}

    @field_validator("clear", "ambiguous")
    @classmethod
    def _known(cls, factors: dict[str, str]) -> dict[str, str]:
        return known_levels(factors, {str(name): levels for name, levels in LEVELS.items()})


class SetConflicts(BaseModel):
    """What the sources of each set disagree on; None where they don't, or where nobody has told."""

    model_config = ConfigDict(extra="forbid")

    clear: ConflictAbout | None = None
    ambiguous: ConflictAbout | None = None


class BluffRecord(BaseModel):
    """One question with its sets of sources."""

    model_config = ConfigDict(extra="ignore")

    id: str = Field(min_length=1)
    question_id: str = ""
    """The question, where several records ask the same one; they are resampled together."""
    topic: str = Field(min_length=1)
    question: str = Field(min_length=1)
    gold_answer: str = Field(min_length=1)
    source_sets: SourceSets
    ambiguity: Ambiguity | None = None
    ambiguity_type: AmbiguityType | None = None
    """What makes the ambiguous set ambiguous, in words that all data share."""
    factors: SetFactors = SetFactors()
    conflict_about: SetConflicts = SetConflicts()

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        kind = self.ambiguity.kind if self.ambiguity else ""
        if kind and self.ambiguity_type and kind != self.ambiguity_type:
            raise ValueError(f"ambiguity_type: '{self.ambiguity_type}', but ambiguity.kind is '{kind}'; keep one")
        return self


def known_levels(factors: Mapping[str, str], known: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return factors as they are. Raises ValueError for an unknown factor or level, with those that are known."""
    for name, level in factors.items():
        if name not in known:
            raise ValueError(f"unknown factor '{name}'; known: {', '.join(known)}")
        if level not in known[name]:
            raise ValueError(f"{name}: unknown level '{level}'; known: {', '.join(known[name])}")
    return dict(factors)
