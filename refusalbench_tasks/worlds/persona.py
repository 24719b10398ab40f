"""Personas: who writes a source, and the cues that tell whether it
is to be relied on.
"""

from functools import cache
from typing import Literal

from .document import FileEntry, Phrases, read_yaml

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
    opening: Phrases
    evidence: Phrases


class Persona(FileEntry):
    """One kind of writer: the same style whatever the cues say.

    Both levels have as many sentences.
    """

    name: str
    section: Phrases
    lead: Phrases
    closing: Phrases
    reliable: Cues
    doubtful: Cues

    def cues(self, level: Level) -> Cues:
        """Return the cues of a level."""
        return self.reliable if level == "reliable" else self.doubtful


class Script(FileEntry):
    """All personas, and the sentences that any of them may use."""

    personas: list[Persona]
    remark: dict[Wording, Phrases]
    current: Phrases
    """Sentences that give a value which holds since a year, with the slots of `former`
    and in its order.
    """
    former: Phrases
    """Sentences that give a value which held until a year: the noun phrase {N}, {V},
    {Y}.
    """
    exact: Phrases
    """Sentences that give a value, whatever remark follows: the noun phrase {N}, {V}.
    """
    vague: Phrases
    """Sentences that give bounds alone, with {W} as the upper one, in the order of
    `exact`.
    """


@cache
def script() -> Script:
    """Return the personas that sources are written by."""
    return Script.model_validate(read_yaml("personas"))
