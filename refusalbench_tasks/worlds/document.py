"""Kinds of documents, as their YAML files describe them: what they are about, in which
words, in which layouts.
"""

from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.worlds.values import ValueType

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
Handle = Literal["clause", "model", "number", "item", "letter", "code"]
HANDLE_NAMES = {
    "clause": "Clause",
    "model": "Type",
    "number": "No.",
    "item": "Item",
    "letter": "Note",
    "code": "Code",
}


class FileEntry(BaseModel):
    """An entry of one of the package's YAML files."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Relation(FileEntry):
    """What can be stated of a thing, and between which numbers its values lie (of times
    hours, of dates days).
    """

    noun: str
    type: ValueType
    unit: str = ""
    low: float
    high: float
    step: float = 1
    ask: str = ""
    has: str = ""
    none: str = ""
    """The question, the value and the denial of a part; else empty."""


class NounGroup(FileEntry):
    """Relations that differ in their nouns alone."""

    ask: tuple[str, ...]
    nouns: tuple[str, ...]
    type: Literal["count", "time", "year"]
    low: float
    high: float

    def relations(self) -> tuple[Relation, ...]:
        """Return a relation for each noun."""
        relation = Relation(
            noun="",
            type=self.type,
            low=self.low,
            high=self.high,
        )
        return tuple(relation.model_copy(update={"noun": noun}) for noun in self.nouns)


class Figures(NounGroup):
    """Averages over the whole, in place of which a single count may be stated."""

    type: Literal["count"] = "count"
    whole: tuple[str, ...]
    spot: tuple[str, ...]


class Uses(NounGroup):
    """What happens or is allowed until or in some time, or does not happen at all."""

    yes: tuple[str, ...]
    no: tuple[str, ...]
    lever: str
    """The published lever that a denied use stands for."""


class Event(FileEntry):
    """What happened to a thing in some year: the year's noun phrase, and the question
    for it.
    """

    noun: str
    ask: str


class Layout(FileEntry):
    """How a document is set: {h} a handle, {x} a name, {b} and {l} what an entry
    states, {d} a date, {H} handles.
    """

    entry: str
    named: str
    index: tuple[tuple[str, str], ...]
    opening: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()


class DocumentForm(FileEntry):
    """One of the six forms: what its handles are, what ties phrases together, its
    layouts.
    """

    handle: Handle
    second: tuple[str, ...]
    join: str
    layouts: dict[str, Layout]


class Document(FileEntry):
    """One kind of document; the slots of its templates are explained in
    `documents/halls.yaml`.
    """

    name: str
    form: str
    things: str
    at: str
    titles: tuple[str, ...]
    leads: tuple[str, ...]
    general: tuple[str, ...]
    ask: tuple[str, ...]
    say: tuple[str, ...]
    values: tuple[Relation, ...]
    missing: tuple[str, ...]
    """What is said of a value that is not given."""
    order: tuple[tuple[str, str], ...]
    """Relations of which the first is always less than the second."""
    alone: str
    """What makes the question ({q}), or the relation in it ({r}), ask for nothing but
    its own exact value.
    """
    together: tuple[str, ...]
    senses: tuple[tuple[str, str], ...]
    twins: tuple[tuple[str, str], ...]
    recorded: tuple[str, ...]
    grades: tuple[tuple[str, str], ...]
    lasting: Literal["never", "some years", "for ever"]
    """For how long its values may be fixed."""
    stale: tuple[str, ...]
    figures: Figures | None = None
    """Where documents of this kind give statistics."""
    uses: Uses
    parts: tuple[Relation, ...]
    events: tuple[Event, ...]

    def relations(
        self,
        group: Group,
    ) -> tuple[Relation, ...]:
        """Return the relations of a group."""
        if group == "values":
            return self.values
        if group == "parts":
            return self.parts
        if group == "uses":
            return self.uses.relations()
        return self.figures.relations() if self.figures else ()


class Templates(FileEntry):
    """What operators add, in every form: phrases, cells of tables, questions."""

    phrases: dict[str, tuple[str, ...]]
    cells: dict[str, tuple[str, ...]]
    questions: dict[str, tuple[str, ...]]


class Names(FileEntry):
    """Parts of invented names."""

    first: tuple[str, ...]
    last: tuple[str, ...]
    letters: tuple[str, ...]
    people: tuple[str, ...]
    addressed: tuple[str, ...]


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
) -> tuple[Relation, ...]:
    """Return the relations of a group of a kind of document, built once."""
    return document(name).relations(group)


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


def known_domains(domains: tuple[str, ...]) -> tuple[str, ...]:
    """Return the domains in their order, all documents for ().

    Raises DataError for an unknown one.
    """
    unknown = [name for name in domains if name not in DOMAINS]
    if unknown:
        raise DataError(
            f"domains: unknown '{', '.join(unknown)}'; known: {', '.join(DOMAINS)}"
        )
    return tuple(name for name in DOMAINS if name in domains) or DOCUMENTS
