"""Personas: who writes a source, and the cues that tell whether it
is to be relied on.
"""

from functools import cache
from typing import Literal

from .document import FileEntry, read_yaml

Level = Literal["reliable", "doubtful"]
Wording = Literal["plain", "hedged"]


class Cues(FileEntry):
    """What tells a reader how far to rely on a source: outlet, byline, and where its
    knowledge comes from.

    Slots: `{n}` an invented word, `{P}` an invented person.
    """

    outlet: str
    host: str
    byline: str
    opening: list[str]
    evidence: list[str]


class Persona(FileEntry):
    """One kind of writer: the same style whatever the cues say.

    Both levels have as many sentences.
    """

    name: str
    section: list[str]
    lead: list[str]
    closing: list[str]
    reliable: Cues
    doubtful: Cues

    def cues(self, level: Level) -> Cues:
        """Return the cues of a level."""
        return self.reliable if level == "reliable" else self.doubtful


class Script(FileEntry):
    """All personas, and the sentences that any of them may use."""

    personas: list[Persona]
    remark: dict[Wording, list[str]]
    current: list[str]
    """Sentences that give a value which holds since a year, with the slots of `former`
    and in its order.
    """
    former: list[str]
    """Sentences that give a value which held until a year: the noun phrase {N}, {V},
    {Y}.
    """
    exact: list[str]
    """Sentences that give a value, whatever remark follows: the noun phrase {N}, {V}.
    """
    vague: list[str]
    """Sentences that give bounds alone, with {W} as the upper one, in the order of
    `exact`.
    """


@cache
def script() -> Script:
    """Return the personas that sources are written by."""
    return Script.model_validate(read_yaml("personas"))
