"""The entries of a passage: one for each thing that it speaks of, with what it states
of it and what ties it to the name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from string import ascii_lowercase

from .document import BORNE, Handle, Relation, form, names
from .rendering import Item, Phrase, Style
from .world import World, shuffled

Content = Mapping[str, Sequence[tuple[Relation, str]]]
"""By name what a passage speaks of, and in which state (`rendering.OPERATORS`)."""
REMARKS = 0.75
"""How often an entry has a remark that nobody asks for."""
SETTINGS = 3
"""Ways in which an entry sets its phrases and its remark."""


@dataclass(frozen=True)
class QuadSetting:
    """What is fixed for both passages of a quad, whatever they state."""

    layout: str
    """`table`, or one of the form's layouts."""
    handles: bool
    """Whether entries are tied to names by a handle and an index; else each begins with
    its name.
    """
    year: int
    """The year that a question about the future asks for."""
    dress: str
    """What some sound values have: `graded` or `until`."""
    verdicts: tuple[str, str]


@dataclass
class Entry:
    """What a passage states of one thing."""

    name: str
    phrases: dict[str, Phrase]
    """By noun."""
    remark: str = ""
    set_as: int = 0
    handle: str = ""

    @property
    def key(self) -> str:
        """Return what its line in a table begins with."""
        return self.handle or self.name

    def text(self) -> str:
        """Return its phrases and its remark as sentences."""
        texts = [phrase.text for phrase in self.phrases.values()]
        remark = [self.remark] if self.remark else []
        if self.set_as == 0:
            sentences = [_sentence(_joined(texts)), *remark]
        elif self.set_as == 1:
            sentences = [*remark, *map(_sentence, texts)]
        else:
            first, *rest = texts
            sentences = [_sentence(first), *remark]
            if rest:
                sentences.append(_sentence(_joined(rest)))
        return " ".join(sentences)


def _joined(texts: Sequence[str]) -> str:
    *others, last = texts
    listed = "; ".join(others)
    if not listed or "," in listed:
        return "; ".join(texts)
    return f"{listed}, and {last}"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def draw_entries(
    style: Style,
    content: Content,
    rng: Random,
) -> list[Entry]:
    """Return the entries of a passage in a drawn order, without handles."""
    ranks: dict[str, float] = {}
    for matters in content.values():
        for relation, _ in matters:
            ranks.setdefault(relation.noun, rng.random())
    remarks = shuffled(rng, style.world.document.remarks)
    ways = rng.sample(range(SETTINGS), 2)
    entries = []
    for name in shuffled(rng, list(content)):
        matters = sorted(content[name], key=lambda matter: ranks[matter[0].noun])
        remark = remarks.pop() if remarks and rng.random() < REMARKS else ""
        phrases = _phrases(
            style,
            name,
            matters,
            rng,
        )
        entries.append(
            Entry(
                name,
                phrases,
                remark,
                rng.choice(ways),
            )
        )
    return entries


def _phrases(
    style: Style,
    name: str,
    matters: Sequence[tuple[Relation, str]],
    rng: Random,
) -> dict[str, Phrase]:
    """Return by noun what a passage says of a thing, each with choices of its own."""
    seeds = [rng.getrandbits(64) for _ in matters]
    phrases = {}
    for (relation, state), seed in zip(matters, seeds, strict=True):
        value = style.world.value(name, relation)
        item = Item(
            style,
            name,
            relation,
            value,
            Random(seed),
        )
        phrases[relation.noun] = item.phrase(state)
    return phrases


def number_entries(
    world: World,
    entries: list[Entry],
    rng: Random,
) -> None:
    """Give the entries their handles: numbers that things bear themselves, or those of
    their positions in this document.
    """
    handle = form(world.document.form).handle
    if handle in BORNE:
        numbers = _numbers_of_things(world, handle)
        for entry in entries:
            entry.handle = numbers[entry.name]
        entries.sort(key=lambda entry: entry.handle)
        return
    handles = _handles(
        handle,
        len(entries),
        rng,
    )
    for entry, drawn in zip(entries, handles, strict=True):
        entry.handle = drawn


def _numbers_of_things(
    world: World,
    handle: Handle,
) -> dict[str, str]:
    """Return by name the number of each thing, the same in all documents of a world."""
    rng = world.rng("numbers")
    thing_names = [*world.names, *world.others]
    numbers = rng.sample(range(11, 99), len(thing_names))
    prefix = rng.choice(names().letters) if handle == "code" else ""
    suffix = "0" if handle == "model" else ""
    written = [f"{prefix}{number}{suffix}" for number in numbers]
    return dict(zip(thing_names, written, strict=True))


def _handles(
    handle: Handle,
    number: int,
    rng: Random,
) -> list[str]:
    if handle == "clause":
        chapter = rng.randint(2, 9)
        clauses = sorted(rng.sample(range(1, number + 3), number))
        return [f"{chapter}.{clause}" for clause in clauses]
    if handle == "item":
        item = rng.randint(3, 9)
        letters = sorted(rng.sample(ascii_lowercase[: number + 2], number))
        return [f"{item} ({letter})" for letter in letters]
    return sorted(letter.lower() for letter in rng.sample(names().letters, number))
