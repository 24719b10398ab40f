"""A passage: a document of one kind, set in one layout, that states
parts of a world.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from refusalbench_tasks.worlds.defects import Defect
from refusalbench_tasks.worlds.document import (
    HANDLE_NAMES,
    Document,
    DocumentForm,
    Relation,
    form,
    names,
    templates,
)
from refusalbench_tasks.worlds.entries import (
    Content,
    Entry,
    QuadSetting,
    draw_entries,
    number_entries,
)
from refusalbench_tasks.worlds.rendering import KINDS, Phrase, Style, fill_slots
from refusalbench_tasks.worlds.statement import Fact, Named, Statement
from refusalbench_tasks.worlds.values import MONTHS
from refusalbench_tasks.worlds.world import World

TWICE = ("clash", "rival")
"""Defects of documents that state everything twice."""
_SILENT = Phrase("")
"""What an entry says of a relation that it does not speak of."""


@dataclass(frozen=True)
class Passage:
    """A text, what it states, and by name the lines that tell of it."""

    text: str
    statements: tuple[Statement, ...]
    lines: Mapping[str, tuple[str, ...]]


def make_passage(
    world: World,
    defect: Defect,
    setting: QuadSetting,
    content: Content,
    stale: Sequence[tuple[str, Relation]],
    key: str,
) -> Passage:
    """Return the passage that states `content` of a world, and old values of `stale`;
    the same key makes the same choices for other content.
    """
    rng = Random(key)
    shown: set[str] = set()
    for matters in content.values():
        shown.update(relation.noun for relation, _ in matters)
    pick = {kind: rng.randrange(60) for kind in KINDS}
    pick |= {"senses": setting.senses, "grades": setting.grades}
    style = Style(
        world,
        defect,
        frozenset(shown),
        setting.year,
        pick,
    )
    entries = draw_entries(
        style,
        setting,
        content,
        rng,
    )
    if setting.handles:
        number_entries(world, entries, rng)
    draft = _Draft(
        world.document,
        defect,
        setting,
        entries,
        world.year,
        rng,
    )
    body = draft.body()
    sentences, old_facts = _stale_values(
        world,
        defect,
        stale,
        rng,
    )
    statements: list[Statement] = [Named(entry.name, entry.label) for entry in entries]
    for entry in entries:
        for phrase in entry.phrases.values():
            statements += phrase.statements
    text = draft.text(body, sentences)
    return Passage(
        text,
        (*statements, *old_facts),
        _evidence(body, entries),
    )


def _stale_values(
    world: World,
    defect: Defect,
    stale: Sequence[tuple[str, Relation]],
    rng: Random,
) -> tuple[list[str], list[Fact]]:
    """Return sentences about values that hold no more, and what they state."""
    document = world.document
    sentences = []
    facts = []
    for name, relation in stale:
        world.value(
            name,
            defect.group,
            relation,
        )
        old = world.another(rng, name, relation)
        template = rng.choice(document.stale)
        at = fill_slots(document.at, x=name)
        year = world.year - rng.randint(3, 20)
        sentence = fill_slots(
            template,
            x=name,
            at=at,
            r=relation.noun,
            v=old,
            y=year,
        )
        sentences.append(capital(sentence))
        fact = Fact(
            name,
            relation.noun,
            old,
            former=True,
        )
        facts.append(fact)
    return sentences, facts


def _evidence(
    body: Sequence[Sequence[str]],
    entries: Sequence[Entry],
) -> dict[str, tuple[str, ...]]:
    """Return by name the lines that begin with, or speak of, its entries."""
    by_name: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        about_entry = []
        for section in body:
            for line in section:
                if line.startswith(f"{entry.key} |") or _holds_all(line, entry.texts):
                    about_entry.append(line)
        earlier = by_name.get(entry.name, ())
        by_name[entry.name] = (*earlier, *about_entry)
    return by_name


def _holds_all(
    line: str,
    texts: Sequence[str],
) -> bool:
    """Return whether a line has each text, within a sentence or at its beginning."""
    return all(small(text) in small(line) or capital(text) in line for text in texts)


@dataclass(frozen=True)
class _Draft:
    """A passage while it is set: its entries, and what its choices are drawn with."""

    document: Document
    defect: Defect
    setting: QuadSetting
    entries: list[Entry]
    year: int
    rng: Random

    @property
    def form(self) -> DocumentForm:
        return form(self.document.form)

    def body(self) -> list[list[str]]:
        """Return the sections that hold the entries, each a list of lines."""
        if self.setting.layout == "table":
            sections = [self.table(self.entries)]
        else:
            sections = [self.prose()]
        if self.defect.name in TWICE:
            ordered = sorted(self.entries, key=lambda entry: entry.key)
            heading = self.rng.choice(self.form.second)
            sections.append([heading, *self.table(ordered, second=True)])
        return sections

    def prose(self) -> list[str]:
        layout = self.form.layouts[self.setting.layout]
        days = sorted(self.rng.sample(range(250), len(self.entries)))
        lines = []
        for entry, day in zip(self.entries, days, strict=True):
            leads = [entry.lead] if entry.lead else []
            text = self.form.join.join([*leads, *entry.texts])
            template = layout.entry if entry.handle else layout.named
            line = fill_slots(
                template,
                b=capital(text),
                l=small(text),
                x=entry.label,
                h=entry.handle,
                d=f"{day % 28 + 1} {MONTHS[day // 28]}",
            )
            lines.append(line if template.startswith("{h}") else capital(line))
        return lines

    def table(
        self,
        entries: Sequence[Entry],
        second: bool = False,
    ) -> list[str]:
        nouns = _nouns(entries)
        first = HANDLE_NAMES[self.form.handle] if entries[0].handle else "Name"
        lines = [" | ".join([first, *map(capital, nouns)])]
        for entry in entries:
            phrases = [entry.phrases.get(noun, _SILENT) for noun in nouns]
            cells = [phrase.second if second else phrase.cell for phrase in phrases]
            lines.append(" | ".join([entry.key, *cells]))
        return lines

    def text(
        self,
        body: list[list[str]],
        stale: list[str],
    ) -> str:
        """Return the whole, with the sections of the body and sentences about old
        values.
        """
        rng = self.rng
        is_dated = bool(self.defect.lasting) or rng.random() < 0.4
        title = self.title(is_dated)
        general = self.general()
        index = [self.index()] if self.entries[0].handle else []
        parts = [*index, *body]
        if rng.random() >= 0.5:
            parts = [*body, *index]
        parts.insert(rng.choice((0, len(parts))), [general])
        if stale:
            parts.insert(rng.choice((1, len(parts))), [" ".join(stale)])
        opening, closing = self.letter_ends()
        sections: list[list[str]] = []
        if not opening:
            sections.append([title])
        elif is_dated:
            sections.append([f"{rng.choice(MONTHS)} {self.year}"])
        sections += [[line] for line in opening]
        sections += parts
        if closing:
            sections.append(closing)
        return "\n\n".join("\n".join(section) for section in sections)

    def title(self, is_dated: bool) -> str:
        title = self.rng.choice(self.document.titles)
        if is_dated:
            title += f", {self.year}"
        if self.defect.group in ("values", "parts") and self.rng.random() < 0.5:
            title += f"\n{capital(', '.join(_nouns(self.entries)))}"
        return title

    def general(self) -> str:
        """Return sentences that state nothing of a thing."""
        rng = self.rng
        sentences = rng.sample(self.document.general, rng.randint(1, 2))
        if self.defect.name == "ungraded":
            sentences.append(rng.choice(templates().phrases["views"]))
        return " ".join(sentences)

    def index(self) -> list[str]:
        """Return the section that says which entry is of which name."""
        layouts = self.form.layouts
        layout = layouts.get(self.setting.layout) or next(iter(layouts.values()))
        heading, template = self.rng.choice(layout.index)
        entries = self.entries
        if not template.startswith(("{h}", "Item")):
            entries = sorted(entries, key=lambda entry: entry.label)
        if "{H}" in template:
            *others, last = (f"{entry.handle} for {entry.label}" for entry in entries)
            return [fill_slots(template, H=f"{', '.join(others)} and {last}")]
        things = self.document.things
        lines = [
            fill_slots(
                heading,
                things=things,
                Things=capital(things),
            )
        ]
        for entry in entries:
            line = fill_slots(
                template,
                h=entry.handle,
                x=entry.label,
            )
            lines.append(line)
        return lines

    def letter_ends(self) -> tuple[list[str], list[str]]:
        """Return the first and the last lines of a letter; none of another layout."""
        addressed = self.rng.choice(names().addressed)
        writer = self.rng.choice(names().people)
        layout = self.form.layouts.get(self.setting.layout)
        if layout is None:
            return [], []
        opening = [fill_slots(line, a=addressed) for line in layout.opening]
        closing = [fill_slots(line, p=writer) for line in layout.closing]
        return opening, closing


def _nouns(entries: Sequence[Entry]) -> list[str]:
    """Return the nouns of the relations that entries speak of, in their order."""
    nouns: dict[str, None] = {}
    for entry in entries:
        nouns |= dict.fromkeys(entry.phrases)
    return list(nouns)


def capital(text: str) -> str:
    """Return a text whose first letter is a capital."""
    return text[:1].upper() + text[1:]


def small(text: str) -> str:
    """Return a text whose first letter is small."""
    return text[:1].lower() + text[1:]
