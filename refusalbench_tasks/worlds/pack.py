"""Domain packs: the kinds of things of a domain, what can be said of them, and in which words."""

from functools import cache
from importlib.resources import files
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.worlds.solve import Ontology
from refusalbench_tasks.worlds.template import variants
from refusalbench_tasks.worlds.values import NUMERIC, ValueType

EVERYDAY = (
    "clinics",
    "manuals",
    "policies",
    "museums",
    "city",
    "clubs",
    "transport",
    "labs",
    "contracts",
    "schools",
    "shops",
    "software",
)
"""The domains of everyday documents, which most levers can be asked in."""
TOPICS = ("scales", "chronicles", "inns")
"""Domains for levers that no everyday one can hold: far scales, what people did, and judgements."""
DOMAINS = EVERYDAY + TOPICS
"""All domains, in the order in which items take them."""

TAGS = {
    "never_started": "of a year: an activity that may never have happened, with sentences that deny it",
    "product": "of a year: something was brought out that may never have come out, with sentences that deny it",
    "second": "of a year: a second edition, team or branch, where there may be only one, with sentences that say so",
    "event": "of a year: a fire, flood or strike that may never have been, with sentences that deny it",
    "office": "of a year: the end of somebody's office, who may still hold it, with sentences that say so",
    "feature": "of a measure: the size of a part that may not exist, with sentences that deny it",
    "cause": "of a kind: why something was done",
    "method": "of a kind: how something is done",
    "outcome": "of a kind: what came of a process",
    "colour": "of a kind: a colour",
    "rule": "of a flag: allowed or forbidden",
    "safety": "of a flag: safe or not",
    "state": "of a flag: open or closed, on or off, in force or not",
    "price": "of money: what somebody pays for something",
    "rating": "of a count: points on a scale that the sentences name",
}
"""The tags of relations of the domains, and what they say."""
DENIABLE = frozenset({"never_started", "product", "second", "event", "office", "feature"})
"""The tags of relations whose event or thing may be denied."""


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class KindOfThing(_Entry):
    """A kind of things: its nouns, how its members are named, and the kind of the wholes that they are parts of."""

    noun: str
    plural: str
    names: tuple[str, ...] = Field(min_length=2)
    """Patterns with `{n}`, an invented word."""
    pronoun: str = "It"
    """How a sentence may begin whose subject was just named; empty for persons."""
    whole: str = ""
    """The kind that things of this kind are parts of; empty for a kind of wholes."""


class OtherLevel(_Entry):
    """The same matter at a scale from which the asked one cannot be had: sentences, and their range of values.

    Slots of `says`: `{S}` the thing, `{V}` the value, `{P}` an invented word, `{at}` a date. `by` is what the figure
    belongs to: a `part` of the thing; the `whole` thing, where `asked` names what is asked of it (`one molecule of`);
    or a `time` that lies within the period `asked`, at one of the dates `at`.
    """

    by: Literal["part", "whole", "time"]
    says: tuple[str, ...] = Field(min_length=4)
    type: ValueType
    low: int = 0
    high: int = 0
    step: int = 1
    unit: str = ""
    options: tuple[str, ...] = ()
    asked: str = ""
    at: tuple[str, ...] = ()


class Relation(_Entry):
    """One relation of a kind of things to a value, and the sentences that state it, ask for it or deny it.

    Slots: `{S}` the subject, `{V}` the value; each of the alternatives `(this|that)` makes a sentence of its own. Those
    of a flag have no `{V}`: `states` say that it is true, `denies` that it is false. Of other relations `denies` say
    that the event never was or that the thing does not exist.
    """

    name: str
    subject: str
    type: ValueType
    attribute: tuple[str, ...] = Field(min_length=2)
    """Noun phrases without article for the value: `year of opening`, `opening year`."""
    states: tuple[str, ...]
    asks: tuple[str, ...]
    denies: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()
    """Sentences that the event or thing was, without the value: undated, or without the agent."""
    inverse: tuple[str, ...] = ()
    """Noun phrases that describe the subject by its value: `the clinic headed by {V}`."""
    low: int = 0
    high: int = 0
    step: int = 1
    unit: str = ""
    small_unit: str = ""
    """Another unit, for conversions, with `ratio` of them in one `unit`."""
    ratio: int = 0
    options: tuple[str, ...] = ()
    """The words that values of type `kind` and members of `names` are taken from."""
    many: bool = False
    before: str = ""
    """A relation of the same subject that is never earlier."""
    other_level: OtherLevel | None = None
    """Of the topic of scales: how the matter stands at a far scale."""
    summed: bool = False
    """Whether the values of all parts of a whole can be added up."""
    tags: frozenset[str] = frozenset()
    """What levers may need to know, as `TAGS` tells; packs of `TOPICS` have their own."""

    @field_validator("states", "asks", "denies", "bare", "inverse")
    @classmethod
    def _each_way(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one for pattern in patterns for one in variants(pattern))

    def __hash__(self) -> int:
        # the one that is made from the fields takes longer than what is cached by it
        return hash((self.subject, self.name))

    @model_validator(mode="after")
    def _has_what_its_type_needs(self) -> "Relation":
        if self.type in NUMERIC | {"time", "date"} and self.low >= self.high:
            raise ValueError(f"{self.name}: low must lie under high")
        if self.type in ("kind", "names") and len(self.options) < 6:
            raise ValueError(f"{self.name}: at least six options")
        if self.type == "flag" and not self.denies:
            raise ValueError(f"{self.name}: a flag needs sentences that deny it")
        frames = [*self.states, *self.asks, *self.denies, *self.bare]
        if any("{S}" not in frame for frame in frames):
            raise ValueError(f"{self.name}: every sentence needs the slot {{S}}")
        if self.type != "flag" and any("{V}" not in frame for frame in [*self.states, *self.inverse]):
            raise ValueError(f"{self.name}: every sentence that states a value needs the slot {{V}}")
        return self


class Pack(_Entry):
    """One domain."""

    domain: str
    about: str
    kinds: dict[str, KindOfThing]
    relations: tuple[Relation, ...]
    idle: tuple[str, ...]
    """Sentences that state nothing of anything that can be asked."""
    sources: tuple[tuple[str, int], ...]
    """Who may be quoted, with the rank of his authority: 2 official, 1 ordinary, 0 hearsay."""

    @model_validator(mode="after")
    def _names_exist(self) -> "Pack":
        for relation in self.relations:
            if relation.subject not in self.kinds:
                raise ValueError(f"{relation.name}: unknown kind {relation.subject}")
        return self

    def relation(self, name: str) -> Relation:
        """Return a relation by name. Raises KeyError if there is none."""
        return {one.name: one for one in self.relations}[name]

    @property
    def ontology(self) -> Ontology:
        """Return what everyone knows about the kinds of this domain."""
        return _ontology(self)


@cache
def pack(domain: str) -> Pack:
    """Return the pack of a domain. Raises DataError if there is none."""
    if domain not in DOMAINS:
        raise DataError(f"domains: unknown '{domain}'; known: {', '.join(DOMAINS)}")
    text = (files("refusalbench_tasks.worlds") / "packs" / f"{domain}.yaml").read_text(encoding="utf-8")
    return Pack.model_validate(yaml.load(text, yaml.CSafeLoader))


def _ontology(one: Pack) -> Ontology:
    return Ontology(
        {relation.name: relation.subject for relation in one.relations},
        frozenset(relation.name for relation in one.relations if relation.many),
        frozenset((relation.name, relation.before) for relation in one.relations if relation.before),
    )
