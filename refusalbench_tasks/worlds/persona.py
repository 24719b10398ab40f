"""Personas: who writes a source, and the cues that tell whether it
is to be relied on.
"""

from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from refusalbench_tasks.worlds.document import read_yaml

Level = Literal["reliable", "doubtful"]
Wording = Literal["plain", "hedged"]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Cues(_Entry):
    """What tells a reader how far to rely on a source: outlet, byline, and where its
    knowledge comes from.

    Slots: `{n}` an invented word, `{P}` an invented person.
    """

    outlet: str
    host: str
    byline: str
    opening: tuple[str, ...] = Field(min_length=2)
    evidence: tuple[str, ...] = Field(min_length=2)


class Persona(_Entry):
    """One kind of writer: the same style whatever the cues say."""

    name: str
    section: tuple[str, ...] = Field(min_length=2)
    lead: tuple[str, ...] = Field(min_length=2)
    closing: tuple[str, ...] = Field(min_length=2)
    reliable: Cues
    doubtful: Cues

    @model_validator(mode="after")
    def _levels_match(self) -> "Persona":
        for part in ("opening", "evidence"):
            reliable, doubtful = (
                getattr(cues, part) for cues in (self.reliable, self.doubtful)
            )
            if len(reliable) != len(doubtful):
                raise ValueError(
                    f"{self.name}: as many sentences of {part} for both levels"
                )
        return self

    def cues(self, level: Level) -> Cues:
        """Return the cues of a level."""
        return self.reliable if level == "reliable" else self.doubtful


class Script(_Entry):
    """All personas, and the sentences that any of them may use."""

    personas: tuple[Persona, ...] = Field(min_length=5)
    remark: dict[Wording, tuple[str, ...]]
    current: tuple[str, ...] = Field(min_length=3)
    """Sentences that give a value which holds since a year, with the slots of `former`.
    """
    former: tuple[str, ...] = Field(min_length=3)
    """Sentences that give a value which held until a year: the noun phrase {N}, {V},
    {Y}.
    """
    exact: tuple[str, ...] = Field(min_length=3)
    """Sentences that give a value, whatever remark follows: the noun phrase {N}, {V}.
    """
    vague: tuple[str, ...] = Field(min_length=3)
    """Sentences that give bounds alone, with {W} as the upper one, in the order of
    `exact`.
    """

    @model_validator(mode="after")
    def _in_one_order(self) -> "Script":
        if len(self.current) != len(self.former) or len(self.exact) != len(self.vague):
            raise ValueError(
                "as many sentences that hold as that held, and as many exact as vague"
                " ones"
            )
        return self


@cache
def script() -> Script:
    """Return the personas that sources are written by."""
    return Script.model_validate(read_yaml("personas"))
