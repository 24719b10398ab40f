"""People of a text: what they do for a thing, what they are called, and whom `she` can be."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from refusalbench_tasks.worlds.reader.lexicon import WORDS
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.token import LETTER, Token

WOMAN = re.compile(r"\bMs ([A-Z][a-z]+ [A-Z][a-z]+)")
_OF = r"(?:about|on|for|over) <E\d+>"
_TASK = rf"(?:the )?(?:{'|'.join(WORDS['tasks'])}) {_OF}"
DOES = (
    rf"(?:(?:[a-z]+ly )?(?:{'|'.join(WORDS['tends'])}) {_TASK}"
    rf"|(?:writes|keeps|handles|answers|sees to|draws up|looks after|wrote|gave|kept) (?:the )?(?:first )?\w+ {_OF})"
)
DO = rf"(?:{'|'.join(WORDS['tend'])}) {_TASK}"
DOING = rf"(?:{'|'.join(WORDS['tending'])}) {_TASK}"
NOUN = rf"(?:the|an?) (?:\w+ who {DOES}|\w+ of the \w+ (?:about|on|for) <E\d+>)"
DONE = rf"{_TASK} (?:is|are) (?:{'|'.join(WORDS['tended'])}) by"
TASKED = (
    rf"whose (?:[a-z]+ )?(?:job|task|work|duty|chore|role|vocation) it is to {DO}"
    rf"|to whom (?:it falls|people leave it) to {DO}|on whom [a-z]+ rely to {DO}"
    rf"|who (?:agreed|offered|volunteered) to {DO}"
    rf"|who (?:was|is|has been) (?:hired|paid|engaged|chosen|picked|trained|sent) to {DO}"
    rf"|(?:charged|entrusted|tasked) with {DOING}|who (?:spends|passes|fills) her [a-z]+ {DOING}"
    rf"|whom (?:the )?[a-z]+ (?:trust|ask|pay|count on) to {DO}"
)
CALLED = r"(?:is known as|is called|goes by the name of|, known as|, called)"
ROLES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"(<N\d+>), (?:who {DOES}|{NOUN}|{TASKED})(?:,|(?=[;.]|$))"), r"\1"),
    (re.compile(rf"{NOUN}, (<N\d+>),"), r"\1"),
    (re.compile(rf"^{DONE} (<N\d+>)(?:, who|, whose| and|;)"), r"\1"),
    # a `they` behind it means the papers that are kept, so these must stay
    (re.compile(rf"^(<N\d+>) {DOES}(?: and| but|;(?! they\b)|:)"), r"\1"),
    (re.compile(rf"^it was (<N\d+>) who {DOES};"), r"\1"),
)
"""What somebody does for a thing tells who it is, and can be left out where the name stands."""
SHE = re.compile(r"(?<!['‘])\bshe\b")
HER = re.compile(r"\bher\b")
WIDTH = 4
"""How many sentences back a pronoun can reach."""


@dataclass(slots=True)
class People:
    """What a text has said of people up to a sentence."""

    women: frozenset[str]
    names: dict[str, Token] = field(default_factory=dict)
    """Bynames of people and things, with whose they are."""
    recent: list[tuple[str, ...]] = field(default_factory=list)
    """The women named in the sentences before, latest last."""
    pair: Sequence[Token] = ()
    """Whom or what the sentence before brought in, for `this one` and `that one`."""

    def candidates(self) -> tuple[str, ...]:
        """Return the women that `she` can be at the start of a sentence: those named since others were spoken of."""
        found: tuple[str, ...] = ()
        for group in self.recent[-WIDTH:]:
            found = tuple(dict.fromkeys((*found, *group)))
        return found

    def note(self, line: Line) -> None:
        """Take up whom a sentence names. One that brings in two people, or names a thing, opens a new scene."""
        if line.marked("thing") or len(_contents(line)) > 1:
            self.recent.clear()
        self.recent.append(self.named(line))

    def named(self, line: Line) -> tuple[str, ...]:
        """Return the women that a sentence names."""
        return tuple(dict.fromkeys(one for one in _contents(line) if one in self.women))


def _contents(line: Line) -> list[str]:
    return [str(one.content) for one in line.marked("name")]


def people(sentences: Sequence[str]) -> People:
    """Return the people of a text before its first sentence is read."""
    return People(frozenset(name for one in sentences for name in WOMAN.findall(one)))


def plain(line: Line) -> Line:
    """Return a sentence without what the people in it do for a thing."""
    return line.part(_plain(line.shape))


@lru_cache(maxsize=4096)
def _plain(shape: str) -> str:
    shape = re.sub(r"[.?!]+$", "", shape.strip())
    if "<N" not in shape:
        return shape
    for pattern, name in ROLES:
        shape = pattern.sub(name, shape)
    return re.sub(r"^([^:]*<N\d+>):(?= )", r"\1", shape) if shape.startswith("<N") else shape


def resolved_people(line: Line, known: People) -> Line:
    """Return a sentence with whoever is meant in the place of bynames and of a `she` that nobody in it can be."""
    she = SHE.search(line.shape) or HER.search(line.shape)
    if she is None and not known.names:
        return line
    tokens = dict(line.tokens)
    shape = line.shape
    for tag, one in line.tokens.items():
        of = known.names.get(str(one.content)) if one.mark == "name" else None
        if of is not None:
            new = f"<{LETTER[of.mark]}{len(tokens)}>"
            tokens[new] = replace(of, tag=new)
            shape = re.sub(rf"(?:\bthe )?{tag}", new, shape)
    found = Line(line.text, shape, tokens)
    she = SHE.search(shape) or HER.search(shape)
    women = known.candidates()
    if she is None or not women or known.named(found.part(shape[: she.start()] if she[0] == "she" else shape)):
        return found
    tag = f"<N{len(tokens)}>"
    tokens[tag] = Token("name", tag, women[0] if len(women) == 1 else women)
    return found.part(shape[: she.start()] + tag + ("'s" if she[0] == "her" else "") + shape[she.end() :])
