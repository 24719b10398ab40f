"""Kinds of documents, as their YAML files describe them: what they are about, in which
words, in which layouts.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml
from pydantic import BaseModel

from refusalbench_tasks.errors import DataError

from .values import ValueType

DOCUMENTS = (
    "halls",
    "campsites",
    "machines",
    "stoves",
    "bridges",
    "exhibits",
    "allotments",
    "works",
    "ferries",
    "buses",
    "nursery",
    "repairs",
)
"""The kinds of documents, two of each form; each is a domain of rows."""
OPINIONS = "opinions"
"""The domain of rows whose question alone tells that there is no answer."""
DOMAINS = (*DOCUMENTS, OPINIONS)
Group = Literal["values", "figures", "uses", "parts"]
GROUPS: tuple[Group, ...] = ("values", "figures", "uses", "parts")
Handle = Literal["clause", "model", "number", "item", "letter", "code"]
BORNE = ("model", "number", "code")
"""Handles that things bear themselves, in whatever document."""
HANDLE_NAMES = {
    "clause": "Clause",
    "model": "Type",
    "number": "No.",
    "item": "Item",
    "letter": "Note",
    "code": "Code",
}


class FileEntry(BaseModel, frozen=True, extra="forbid"):
    """An entry of one of the package's YAML files."""


Phrases = list[str]
"""Wordings of one thing, of which a document has one."""
Pair = tuple[str, str]
Pairs = list[Pair]


class Relation(FileEntry):
    """What can be stated of a thing, and between which numbers its values lie (of times
    hours, of dates days).
    """

    noun: str
    type: ValueType
    group: Group = "values"
    unit: str = ""
    low: float
    high: float
    step: float = 1
    ask: str = ""
    has: str = ""
    """The question for a part, and what stands behind its noun; else empty."""
    kinds: Pair = ("", "")
    """What tells two of a part apart."""
    none: str = ""
    """What says that there is no such part, if it is not what is said of others."""


class NounGroup(FileEntry):
    """Relations that differ in their nouns alone."""

    nouns: list[str]
    type: Literal["count", "time", "year"]
    low: float
    high: float
    step: float = 1
    lever: str = ""
    """The published lever that a denied one stands for."""

    def relations(self, group: Group) -> list[Relation]:
        """Return a relation for each noun."""
        relation = Relation(
            noun="",
            type=self.type,
            group=group,
            low=self.low,
            high=self.high,
            step=self.step,
        )
        return [relation.model_copy(update={"noun": noun}) for noun in self.nouns]


class Wording(FileEntry):
    """How relations of a group are asked for, stated, and left without an answer."""

    question: Phrases = []
    faq: str = ""
    """The question of a document that is a list of questions."""
    say: Phrases = []
    missing: Phrases
    recorded: Phrases
    coarse: Phrases = ["{p}"]
    """A sum, a month or a range; {p} is the sentence with a range as its value."""
    spot: Phrases = []
    """A single count, in place of which an average is asked for."""
    vague: Pair = ("", "")
    """A sentence and a cell with a part of the day, or a century, {d}."""
    denied: Phrases = []
    absent: str = "no {r}"
    """The cell of what does not exist, never happened or is not allowed."""
    head: str = "{r}"
    cell: str = "{v}"
    """The head of a table's column, and its cells."""
    senses: Pairs = []
    """Conditions of two values, that of the lesser one first."""
    split: str = ""


class Verdicts(FileEntry):
    """Pairs of judgements by the intensity of rows that ask for them, where documents
    of a kind have them.
    """

    by: str
    users: str
    """Who judges, and who differ."""
    MEDIUM: Pair
    HIGH: Pair | None = None


class Event(FileEntry):
    """What happened to a thing in some year: the year's noun phrase, and the question
    for it.
    """

    noun: str
    ask: str


class Layout(FileEntry):
    """How a document is set: {h} a handle, {x} a name, {b} and {l} what an entry
    states, {d} a date.
    """

    entry: str = ""
    named: str
    index: Pairs = []
    """Ways to set entries with handles and the index of these; none in a letter."""
    opening: Phrases = []
    closing: Phrases = []


class DocumentForm(FileEntry):
    """One of the six forms: its handles, how it repeats itself, its layouts."""

    handle: Handle
    tables: int = 2
    """How often a document is a table, beside one of each of its layouts."""
    again: Phrases
    """How something is stated a second time, in a sentence at another point."""
    layouts: dict[str, Layout]

    def has_index(self, layout: str) -> bool:
        """Return whether entries may have handles in a layout."""
        if layout == "table":
            return self.handle in BORNE
        return bool(self.layouts[layout].index)


class Document(FileEntry):
    """One kind of document; the slots of its templates are explained in
    `documents/halls.yaml`.
    """

    name: str
    form: str
    things: str
    names: Literal["places", "products", "plants"]
    at: str
    titles: Phrases
    remarks: Phrases
    """What is said of a thing and asked by nobody."""
    general: Phrases
    gap: str
    tape: str
    """Cells of a table: a value that is not given, and one that is recorded."""
    ask: str
    values: list[Relation]
    order: Pairs
    """Relations of which the first is always less than the second."""
    uses: NounGroup
    """What happens or is allowed until or in some time, or does not happen at all."""
    parts: list[Relation]
    figures: NounGroup | None = None
    """Averages, where documents of this kind give statistics."""
    words: dict[Group, Wording]
    twins: Pairs
    lasting: bool
    """Whether its values may be fixed for years."""
    verdicts: Verdicts
    stale: Phrases
    """What an old value has behind it, in brackets."""
    events: list[Event]

    def relations(
        self,
        group: Group,
    ) -> list[Relation]:
        """Return the relations of a group."""
        if group == "values":
            return self.values
        if group == "parts":
            parts = self.parts
            return [part.model_copy(update={"group": group}) for part in parts]
        nouns = self.uses if group == "uses" else self.figures
        return nouns.relations(group) if nouns else []


class Templates(FileEntry):
    """What operators add, in every form: phrases, cells of tables, questions."""

    phrases: dict[str, Phrases]
    questions: dict[str, Phrases]


NameParts = tuple[Phrases, Phrases]
"""Beginnings and ends of invented names."""


class Names(FileEntry):
    """Parts of invented names."""

    first: list[str]
    last: list[str]
    products: NameParts
    plants: NameParts
    letters: list[str]
    people: list[str]
    addressed: list[str]

    def of(self, kind: Document) -> NameParts:
        """Return the parts of the names of a kind of document's things."""
        if kind.names == "places":
            return self.first, self.last
        return self.products if kind.names == "products" else self.plants


def read_yaml(name: str) -> Any:
    """Return the content of one of the package's YAML files."""
    folder = files("refusalbench_tasks.worlds") / "documents"
    text = (folder / f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, yaml.CSafeLoader)


@cache
def document(name: str) -> Document:
    """Return a kind of document."""
    return Document.model_validate({"name": name, **read_yaml(name)})


@cache
def relations(
    name: str,
    group: Group,
) -> list[Relation]:
    """Return the relations of a group of a kind of document, built once."""
    return document(name).relations(group)


@cache
def headings(name: str) -> dict[str, Pair]:
    """Return by noun how a list of questions asks for a relation, and the head of its
    column in a table, of a kind of document.
    """
    by_noun = {}
    for group, words in document(name).words.items():
        for relation in relations(name, group):
            part = relation.ask.replace(" {at}", "").removeprefix("Exactly ")
            by_noun[relation.noun] = (part or words.faq, words.head)
    return by_noun


@cache
def form(name: str) -> DocumentForm:
    """Return one of the six forms."""
    return DocumentForm.model_validate(read_yaml("forms")[name])


@cache
def templates() -> Templates:
    """Return what operators add to documents of every form."""
    content = read_yaml("forms")
    texts = {name: content[name] for name in Templates.model_fields}
    return Templates.model_validate(texts)


@cache
def names() -> Names:
    """Return the parts of invented names."""
    return Names.model_validate(read_yaml("names"))


def known_domains(
    domains: Sequence[str], known: tuple[str, ...] = DOMAINS
) -> tuple[str, ...]:
    """Return those of the `known` domains in their order, all documents for ().

    Raises DataError for an unknown one.
    """
    unknown = [name for name in domains if name not in known]
    if unknown:
        raise DataError(
            f"domains: unknown '{', '.join(unknown)}'; known: {', '.join(known)}"
        )
    return tuple(name for name in known if name in domains) or DOCUMENTS
