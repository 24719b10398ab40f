"""The entries of a passage: one for each thing that it speaks of, with what it states
of it and what ties it to the name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from string import ascii_lowercase
from typing import TypeAlias

from refusalbench_tasks.worlds.document import Handle, Relation, form, names
from refusalbench_tasks.worlds.rendering import Item, Phrase, Style
from refusalbench_tasks.worlds.world import World, shuffled

Content: TypeAlias = Mapping[str, Sequence[tuple[Relation, bool]]]
"""By name what a passage speaks of, and whether it does so soundly."""


@dataclass(frozen=True)
class QuadSetting:
    """What is fixed for both passages of a quad, whatever they state."""

    layout: str
    """`table`, or one of the form's layouts."""
    handles: bool
    """Whether entries are tied to names by a handle and an index; else each begins with
    its name.
    """
    year: int = 0
    """The year that a question about the future asks for."""
    senses: int = 0
    grades: int = 0
    twins: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Names that two things bear, and what tells these apart."""


@dataclass
class Entry:
    """What a passage states of one thing."""

    name: str
    label: str
    """The name, with what tells two things of one name apart."""
    twin: int
    """The position among two things of one name."""
    phrases: dict[str, Phrase]
    """By noun."""
    lead: str = ""
    handle: str = ""

    @property
    def texts(self) -> list[str]:
        """Return the phrases as sentences have them."""
        return [phrase.text for phrase in self.phrases.values()]

    @property
    def key(self) -> str:
        """Return what its line in a table begins with."""
        return self.handle or self.label


def draw_entries(
    style: Style,
    setting: QuadSetting,
    content: Content,
    rng: Random,
) -> list[Entry]:
    """Return the entries of a passage in a drawn order, without handles."""
    leads = style.world.document.leads
    ranks: dict[str, float] = {}
    for matters in content.values():
        for relation, _ in matters:
            ranks.setdefault(relation.noun, rng.random())
    has_leads = rng.random() < 0.7 and setting.layout != "table" and bool(leads)
    entries = []
    for name in shuffled(rng, list(content)):
        matters = sorted(content[name], key=lambda matter: ranks[matter[0].noun])
        labels = _labels(setting, name)
        order = rng.sample((0, 1), 2) if len(labels) > 1 else [0]
        for twin, drawn in enumerate(order):
            label = labels[drawn]
            lead = ""
            if has_leads:
                lead = style.world.rng(label, "lead").choice(leads)
            phrases = _phrases(
                style,
                name,
                label,
                twin,
                matters,
                rng,
            )
            entry = Entry(
                name,
                label,
                drawn,
                phrases,
                lead,
            )
            entries.append(entry)
    return entries


def _labels(
    setting: QuadSetting,
    name: str,
) -> list[str]:
    """Return the label of each thing of a name."""
    twins = setting.twins.get(name)
    if not twins:
        return [name]
    return [f"{name}, {difference}" for difference in twins]


def _phrases(
    style: Style,
    name: str,
    label: str,
    twin: int,
    matters: Sequence[tuple[Relation, bool]],
    rng: Random,
) -> dict[str, Phrase]:
    """Return by noun what a passage says of a thing, each with choices of its own."""
    seeds = [rng.getrandbits(64) for _ in matters]
    phrases = {}
    for (relation, sound), seed in zip(matters, seeds, strict=True):
        value = style.world.value(
            name,
            style.defect.group,
            relation,
        )
        item = Item(
            style,
            name,
            label,
            relation,
            value,
            twin,
            Random(seed),
        )
        phrases[relation.noun] = item.phrase(sound)
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
    if handle in ("model", "number", "code"):
        numbers = _numbers_of_things(world, handle)
        for entry in entries:
            entry.handle = numbers[entry.name][entry.twin]
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
) -> dict[str, list[str]]:
    """Return by name the two numbers of things of that name, the same in all documents
    of a world.
    """
    rng = world.rng("numbers")
    thing_names = [*world.names, *world.others]
    numbers = rng.sample(range(11, 99), 2 * len(thing_names))
    prefix = rng.choice(names().letters) if handle == "code" else ""
    suffix = "0" if handle == "model" else ""
    written = [f"{prefix}{number}{suffix}" for number in numbers]
    return {
        name: written[2 * position : 2 * position + 2]
        for position, name in enumerate(thing_names)
    }


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
