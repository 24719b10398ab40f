"""A question with all that its sources may say, drawn from a seed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from refusalbench_tasks.worlds.document import document, names, relations
from refusalbench_tasks.worlds.factorial import Plan, plan
from refusalbench_tasks.worlds.persona import script
from refusalbench_tasks.worlds.rendering import fill
from refusalbench_tasks.worlds.sources import SOURCES, SPEAKERS, Hearing, Matter, Slot
from refusalbench_tasks.worlds.values import Value, written
from refusalbench_tasks.worlds.world import World, new_world

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


@dataclass(frozen=True)
class _Topic:
    """What is asked: the noun phrase and the question, each with {x} for the thing, and
    how a value is drawn.
    """

    phrase: str
    question: str
    draw: Callable[[Random], Value]


def hearing(seed: int, index: int, domains: Sequence[str]) -> Hearing:
    """Return question `index` of a seed with all that its sources may say; it depends
    on nothing else.
    """
    rng = Random(f"{VERSION}:{seed}:{index}")
    due = plan(index)
    # one step more in each round, so that no domain goes with one plan alone
    domain = domains[(index + index // len(domains)) % len(domains)]
    world = new_world(rng, document(domain), 2)
    topics = _topics(world)
    fitting = [candidate for candidate in topics if _fits(candidate, due, rng)]
    topic = rng.choice(fitting)
    full, short = _matters(rng, world, topic, due)
    frames = {"outdated": script().current}.get(due.gap, script().exact)
    others = [other for other in topics if other is not topic]
    return Hearing(
        plan=due,
        domain=domain,
        question=fill(topic.question, x=world.names[0]),
        year=rng.randint(*CHANGED),
        frames=tuple(rng.sample(frames, SPEAKERS)),
        full=full,
        short=short,
        slots=_slots(rng, world, others, due, _values_of(full, short)),
    )


def _topics(world: World) -> list[_Topic]:
    kind = world.document
    of_values = [
        _Topic(
            f"{relation.noun} {kind.at}",
            kind.ask[0].replace("{r}", relation.noun),
            partial(world.draw, relation=relation),
        )
        for relation in relations(kind.name, "values")
    ]
    of_events = [_Topic(event.noun, event.ask, _year) for event in kind.events]
    return of_values + of_events


def _year(rng: Random) -> Value:
    return Value("year", rng.randint(EARLIEST, LATEST))


def _fits(topic: _Topic, due: Plan, rng: Random) -> bool:
    """Return whether a plan's question may ask for it: of what stale sources say only
    events still hold.
    """
    kind = topic.draw(rng).type
    if due.gap == "outdated":
        return kind != "year"
    if due.dated == "stale":
        return kind == "year"
    return due.gap != "vague" or kind in ("money", "measure", "count", "year")


def _matters(
    rng: Random, world: World, topic: _Topic, due: Plan
) -> tuple[Matter, Matter]:
    """Return what may be said of the thing that is asked about, and what in its place:
    four values, all apart.
    """
    asked, other = world.names
    phrase = fill(topic.phrase, x=asked)
    if due.gap == "vague":
        return _bounded(rng, topic, asked, phrase)
    first, second, third, fourth = _apart(rng, topic, 4)
    full = Matter(asked, phrase, first, second)
    if due.gap == "outdated":
        return full, Matter(asked, phrase, third, fourth, current=False)
    return full, Matter(other, fill(topic.phrase, x=other), third, fourth)


def _bounded(
    rng: Random, topic: _Topic, asked: str, phrase: str
) -> tuple[Matter, Matter]:
    """Return two values that lie apart, and bounds about each of which no value lies
    between those of the other.
    """
    while True:
        first, second = _apart(rng, topic, 2)
        low, high = _bounds(rng, first, second)
        rival_low, rival_high = _bounds(rng, second, first)
        short = Matter(asked, phrase, low, rival_low, upto=(high, rival_high))
        if short.claim("reliable").excludes(short.claim("reliable", rival=True)):
            return Matter(asked, phrase, first, second), short


def _bounds(rng: Random, value: Value, rival: Value) -> tuple[Value, Value]:
    """Return a number below and one above a value, nearer to it than half of the way to
    its rival.
    """
    gap = abs(value.number - rival.number)
    step = 0.1 if value.type == "measure" else 0.5
    if all(number == int(number) for number in (value.number, rival.number)):
        step = 1.0
    below, above = (
        max(step, round(gap * rng.uniform(0.2, 0.45) / step) * step) for _ in range(2)
    )
    low = round(max(step, value.number - below), 4)
    high = round(value.number + above, 4)
    return Value(value.type, low, value.unit), Value(value.type, high, value.unit)


def _apart(rng: Random, topic: _Topic, number: int) -> list[Value]:
    """Return values of the asked relation of which no two are near each other."""
    values: list[Value] = []
    tried = 0
    while len(values) < number:
        value = topic.draw(rng)
        tried = tried + 1
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
    exact = {value for matter in matters for value in (matter.value, matter.rival)}
    return exact | {value for matter in matters for value in matter.upto or ()}


def _slots(
    rng: Random, world: World, others: Sequence[_Topic], due: Plan, taken: set[Value]
) -> tuple[Slot, ...]:
    """Return the five sources of a question, apart from what a cell makes of them, in a
    drawn order.
    """
    personas = rng.sample(script().personas, SOURCES)
    roles = rng.sample(range(SOURCES), SOURCES)
    words = [
        rng.choice(names().first) + rng.choice(names().last) for _ in range(2 * SOURCES)
    ]
    stated: dict[tuple[str, str], str] = {}
    slots = []
    for position, (persona, role) in enumerate(zip(personas, roles, strict=True)):
        # each source speaks of both things, so that no set differs in which of them it
        # names
        owners = [*world.names, rng.choice(world.names)]
        fillers = [
            _filler(rng, owner, topic, stated, taken)
            for owner, topic in zip(owners, rng.sample(others, 3), strict=True)
        ]
        parts = {
            part: rng.randrange(6)
            for part in ("section", "lead", "opening", "evidence", "remark", "closing")
        }
        year = rng.randint(2013, 2015) if due.dated == "stale" else 2026
        date = f"{year}-{rng.randint(1, 6):02}-{rng.randint(1, 28):02}"
        person = f"{rng.choice(names().letters)}. {words[2 * position + 1]}"
        pair = rng.sample(fillers[:2], 2)
        slots.append(
            Slot(
                persona,
                words[2 * position],
                person,
                parts,
                (pair[0], pair[1], fillers[2]),
                date,
                role,
                rng.random() < 0.5,
            )
        )
    return tuple(slots)


def _filler(
    rng: Random,
    owner: str,
    topic: _Topic,
    stated: dict[tuple[str, str], str],
    taken: set[Value],
) -> str:
    """Return a sentence that gives another value of a thing, the same one in every
    source.
    """
    key = (owner, topic.phrase)
    if key not in stated:
        value = topic.draw(rng)
        while value in taken:
            value = topic.draw(rng)
        stated[key] = written(value)
    return fill(script().exact[0], N=fill(topic.phrase, x=owner), V=stated[key])
