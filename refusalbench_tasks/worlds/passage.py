"""A passage: a document of one kind, set in one layout, that states
parts of a world.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from .document import (
    HANDLE_NAMES,
    Document,
    DocumentForm,
    Relation,
    form,
    headings,
    names,
)
from .entries import (
    Content,
    Entry,
    QuadSetting,
    draw_entries,
    number_entries,
)
from .rendering import Phrase, Style, fill_slots
from .statement import Fact, Named, Statement
from .values import MONTHS
from .world import World, shuffled

Lines = list[str]
_SILENT = Phrase("")
"""What an entry says of a relation that it does not speak of."""


@dataclass(frozen=True)
class Passage:
    """A text, what it states, and by name the lines that tell of it."""

    text: str
    statements: Sequence[Statement]
    lines: Mapping[str, tuple[str, ...]]


def make_passage(
    world: World,
    setting: QuadSetting,
    content: Content,
    stale: Sequence[tuple[str, Relation]],
    key: str,
) -> Passage:
    """Return the passage that states `content` of a world, and old values of `stale`;
    the same key makes the same choices for content in other states.
    """
    rng = Random(key)
    shown: set[str] = set()
    for matters in content.values():
        shown.update(relation.noun for relation, _ in matters)
    style = Style(
        world,
        frozenset(shown),
        setting.year,
        setting.dress,
        setting.verdicts,
        rng.randrange(2),
    )
    entries = draw_entries(style, content, rng)
    if setting.handles:
        number_entries(world, entries, rng)
    old_facts = _add_old_values(
        world,
        entries,
        stale,
        rng,
    )
    statements: list[Statement] = [Named(entry.name, entry.name) for entry in entries]
    again = shuffled(rng, form(world.document.form).again)
    notes: Lines = []
    for entry in entries:
        for phrase in entry.phrases.values():
            statements += phrase.statements
            if phrase.again:
                template = again[len(notes) % len(again)]
                notes.append(fill_slots(template, x=entry.name, p=phrase.again))
    draft = _Draft(
        world.document,
        setting,
        entries,
        world.year,
        rng,
    )
    body = draft.body()
    text = draft.text(body, notes)
    return Passage(
        text,
        [*statements, *old_facts],
        _evidence([*body, *notes], entries),
    )


def _add_old_values(
    world: World,
    entries: Sequence[Entry],
    stale: Sequence[tuple[str, Relation]],
    rng: Random,
) -> list[Fact]:
    """Add to entries values that hold no more, and return what these state."""
    phrases = {entry.name: entry.phrases for entry in entries}
    facts = []
    for name, relation in stale:
        old = world.former(name, relation)
        year = world.year - rng.randint(3, 20)
        aside = fill_slots(rng.choice(world.document.stale), v=old, y=year)
        phrase = phrases[name][relation.noun]
        phrases[name][relation.noun] = replace(
            phrase,
            text=f"{phrase.text} ({aside})",
            cell=f"{phrase.cell} ({aside})",
        )
        facts.append(
            Fact(
                name,
                relation.noun,
                old,
                former=True,
            )
        )
    return facts


def _evidence(
    lines: Sequence[str],
    entries: Sequence[Entry],
) -> dict[str, tuple[str, ...]]:
    """Return by name the lines that have its entry, or name it."""
    by_name = {}
    for entry in entries:
        start = f"{entry.key} |"
        text = entry.text()
        about_entry = []
        for line in lines:
            is_entry = text in line or small(text) in line or line.startswith(start)
            if is_entry or entry.name in line:
                about_entry.append(line)
        by_name[entry.name] = tuple(about_entry)
    return by_name


@dataclass
class _Draft:
    """A passage while it is set: its entries, and what its choices are drawn with."""

    document: Document
    setting: QuadSetting
    entries: list[Entry]
    year: int
    rng: Random

    @property
    def form(self) -> DocumentForm:
        return form(self.document.form)

    def body(self) -> Lines:
        """Return the lines that hold the entries."""
        if self.setting.layout == "table":
            return self.table()
        if self.setting.layout == "faq":
            return self.questions()
        return self.prose()

    def prose(self) -> Lines:
        layout = self.form.layouts[self.setting.layout]
        days = sorted(self.rng.sample(range(250), len(self.entries)))
        lines = []
        for entry, day in zip(self.entries, days, strict=True):
            template = layout.entry if entry.handle else layout.named
            line = fill_slots(
                template,
                b=entry.text(),
                l=small(entry.text()),
                x=entry.name,
                h=entry.handle,
                d=f"{day % 28 + 1} {MONTHS[day // 28]}",
            )
            lines.append(line if template.startswith("{h}") else capital(line))
        return lines

    def questions(self) -> Lines:
        """Return a question for each relation, with what each entry says of it."""
        named = self.form.layouts["faq"].named
        asked = headings(self.document.name)
        lines = []
        for noun in _nouns(self.entries):
            answers = []
            for entry in self.entries:
                if noun in entry.phrases:
                    text = small(entry.phrases[noun].cell)
                    answers.append(fill_slots(named, x=entry.name, l=text))
            question, _ = asked[noun]
            lines.append(f"Q. {capital(fill_slots(question, r=noun))}")
            lines.append(f"A. {capital('; '.join(answers))}.")
        return lines

    def table(self) -> Lines:
        nouns = _nouns(self.entries)
        has_handles = bool(self.entries[0].handle)
        first = HANDLE_NAMES[self.form.handle] if has_handles else "Name"
        row = [first]
        for noun in nouns:
            _, head = headings(self.document.name)[noun]
            row.append(capital(fill_slots(head, r=noun)))
        lines = [" | ".join(row)]
        for entry in self.entries:
            cells = [entry.phrases.get(noun, _SILENT).cell for noun in nouns]
            lines.append(" | ".join([entry.key, *cells]))
        return lines

    def text(self, body: Lines, asides: Lines) -> str:
        """Return the whole, with the lines of the body and sentences from elsewhere."""
        rng = self.rng
        opening, closing = self.letter_ends()
        title = f"{rng.choice(self.document.titles)}, {self.year}"
        general = self.general()
        parts = [body]
        index = self.index() if self.entries[0].handle else []
        if index:
            parts.insert(rng.randrange(2), index)
        parts.insert(rng.choice((0, len(parts))), [general])
        if asides:
            rng.shuffle(asides)
            parts.insert(rng.choice((1, len(parts))), [" ".join(asides)])
        if opening:
            title = f"{rng.choice(MONTHS)} {self.year}"
        sections = [[title], *([line] for line in opening), *parts]
        if closing:
            sections.append(closing)
        return "\n\n".join("\n".join(section) for section in sections)

    def general(self) -> str:
        """Return sentences that state nothing of a thing."""
        rng = self.rng
        return " ".join(rng.sample(self.document.general, rng.randint(1, 2)))

    def index(self) -> Lines:
        """Return the section that says which entry is of which name."""
        layouts = self.form.layouts
        layout = layouts.get(self.setting.layout) or next(iter(layouts.values()))
        heading, template = self.rng.choice(layout.index)
        entries = self.entries
        if not template.startswith(("{h}", "Item")):
            entries = sorted(entries, key=lambda entry: entry.name)
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
                x=entry.name,
            )
            lines.append(line)
        return lines

    def letter_ends(self) -> tuple[Lines, Lines]:
        """Return the first and the last lines of a letter; none of another layout."""
        addressed = self.rng.choice(names().addressed)
        writer = self.rng.choice(names().people)
        layout = self.form.layouts.get(self.setting.layout)
        if layout is None:
            return [], []
        opening = [fill_slots(line, a=addressed) for line in layout.opening]
        closing = [fill_slots(line, p=writer) for line in layout.closing]
        return opening, closing


def _nouns(entries: Sequence[Entry]) -> Lines:
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
