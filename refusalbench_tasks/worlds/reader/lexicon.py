"""What the reader knows of a domain: its kinds, its relations and the words that give them away.

Written from rendered text by a hand that did not write the frames; nothing here comes from a pack.
"""

import re
from collections.abc import Callable
from functools import cache, cached_property, lru_cache
from importlib.resources import files

import yaml
from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.worlds.reader.unreadable import Unreadable
from refusalbench_tasks.worlds.solve import Ontology
from refusalbench_tasks.worlds.values import ValueType

WORDS: dict[str, list[str]] = yaml.load(
    files(__package__).joinpath("words.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
)
"""Words of every domain, by their use."""
SHAPES = 8192
"""Masked sentences of a domain of which the reader remembers what they speak of."""


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class KindWords(_Entry):
    """How things of one kind are called."""

    nouns: tuple[str, ...]
    """Common nouns, as patterns: `clinics?`."""
    names: tuple[str, ...]
    """Shapes of proper names; `~` stands for one invented word: `~ Clinic`."""
    whole: str = ""


class RelationWords(_Entry):
    """What gives a relation away: patterns of lower-case words, tried anywhere in a sentence."""

    kind: str
    type: ValueType
    nouns: tuple[str, ...] = ()
    """Attribute nouns; they win over every other word."""
    words: tuple[str, ...] = ()
    """Verbs and other words that only this relation uses; `<E>` stands for a thing, `@` for an option word."""
    unless: tuple[str, ...] = ()
    """Words beside which it is another relation."""
    holds: tuple[str, ...] = ()
    """Of a flag: words that say that it is true, without a negation beside them."""
    fails: tuple[str, ...] = ()
    """Of a flag: words that say that it is false, without a negation beside them."""
    denied: tuple[str, ...] = ()
    """Words that say that there is no such event or thing, beside the usual `never` and `no`."""
    unit: str = ""
    small_unit: str = ""
    ratio: int = 0
    """How many small units make one unit."""
    options: tuple[str, ...] = ()
    sample: tuple[str, ...] = ()
    """Words of a sentence that gives the value of a sample only, or, beside `inner`, of the thing as a whole."""
    inner: str = ""
    """What of a thing the relation is of, if it isn't of the thing itself: `one muscle molecule`."""
    many: bool = False
    before: str = ""
    deeds: tuple[str, ...] = ()
    """Patterns of what somebody, `{by}`, does to another, `{to}`."""
    once: tuple[str, ...] = ()
    """Words of a sentence that names two of whom only one can have done it to the other."""

    @cached_property
    def noun(self) -> re.Pattern[str]:
        """Return the pattern of the attribute nouns."""
        return one_of(self.nouns)

    @cached_property
    def word(self) -> re.Pattern[str]:
        """Return the pattern of all other words that give the relation away."""
        options = f"(?:{self.option.pattern})"
        return one_of([one.replace("@", options) for one in (*self.words, *self.denied)])

    @cached_property
    def everything(self) -> re.Pattern[str]:
        """Return the pattern of all words that give the relation away, nouns too."""
        return re.compile(f"{self.noun.pattern}|{self.word.pattern}")

    @cached_property
    def veto(self) -> re.Pattern[str]:
        """Return the pattern of the words beside which it is another relation."""
        return one_of(self.unless)

    @cached_property
    def option(self) -> re.Pattern[str]:
        """Return the pattern of the option words, longest first."""
        return one_of(sorted((re.escape(one.lower()) for one in self.options), key=len, reverse=True))

    @cached_property
    def sampling(self) -> re.Pattern[str]:
        """Return the pattern of the words of a sentence that gives the value of a sample only."""
        return one_of(self.sample)

    @cached_property
    def affirmed(self) -> re.Pattern[str]:
        """Return the pattern of words that say that a flag is true."""
        return one_of(self.holds)

    @cached_property
    def refused(self) -> re.Pattern[str]:
        """Return the pattern of words that say that a flag is false."""
        return one_of(self.fails)

    @cached_property
    def deed(self) -> re.Pattern[str]:
        """Return the pattern of deeds, with a group `by…` and one `to…` for each way to tell of one."""
        return one_of(
            [
                one.replace("{by}", rf"(?P<by{place}><[EN]\d+>)").replace("{to}", rf"(?P<to{place}><[EN]\d+>)")
                for place, one in enumerate(self.deeds)
            ]
        )

    @cached_property
    def one_way(self) -> re.Pattern[str]:
        """Return the pattern of sentences about two of whom only one can have done it to the other."""
        return one_of(self.once)

    def weight(self, shape: str) -> int:
        """Return how strongly a masked sentence speaks of the relation: letters matched, 0 if it doesn't."""
        if not self.everything.search(shape) or (self.unless and self.veto.search(shape)):
            return 0
        nouns = max((len(found[0]) for found in self.noun.finditer(shape)), default=0)
        words = sum(len(found[0]) for found in self.word.finditer(shape))
        return 1000 * bool(nouns) + nouns + words


class Lexicon(_Entry):
    """One domain."""

    domain: str
    topic: bool = False
    """Whether it is of a few levers only, so that texts of other domains name none of its things."""
    kinds: dict[str, KindWords]
    relations: dict[str, RelationWords]
    official: tuple[str, ...] = ()
    hearsay: tuple[str, ...] = ()
    ordinary: tuple[str, ...] = ()
    """Sources that are neither."""
    idle: tuple[str, ...] = ()
    """Patterns of sentences that name a thing and state nothing that anybody asks."""
    tales: tuple[str, ...] = ()
    """Patterns of sentences that tell of a thing what no question can ask as a fact."""
    acts: tuple[str, ...] = ()
    """What things may do, as a code of right and wrong puts it."""
    terms: dict[str, str] = Field(default_factory=dict)
    """Words of judgement with the relation that a rule may settle them by."""

    @cached_property
    def spoken_of(self) -> Callable[[str, str], tuple[tuple[str, int], ...]]:
        """Return a function of a kind of things (empty: any) and a masked sentence.

        It returns the relations of that kind that the sentence speaks of, each with its weight.
        """

        # several constructs ask the same of one sentence, and masked sentences come again
        @lru_cache(maxsize=SHAPES)
        def spoken_of(kind: str, shape: str) -> tuple[tuple[str, int], ...]:
            found = ((name, one.weight(shape)) for name, one in self.relations.items() if not kind or one.kind == kind)
            return tuple((name, weight) for name, weight in found if weight)

        return spoken_of

    @cached_property
    def ontology(self) -> Ontology:
        """Return what everyone knows of the domain."""
        relations = self.relations.items()
        return Ontology(
            {name: one.kind for name, one in relations},
            frozenset(name for name, one in relations if one.many),
            frozenset((name, one.before) for name, one in relations if one.before),
        )

    @cached_property
    def capitals(self) -> frozenset[str]:
        """Return the words of values that are written with a capital, like `X-rays`."""
        options = [option for one in self.relations.values() for option in one.options]
        return frozenset(word for option in options for word in option.split() if word != word.lower())

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Return all units, longest first."""
        found = {unit for one in self.relations.values() for unit in (one.unit, one.small_unit) if unit}
        return tuple(sorted(found, key=lambda unit: (-len(unit), unit)))

    @cached_property
    def names(self) -> tuple[tuple[str, str, re.Pattern[str]], ...]:
        """Return each shape of proper names with its kind and a word that it holds, the longest first."""
        shapes = [(shape, kind) for kind, one in self.kinds.items() for shape in one.names]
        ordered = sorted(shapes, key=lambda pair: (-len(pair[0]), pair))
        return tuple((kind, _landmark(shape), _shapes((shape,))) for shape, kind in ordered)

    @cached_property
    def fixed(self) -> frozenset[str]:
        """Return the words of proper names that are no invented words."""
        return frozenset(
            word for one in self.kinds.values() for name in one.names for word in name.split() if word != "~"
        )

    @cached_property
    def name_words(self) -> frozenset[str]:
        """Return the ordinary words within proper names, like `Research` of `~ Research Station`."""
        shapes = [shape for one in self.kinds.values() for shape in one.names]
        return frozenset(word for shape in shapes for word in shape.split() if word != "~")

    @cached_property
    def nouns(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        """Return each kind with the pattern of its common nouns."""
        return tuple((kind, one_of(one.nouns)) for kind, one in self.kinds.items())

    @cached_property
    def any_noun(self) -> re.Pattern[str]:
        """Return the pattern of all attribute nouns."""
        return one_of([noun for one in self.relations.values() for noun in one.nouns])

    @cached_property
    def tale(self) -> re.Pattern[str]:
        """Return the pattern of sentences that only tell a tale."""
        return one_of(self.tales)

    @cached_property
    def remark(self) -> re.Pattern[str]:
        """Return the pattern of sentences that name a thing and state nothing."""
        return one_of(self.idle)


def one_of(patterns: tuple[str, ...] | list[str]) -> re.Pattern[str]:
    """Return a pattern that finds any of some patterns at word borders; of none one that finds nothing."""
    if not patterns:
        return re.compile(r"(?!)")
    joined = "|".join(f"(?:{one})" for one in patterns).replace("<E>", r"<E\d+>")
    return re.compile(rf"(?<![\w-])(?:{joined})(?!\w)")


def _landmark(name: str) -> str:
    """Return the longest word of a shape of names that is no invented one; empty if there is none."""
    return max((word for word in name.removeprefix("the ").split() if word.isalpha()), key=len, default="")


def _shapes(names: tuple[str, ...]) -> re.Pattern[str]:
    ordered = sorted(names, key=len, reverse=True)
    masked = (re.sub("^the ", "[Tt]he ", one).replace("~", r"[A-Z][a-z]+") for one in ordered)
    return re.compile(r"\b(?:" + "|".join(masked) + r")\b")


@cache
def lexicon(domain: str) -> Lexicon:
    """Return the lexicon of a domain. Raises Unreadable if the reader has none."""
    if domain not in domains():
        raise Unreadable(domain, "the reader has no words of this domain")
    path = files(__package__).joinpath(f"lexicon/{domain}.yaml")
    return Lexicon.model_validate({"domain": domain, **yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)})


@cache
def domains() -> tuple[str, ...]:
    """Return the domains that the reader has a lexicon of, in the order of their names."""
    found = files(__package__).joinpath("lexicon").iterdir()
    return tuple(sorted(path.name.removesuffix(".yaml") for path in found if path.name.endswith(".yaml")))
