"""A passage: a document of one kind, set in one layout, that states
parts of a world.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from string import ascii_lowercase

from refusalbench_tasks.worlds.defects import Defect
from refusalbench_tasks.worlds.document import (
    HANDLE_NAMES,
    Document,
    DocumentForm,
    Handle,
    Relation,
    form,
    names,
    templates,
)
from refusalbench_tasks.worlds.rendering import KINDS, Item, Phrase, Teller, fill
from refusalbench_tasks.worlds.statement import Fact, Named, Statement
from refusalbench_tasks.worlds.values import MONTHS, written
from refusalbench_tasks.worlds.world import World

Content = Mapping[str, Sequence[tuple[Relation, bool]]]
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


@dataclass(frozen=True)
class Passage:
    """A text, what it states, and by name the lines that tell of it."""

    text: str
    statements: tuple[Statement, ...]
    lines: Mapping[str, tuple[str, ...]]


@dataclass
class _Entry:
    name: str
    label: str
    twin: int
    """The place among two things of one name."""
    phrases: dict[str, Phrase]
    lead: str = ""
    handle: str = ""

    @property
    def body(self) -> list[str]:
        texts = [phrase.text for phrase in self.phrases.values()]
        return [self.lead, *texts] if self.lead else texts


def compose(
    world: World,
    defect: Defect,
    setting: QuadSetting,
    content: Content,
    stale: Sequence[tuple[str, Relation]],
    key: str,
) -> Passage:
    """Return the passage that states `content` of a world; the same key makes the same
    choices for other content.
    """
    rng = Random(key)
    shown = frozenset(
        relation.noun for matters in content.values() for relation, _ in matters
    )
    pick = {kind: rng.randrange(60) for kind in KINDS}
    pick |= {"senses": setting.senses, "grades": setting.grades}
    teller = Teller(world, defect, shown, setting.year, pick)
    entries = _entries(teller, setting, content, rng)
    if setting.handles:
        _number(world, entries, rng)
    body = _body(teller, setting, entries, rng)
    former, old = _stale(world, defect, stale, rng)
    statements = [
        statement
        for entry in entries
        for phrase in entry.phrases.values()
        for statement in phrase.statements
    ]
    named = [Named(entry.name, entry.label) for entry in entries]
    lines = _lines(body, entries)
    text = _assembled(world, setting, defect, entries, body, former, rng)
    return Passage(text, (*named, *statements, *old), lines)


def _entries(
    teller: Teller, setting: QuadSetting, content: Content, rng: Random
) -> list[_Entry]:
    document = teller.document
    world = teller.world
    ranks: dict[str, float] = {}
    for matters in content.values():
        for relation, _ in matters:
            ranks.setdefault(relation.noun, rng.random())
    leads = rng.random() < 0.7 and setting.layout != "table" and bool(document.leads)
    entries = []
    for name in rng.sample(list(content), len(content)):
        twins = setting.twins.get(name)
        ordered = sorted(content[name], key=lambda matter: ranks[matter[0].noun])
        for twin, which in enumerate(rng.sample((0, 1), 2) if twins else (0,)):
            label = f"{name}, {twins[which]}" if twins else name
            lead = world.rng(label, "lead").choice(document.leads) if leads else ""
            drawn = {
                relation.noun: Random(rng.getrandbits(64)) for relation, _ in ordered
            }
            phrases = {
                relation.noun: teller.tell(
                    Item(name, label, relation, sound, twin), drawn[relation.noun]
                )
                for relation, sound in ordered
            }
            entries.append(_Entry(name, label, which, phrases, lead))
    return entries


def _number(world: World, entries: list[_Entry], rng: Random) -> None:
    """Give the entries their handles: numbers that things bear themselves, or those of
    the places of this document.
    """
    handle = form(world.document.form).handle
    if handle in ("model", "number", "code"):
        numbers = _own_numbers(world, handle)
        for entry in entries:
            entry.handle = numbers[entry.name][entry.twin]
        entries.sort(key=lambda entry: entry.handle)
        return
    for entry, drawn in zip(entries, _handles(handle, len(entries), rng), strict=True):
        entry.handle = drawn


def _own_numbers(world: World, handle: Handle) -> dict[str, tuple[str, str]]:
    """Return by name the two numbers of things of that name, the same in all documents
    of a world.
    """
    rng = world.rng("numbers")
    every = [*world.names, *world.others]
    drawn = [str(number) for number in rng.sample(range(11, 99), 2 * len(every))]
    if handle == "model":
        drawn = [f"{number}0" for number in drawn]
    elif handle == "code":
        letter = rng.choice(names().letters)
        drawn = [f"{letter}{number}" for number in drawn]
    return {
        name: (drawn[2 * position], drawn[2 * position + 1])
        for position, name in enumerate(every)
    }


def _handles(handle: Handle, n: int, rng: Random) -> list[str]:
    if handle == "clause":
        chapter = rng.randint(2, 9)
        numbers = sorted(rng.sample(range(1, n + 3), n))
        return [f"{chapter}.{number}" for number in numbers]
    if handle == "item":
        item = rng.randint(3, 9)
        letters = sorted(rng.sample(ascii_lowercase[: n + 2], n))
        return [f"{item} ({letter})" for letter in letters]
    return sorted(letter.lower() for letter in rng.sample(names().letters, n))


def _body(
    teller: Teller, setting: QuadSetting, entries: list[_Entry], rng: Random
) -> list[list[str]]:
    """Return the sections of a passage that hold its entries, each a list of lines."""
    document_form = form(teller.document.form)
    if setting.layout == "table":
        sections = [_table(document_form, entries, False)]
    else:
        sections = [_prose(document_form, setting, entries, rng)]
    if (
        any(phrase.second for entry in entries for phrase in entry.phrases.values())
        and teller.defect.name in TWICE
    ):
        others = sorted(entries, key=lambda entry: entry.handle or entry.label)
        again = _table(document_form, others, True)
        sections.append([rng.choice(document_form.second), *again])
    return sections


TWICE = ("clash", "rival")
"""Defects of documents that state everything twice."""


def _prose(
    document_form: DocumentForm,
    setting: QuadSetting,
    entries: list[_Entry],
    rng: Random,
) -> list[str]:
    layout = document_form.layouts[setting.layout]
    days = sorted(rng.sample(range(250), len(entries)))
    lines = []
    for entry, day in zip(entries, days, strict=True):
        text = document_form.join.join(entry.body)
        slots = {
            "b": capital(text),
            "l": small(text),
            "x": entry.label,
            "h": entry.handle,
            "d": f"{day % 28 + 1} {MONTHS[day // 28]}",
        }
        template = layout.entry if entry.handle else layout.named
        line = fill(template, **slots)
        lines.append(line if template.startswith("{h}") else capital(line))
    return lines


def _table(
    document_form: DocumentForm, entries: list[_Entry], second: bool
) -> list[str]:
    nouns = list(dict.fromkeys(noun for entry in entries for noun in entry.phrases))
    head = HANDLE_NAMES[document_form.handle] if entries[0].handle else "Name"
    lines = [" | ".join([head, *map(capital, nouns)])]
    for entry in entries:
        cells = [_table_cell(entry.phrases.get(noun), second) for noun in nouns]
        lines.append(" | ".join([entry.handle or entry.label, *cells]))
    return lines


def _table_cell(phrase: Phrase | None, second: bool) -> str:
    if phrase is None:
        return ""
    return phrase.second if second else phrase.cell


def _lines(body: list[list[str]], entries: list[_Entry]) -> dict[str, tuple[str, ...]]:
    """Return by name the lines that begin with, or speak of, its entries."""
    lines = [line for section in body for line in section]
    by_name: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        key = entry.handle or entry.label
        texts = [phrase.text for phrase in entry.phrases.values()]
        about_entry = [
            line
            for line in lines
            if line.startswith(f"{key} |") or _holds_all(line, texts)
        ]
        by_name[entry.name] = (*by_name.get(entry.name, ()), *about_entry)
    return by_name


def _holds_all(line: str, texts: Sequence[str]) -> bool:
    """Return whether a line has each text, within a sentence or at its beginning."""
    return all(small(text) in small(line) or capital(text) in line for text in texts)


def _stale(
    world: World, defect: Defect, stale: Sequence[tuple[str, Relation]], rng: Random
) -> tuple[list[str], list[Statement]]:
    """Return sentences about values that hold no more, and what they state."""
    document = world.document
    lines = []
    statements = list[Statement]()
    for name, relation in stale:
        world.value(name, defect.group, relation)
        old = world.another(rng, name, relation)
        lines.append(
            fill(
                rng.choice(document.stale),
                x=name,
                at=fill(document.at, x=name),
                r=relation.noun,
                v=written(old),
                y=str(world.year - rng.randint(3, 20)),
            )
        )
        statements.append(Fact(name, relation.noun, old, former=True))
    return [capital(line) for line in lines], statements


def _assembled(
    world: World,
    setting: QuadSetting,
    defect: Defect,
    entries: list[_Entry],
    body: list[list[str]],
    former: list[str],
    rng: Random,
) -> str:
    document = world.document
    document_form = form(world.document.form)
    layout = document_form.layouts.get(setting.layout)
    dated = bool(defect.lasting) or rng.random() < 0.4
    title = rng.choice(document.titles) + (f", {world.year}" if dated else "")
    if defect.group in ("values", "parts") and rng.random() < 0.5:
        nouns = dict.fromkeys(noun for entry in entries for noun in entry.phrases)
        title += f"\n{capital(', '.join(nouns))}"
    general = rng.sample(document.general, rng.randint(1, 2))
    if defect.name == "ungraded":
        general.append(rng.choice(templates().phrases["views"]))
    index: list[list[str]] = []
    if entries[0].handle:
        index = [_index(document, document_form, setting, entries, rng)]
    parts = [*index, *body] if rng.random() < 0.5 else [*body, *index]
    parts.insert(rng.choice((0, len(parts))), [" ".join(general)])
    if former:
        parts.insert(rng.choice((1, len(parts))), [" ".join(former)])
    people = {"a": rng.choice(names().addressed), "p": rng.choice(names().people)}
    opening = [[fill(line, **people)] for line in layout.opening] if layout else []
    closing = [fill(line, **people) for line in layout.closing] if layout else []
    top: list[str] = []
    if not opening:
        top = [title]
    elif dated:
        top = [f"{rng.choice(MONTHS)} {world.year}"]
    sections = [*opening, *parts]
    if top:
        sections.insert(0, top)
    if closing:
        sections.append(closing)
    return "\n\n".join("\n".join(section) for section in sections)


def _index(
    document: Document,
    document_form: DocumentForm,
    setting: QuadSetting,
    entries: list[_Entry],
    rng: Random,
) -> list[str]:
    """Return the section that says which entry is of which name."""
    layouts = document_form.layouts
    layout = layouts.get(setting.layout) or next(iter(layouts.values()))
    head, line = rng.choice(layout.index)
    if "{H}" in line:
        by_label = sorted(entries, key=lambda entry: entry.label)
        each = [f"{entry.handle} for {entry.label}" for entry in by_label]
        return [fill(line, H=f"{', '.join(each[:-1])} and {each[-1]}")]
    by_handle = line.startswith(("{h}", "Item"))
    ordered = entries if by_handle else sorted(entries, key=lambda entry: entry.label)
    lines = [fill(line, h=entry.handle, x=entry.label) for entry in ordered]
    return [fill(head, things=document.things, Things=capital(document.things)), *lines]


def capital(text: str) -> str:
    """Return a text whose first letter is a capital."""
    return text[:1].upper() + text[1:]


def small(text: str) -> str:
    """Return a text whose first letter is small."""
    return text[:1].lower() + text[1:]
