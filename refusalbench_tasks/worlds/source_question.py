"""A question with all that its sources may say, drawn from a seed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random

from .document import document, names, relations
from .factorial import Plan, question_plan
from .persona import script
from .rendering import fill_slots
from .sources import (
    SOURCES,
    SPEAKERS,
    Matter,
    Slot,
    SourceQuestion,
)
from .values import Value
from .world import World, new_world

VERSION = "RBH7"
"""The version of the items: the same seed and index give the same question as long as
it stands.
"""
EARLIEST = 1951
LATEST = 2012
"""The years of the events that sources tell of: stale sources are younger."""
CHANGED = (2016, 2023)
"""The years in which a value may have changed."""
NEAR = 0.02
"""Two values within this share of the larger one are too near to disagree."""
PARTS = ("section", "lead", "opening", "evidence", "remark", "closing")


@dataclass
class _Topic:
    """What is asked: the noun phrase and the question, each with {x} for the thing, and
    how a value is drawn.
    """

    phrase: str
    question: str
    draw: Callable[[Random], Value]


def make_question(
    seed: int,
    index: int,
    domains: Sequence[str],
) -> SourceQuestion:
    """Return question `index` of a seed with all that its sources may say; it depends
    on nothing else.
    """
    rng = Random(f"{VERSION}:{seed}:{index}")
    plan = question_plan(index)
    # one step more in each round, so that no domain goes with one plan alone
    domain = domains[(index + index // len(domains)) % len(domains)]
    world = new_world(
        rng,
        document(domain),
        2,
    )
    topics = _topics(world)
    topic = rng.choice([topic for topic in topics if _fits(topic, plan, rng)])
    full, short = _matters(
        rng,
        world,
        topic,
        plan,
    )
    frames = script().current if plan.gap == "outdated" else script().exact
    topics.remove(topic)
    fillers = _Fillers(
        rng,
        topics,
        _values_of(full, short),
    )
    return SourceQuestion(
        plan=plan,
        domain=domain,
        question=fill_slots(topic.question, x=world.names[0]),
        year=rng.randint(*CHANGED),
        frames=rng.sample(frames, SPEAKERS),
        full=full,
        short=short,
        slots=_slots(
            rng,
            world,
            plan,
            fillers,
        ),
    )


def _topics(world: World) -> list[_Topic]:
    kind = world.document
    topics = []
    for relation in relations(kind.name, "values"):
        question = kind.ask.replace("{r}", relation.noun)
        draw = partial(world.draw, relation=relation)
        topics.append(_Topic(f"{relation.noun} {kind.at}", question, draw))
    for event in kind.events:
        topic = _Topic(
            event.noun,
            event.ask,
            lambda rng: Value("year", rng.randint(EARLIEST, LATEST)),
        )
        topics.append(topic)
    return topics


def _fits(
    topic: _Topic,
    plan: Plan,
    rng: Random,
) -> bool:
    """Return whether a plan's question may ask for it: of what stale sources say only
    events still hold.
    """
    kind = topic.draw(rng).type
    if plan.gap == "outdated":
        return kind != "year"
    if plan.dated == "stale":
        return kind == "year"
    return plan.gap != "vague" or kind in ("money", "measure", "count", "year")


def _matters(
    rng: Random,
    world: World,
    topic: _Topic,
    plan: Plan,
) -> tuple[Matter, Matter]:
    """Return what may be said of the thing that is asked about, and what in its place:
    four values, all apart.
    """
    asked, other = world.names
    phrase = fill_slots(topic.phrase, x=asked)
    if plan.gap == "vague":
        return _bounded(
            rng,
            topic,
            asked,
            phrase,
        )
    first, second, third, fourth = _apart(rng, topic, 4)
    full = Matter(
        asked,
        phrase,
        first,
        second,
    )
    if plan.gap == "outdated":
        return full, Matter(
            asked,
            phrase,
            third,
            fourth,
            current=False,
        )
    return full, Matter(
        other,
        fill_slots(topic.phrase, x=other),
        third,
        fourth,
    )


def _bounded(
    rng: Random,
    topic: _Topic,
    asked: str,
    phrase: str,
) -> tuple[Matter, Matter]:
    """Return two values that lie apart, and bounds about each of which no value lies
    between those of the other.
    """
    while True:
        first, second = _apart(rng, topic, 2)
        low, high = _bounds(rng, first, second)
        rival_low, rival_high = _bounds(rng, second, first)
        short = Matter(
            asked,
            phrase,
            low,
            rival_low,
            upto=(high, rival_high),
        )
        if short.claim("reliable").excludes(short.claim("reliable", rival=True)):
            return Matter(
                asked,
                phrase,
                first,
                second,
            ), short


def _bounds(
    rng: Random,
    value: Value,
    rival: Value,
) -> tuple[Value, Value]:
    """Return a number below and one above a value, nearer to it than half of the way to
    its rival.
    """
    gap = abs(value.number - rival.number)
    step = 0.1 if value.type == "measure" else 0.5
    if all(number == int(number) for number in (value.number, rival.number)):
        step = 1.0
    below = max(step, round(gap * rng.uniform(0.2, 0.45) / step) * step)
    above = max(step, round(gap * rng.uniform(0.2, 0.45) / step) * step)
    low = round(max(step, value.number - below), 4)
    high = round(value.number + above, 4)
    return replace(value, number=low), replace(value, number=high)


def _apart(
    rng: Random,
    topic: _Topic,
    number: int,
) -> list[Value]:
    """Return values of the asked relation of which no two are near each other."""
    values: list[Value] = []
    tried = 0
    while len(values) < number:
        value = topic.draw(rng)
        tried += 1
        if tried % 200 == 0:
            # values drawn first may leave no room for the others
            values.clear()
        if not any(_near(value, other) for other in values):
            values.append(value)
    return values


def _near(value: Value, other: Value) -> bool:
    gap = abs(value.number - other.number)
    if value.type in ("year", "date", "time"):
        return gap < 3
    return gap <= NEAR * max(value.number, other.number)


def _values_of(*matters: Matter) -> set[Value]:
    """Return all values that may be given for what is asked; no other sentence gives
    one of them.
    """
    values = set()
    for matter in matters:
        values |= {matter.value, matter.rival, *(matter.upto or ())}
    return values


@dataclass
class _Fillers:
    """Sentences on what is not asked: they give other values, the same one in every
    source.
    """

    rng: Random
    topics: Sequence[_Topic]
    taken: set[Value]
    stated: dict[tuple[str, str], Value] = field(default_factory=dict)

    def draw(self, names: list[str]) -> list[str]:
        """Return three sentences: one on each of two things, and one on either, so that
        no set of sources differs in which of them it names.
        """
        owners = [*names, self.rng.choice(names)]
        topics = self.rng.sample(self.topics, 3)
        sentences = []
        for owner, topic in zip(owners, topics, strict=True):
            key = (owner, topic.phrase)
            if key not in self.stated:
                value = topic.draw(self.rng)
                while value in self.taken:
                    value = topic.draw(self.rng)
                self.stated[key] = value
            phrase = fill_slots(topic.phrase, x=owner)
            sentence = fill_slots(
                script().exact[0],
                N=phrase,
                V=self.stated[key],
            )
            sentences.append(sentence)
        return sentences


def _slots(
    rng: Random,
    world: World,
    plan: Plan,
    fillers: _Fillers,
) -> list[Slot]:
    """Return the five sources of a question, apart from what a cell makes of them, in a
    drawn order.
    """
    personas = rng.sample(script().personas, SOURCES)
    roles = rng.sample(range(SOURCES), SOURCES)
    words = []
    for _ in range(2 * SOURCES):
        words.append(rng.choice(names().first) + rng.choice(names().last))
    slots = []
    for position, persona in enumerate(personas):
        first, second, third = fillers.draw(world.names)
        parts = {part: rng.randrange(6) for part in PARTS}
        year = rng.randint(2013, 2015) if plan.dated == "stale" else 2026
        date = f"{year}-{rng.randint(1, 6):02}-{rng.randint(1, 28):02}"
        person = f"{rng.choice(names().letters)}. {words[2 * position + 1]}"
        first, second = rng.sample([first, second], 2)
        slot = Slot(
            persona,
            words[2 * position],
            person,
            parts,
            (first, second, third),
            date,
            role=roles[position],
            late=rng.random() < 0.5,
        )
        slots.append(slot)
    return slots
