"""Sources that speak of one question: written by personas, without a model, for each
cell of the design.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .factorial import Dated, DesignCell, Plan
from .persona import Level, Persona, Wording, script
from .rendering import fill_slots
from .source_claims import SourceClaim
from .values import Value

SPEAKERS = 3
"""Sources of a set that speak of what is asked; the others speak of the same things,
and are silent on it.
"""
SOURCES = 5


@dataclass(frozen=True)
class Source:
    """One source as it is written, and what it was written from."""

    persona: str
    level: Level
    claim: SourceClaim | None
    quote: str
    """The sentence that makes the claim; empty without one."""
    cues: dict[str, str]
    """What tells of its level: outlet, byline, opening, evidence."""
    host: str
    title: str
    slug: str
    date: str
    dated: Dated
    wording: Wording
    text: str


@dataclass(frozen=True)
class Slot:
    """What stays of a source whatever the cell: its style, its cues of both levels, and
    what it says besides.
    """

    persona: Persona
    word: str
    """The invented word in the outlet's name."""
    person: str
    parts: dict[str, int]
    """Which of its sentences it uses, by part."""
    fillers: tuple[str, str, str]
    """Its sentences on other matters; the third stands where another source speaks."""
    date: str
    role: int
    """Below SPEAKERS it speaks, 0 as the rival if there is one."""
    late: bool
    """Whether its second filler stands behind the claim."""

    def pick(
        self,
        part: str,
        sentences: Sequence[str],
    ) -> str:
        """Return the sentence of a part that this source uses."""
        return sentences[self.parts[part] % len(sentences)]


@dataclass(frozen=True)
class Matter:
    """What may be said of the asked relation of one thing: the value that most give,
    and that of the rival.

    With `upto` only bounds are given: these two are the upper ones, `value` and `rival`
    the lower ones.
    """

    subject: str
    phrase: str
    """The noun phrase for the value, with the thing's name in it."""
    value: Value
    rival: Value
    current: bool = True
    upto: tuple[Value, Value] | None = None

    def claim(
        self,
        level: Level,
        rival: bool = False,
    ) -> SourceClaim:
        """Return what a source of a level says of it, as the rival or as one of the
        others.
        """
        value = self.rival if rival else self.value
        upto = self.upto[rival] if self.upto else None
        return SourceClaim(
            self.subject,
            value,
            level,
            self.current,
            upto,
        )


@dataclass(frozen=True)
class SourceQuestion:
    """One question with all that its sources may say."""

    plan: Plan
    domain: str
    question: str
    year: int
    frames: Sequence[str]
    """The sentence pattern of each speaker."""
    full: Matter
    short: Matter
    """What is said in place of `full` where the sources don't suffice."""
    slots: Sequence[Slot]

    @property
    def subject(self) -> str:
        """Return the thing that is asked about."""
        return self.full.subject

    @property
    def gold(self) -> Value:
        """Return the answer."""
        return self.full.value

    def gold_text(self) -> str:
        """Return a passage that gives the answer; it is in no set of sources."""
        sentence = self._sentence(
            self.full,
            self.full.claim("reliable"),
            0,
        )
        return " ".join([sentence, *self.slots[0].fillers])

    def sources(
        self,
        cell: DesignCell,
    ) -> list[Source]:
        """Return the five sources of a cell, in the order that they
        have in every cell.
        """
        return [self._source(slot, cell) for slot in self.slots]

    def _level(
        self,
        slot: Slot,
        cell: DesignCell,
    ) -> Level:
        if slot.role == SPEAKERS:
            return "reliable"
        if slot.role > SPEAKERS or cell.reliability:
            return "doubtful"
        is_lesser = slot.role == 0 and self.plan.rival == "lesser"
        return "doubtful" if is_lesser else "reliable"

    def _source(
        self,
        slot: Slot,
        cell: DesignCell,
    ) -> Source:
        level = self._level(slot, cell)
        claim = None
        quote = ""
        if slot.role < SPEAKERS:
            matter = self.short if cell.sufficiency else self.full
            claim = matter.claim(level, cell.conflict and slot.role == 0)
            quote = self._sentence(
                matter,
                claim,
                slot.role,
            )
        persona = slot.persona
        wordings = persona.cues(level)
        cues = {
            "outlet": fill_slots(wordings.outlet, n=slot.word),
            "byline": fill_slots(wordings.byline, P=slot.person),
            "opening": slot.pick("opening", wordings.opening),
            "evidence": slot.pick("evidence", wordings.evidence),
        }
        section = slot.pick("section", persona.section)
        return Source(
            persona.name,
            level,
            claim,
            quote,
            cues,
            host=fill_slots(wordings.host, n=slot.word.lower()),
            title=f"{section} | {cues['outlet']} | {cues['byline']}",
            slug=section.lower().replace("'", "").replace(" ", "-"),
            date=slot.date,
            dated=self.plan.dated,
            wording=self.plan.wording,
            text=self._text(slot, cues, quote),
        )

    def _text(
        self,
        slot: Slot,
        cues: dict[str, str],
        quote: str,
    ) -> str:
        persona = slot.persona
        first, second, third = slot.fillers
        remark = slot.pick("remark", script().remark[self.plan.wording])
        sentences = [
            cues["opening"],
            slot.pick("lead", persona.lead),
            first,
            cues["evidence"],
            quote or third,
            remark,
            slot.pick("closing", persona.closing),
        ]
        # behind the remark, or behind the first filler
        sentences.insert(6 if slot.late else 3, second)
        return " ".join(sentences)

    def _sentence(
        self,
        matter: Matter,
        claim: SourceClaim,
        role: int,
    ) -> str:
        pattern = self.frames[role]
        frames = script()
        # the sentences for a value that held, and for bounds, are those for one that
        # holds, in the same order
        if not claim.current:
            pattern = frames.former[frames.current.index(pattern)]
        elif claim.upto is not None:
            pattern = frames.vague[frames.exact.index(pattern)]
        return fill_slots(
            pattern,
            N=matter.phrase,
            V=claim.value,
            W=claim.upto,
            Y=self.year,
        )
