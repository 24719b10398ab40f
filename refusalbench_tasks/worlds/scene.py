"""The stage of one quad: two things of one kind, what is asked of them, and who stands around."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from refusalbench_tasks.worlds.block import Block, Sentence, block
from refusalbench_tasks.worlds.names import Names
from refusalbench_tasks.worlds.pack import Pack, Relation
from refusalbench_tasks.worlds.statement import Fact, Statement
from refusalbench_tasks.worlds.template import fill, with_piece, without_piece
from refusalbench_tasks.worlds.values import NUMERIC, Value, written

ASKED = 0.9
"""How often a list of questions asks for a fact in the relation's own words."""


@dataclass
class Scene:
    """Two things `a` and `b`, the relation that is asked, another one (`side`), and bystanders of the same kind.

    An operation takes from here all that it says: values are drawn once for each thing and relation.
    """

    rng: Random
    names: Names
    pack: Pack
    relation: Relation
    side: Relation
    a: str
    b: str
    others: list[str]
    whole: str
    """The whole that the things are parts of."""
    taken: set[str] = field(default_factory=set)
    """The relations that a lever speaks of beside the asked one: nothing else in the passage does."""
    apart: bool = False
    """Whether `a` and `b` are of another kind than the asked relation is asked of: wholes of such things."""
    fixed: dict[str, str] = field(default_factory=dict)
    """What the scenario has fixed for both questions, so that the levers can speak of it: years, terms, goals."""
    memory: dict[tuple[str, str], str] = field(default_factory=dict)
    """What was drawn once and stays, by whose it is and what."""
    _values: dict[tuple[str, str], Value] = field(default_factory=dict)

    def value(self, subject: str, relation: Relation | None = None) -> Value:
        """Return the true value of a relation (by default the asked one) of a thing."""
        relation = relation or self.relation
        cell = (subject, relation.name)
        if cell not in self._values:
            self._values[cell] = self.draw(relation)
        return self._values[cell]

    def rival(self, subject: str, relation: Relation | None = None) -> Value:
        """Return another value that the relation could well have had, told apart from the true one at a glance."""
        relation = relation or self.relation
        true = self.value(subject, relation)
        while True:
            other = self.draw(relation)
            if not near(true, other):
                return other

    def draw(self, relation: Relation) -> Value:
        """Return a fresh value of a relation's type and range."""
        rng = self.rng
        match relation.type:
            case "person":
                return Value("person", self.names.person())
            case "place":
                return Value("place", self.names.word())
            case "kind":
                return Value("kind", rng.choice(relation.options))
            case "names":
                return Value("names", tuple(sorted(rng.sample(relation.options, rng.randint(2, 4)))))
            case "flag":
                return Value("flag", rng.random() < 0.5)
            case "date":
                year = rng.randint(relation.low, relation.high)
                return Value("date", f"{year:04}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}")
            case "time":
                return Value(
                    "time", f"{rng.randint(relation.low, relation.high):02}:{rng.choice(('00', '15', '30', '45'))}"
                )
            case _:
                return Value(
                    relation.type, rng.randrange(relation.low, relation.high + 1, relation.step), relation.unit
                )

    def relations(self) -> list[Relation]:
        """Return the relations of things of the kind of `a` and `b`."""
        return [one for one in self.pack.relations if one.subject == self.relation.subject]

    def once(self, owner: str, what: str, make: Callable[[], str]) -> str:
        """Return what is made at the first call and the same ever after."""
        found = self.memory.get((owner, what))
        if found is None:
            found = self.memory[owner, what] = make()
        return found

    def thing(self) -> str:
        """Return a fresh thing of the kind of `a` and `b`."""
        return self.new(self.relation.subject)

    def new(self, kind: str, but: Collection[str] = ()) -> str:
        """Return the name of a fresh thing of a kind, in none of some ways to name one."""
        names = [one for one in self.pack.kinds[kind].names if one not in but]
        return self.rng.choice(names).replace("{n}", self.names.word())

    def slots(self, subject: str, more: Mapping[str, str | Value] | None = None) -> dict[str, str]:
        """Return the slots of a sentence: {S}, {attribute}, {an_attribute}, {noun}, {plural}, {whole} and more."""
        relation = self.relation
        kind = self.pack.kinds[relation.subject]
        attribute = self.rng.choice(relation.attribute)
        article = "an" if attribute[0] in "aeiou" else "a"
        own = {"S": subject, "attribute": attribute, "an_attribute": f"{article} {attribute}"}
        own |= {"noun": kind.noun, "plural": kind.plural}
        given = {name: written(value) if isinstance(value, Value) else value for name, value in (more or {}).items()}
        return own | {"whole": self.whole} | given

    def say(self, patterns: Sequence[str], statements: Sequence[Statement], subject: str, **more: str | Value) -> Block:
        """Return a block of one of the patterns, filled, that states what is given."""
        return block(fill(self.rng.choice(patterns), self.slots(subject, more)), *statements)

    def state(self, subject: str, relation: Relation | None = None, value: Value | None = None) -> Block:
        """Return a plain statement of a value, by default the true one."""
        relation = relation or self.relation
        value = value or self.value(subject, relation)
        patterns = relation.denies if value.type == "flag" and not value.content else relation.states
        slots = {"S": subject, "V": written(value)}
        text = fill(self.rng.choice(patterns), slots)
        row = None if value.type == "flag" else (subject, self.rng.choice(relation.attribute), slots["V"])
        own = row and relation.other_level is None and self.rng.random() < ASKED
        asks = self.rng.choice(relation.asks) if own else ""
        return Block((Sentence(text, (Fact(subject, relation.name, value),)),), row, asks)

    def bare(self, subject: str, relation: Relation | None = None) -> Block:
        """Return a sentence about a relation that gives no value."""
        relation = relation or self.relation
        return block(fill(self.rng.choice(relation.bare), {"S": subject}))

    def framed(
        self, subject: str, shown: str, statements: Sequence[Statement] = (), frames: Sequence[str] | None = None
    ) -> Block:
        """Return a sentence of the asked relation, by default of any frame, with something else shown as its value."""
        frame = self.rng.choice(frames or self.relation.states)
        return block(fill(frame, {"S": subject, "V": shown}), *statements)

    def pieces(
        self, patterns: Sequence[str], statements: Sequence[Statement], subject: str, **more: str | Value
    ) -> tuple[Block, Block]:
        """Return a sentence without and with the piece of its pattern that stands in square brackets."""
        pattern, slots = self.rng.choice(patterns), self.slots(subject, more)
        row, original = fill(without_piece(pattern), slots), fill(with_piece(pattern), slots)
        return block(row, *statements), block(original, *statements)

    def another(self, fits: Callable[[Relation], bool]) -> Relation | None:
        """Return a relation of these things that is neither asked nor used to describe them; None if none fits."""
        kind, used = self.relation.subject, (self.relation.name, self.side.name, *self.taken)
        found = [one for one in self.pack.relations if one.subject == kind and one.name not in used and fits(one)]
        if not found:
            return None
        chosen = self.rng.choice(found)
        self.taken.add(chosen.name)
        return chosen

    def source(self, rank: int) -> str:
        """Return somebody of a rank of authority who may be quoted."""
        return self.rng.choice([name for name, of in self.pack.sources if of == rank])

    def turned(self, relation: Relation) -> "Scene":
        """Return the same scene with another relation in the place of the asked one."""
        return replace(self, relation=relation)


def new_scene(rng: Random, of: Pack, relation: Relation, names: Names) -> Scene:
    """Return a scene of a relation with fresh things."""
    side = rng.choice([one for one in of.relations if one.subject == relation.subject and one.name != relation.name])
    scene = Scene(rng, names, of, relation, side, "", "", [], "")
    scene.a, scene.b = scene.thing(), scene.thing()
    scene.others = [scene.thing() for _ in range(8)]
    kind = of.kinds[relation.subject]
    scene.whole = scene.new(kind.whole) if kind.whole else ""
    return scene


def near(one: Value, other: Value) -> bool:
    """Return whether two values of one relation are so close that a reader may take one for the other."""
    if one.type in NUMERIC and one.type != "year":
        small, large = sorted((one.number, other.number))
        return large < 1.25 * small + 1
    if one.type == "year":
        return abs(one.number - other.number) < 4
    if one.type == "names":
        return set(one.content) & set(other.content) != set()  # type: ignore[arg-type]
    return one.content == other.content
