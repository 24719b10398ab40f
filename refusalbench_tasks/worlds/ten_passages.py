"""Ten passages for a row: the one that the quad has, and nine other documents on the
same things.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from .document import GROUPS, Relation, form, relations
from .passage import Passage, make_passage
from .quad import VERSION, Quad
from .statement import Fact, Named, Statement
from .world import shuffled

NOISE = 9
NAMED = 0.9
NAMED_BYSTANDER = 0.6
"""How often a noise passage speaks of each of the two asked things, and of each other.
"""
SPREAD = (1.0, 1.75)
"""How long noise passages should be, as a share of the signal passage."""
HANDLES = 0.7
STALE = 0.3
"""How often entries have handles, and a thing an old value."""
ENTRY = 0.8
"""What an entry adds to the words of a document, as a share of the words for each of
its entries.
"""


@dataclass(frozen=True)
class TenPassages:
    """Ten passages in order, the position of the one that the answer rests on, and all
    that they state.
    """

    passages: Sequence[str]
    signal: int
    statements: Sequence[Statement]


@dataclass
class _Topic:
    """What a noise passage is about, and its layout."""

    relations: Sequence[Relation]
    layout: str


def ten_passages(
    quad: Quad,
    position: int,
) -> tuple[TenPassages, TenPassages]:
    """Return the ten passages of a row and those of its original, which differ in the
    signal passage alone.
    """
    rng = Random(f"{VERSION}:ten:{quad.seed}:{quad.index}:{position}")
    cell = quad.cells[position]
    noise = noise_passages(quad, position, rng)
    signal = rng.randrange(NOISE + 1)
    return (
        _with_signal(noise, cell.passage, signal),
        _with_signal(noise, cell.original, signal),
    )


def noise_passages(quad: Quad, position: int, rng: Random) -> list[Passage]:
    """Return nine documents on the things of a quad that speak of other matters than a
    row's passage.
    """
    cell = quad.cells[position]
    words = len(cell.passage.text.split())
    layouts = [*form(quad.world.document.form).layouts, "table"]
    layouts = shuffled(rng, layouts)
    # of the relations none of the signal passage, nor a part of its sums: else a sum
    # less its other part would give the part that is asked for
    taken = {relation.noun for relation in quad.relations}
    for statement in (*cell.passage.statements, *cell.original.statements):
        if not isinstance(statement, Named):
            taken.add(statement.relation)
        if isinstance(statement, Fact):
            taken.add(statement.level.removeprefix("with "))
    left = []
    for group in GROUPS:
        for relation in relations(quad.world.document.name, group):
            if relation.noun not in taken:
                left.append(relation)
    rng.shuffle(left)
    # none about the same as another, as long as there is enough to state
    matters = [left[number::NOISE] for number in range(min(NOISE, len(left)))]
    noise = []
    for number in range(NOISE):
        layout = layouts[number % len(layouts)]
        topic = _Topic(matters[number % len(matters)], layout)
        key = f"{quad.seed}:{quad.index}:{position}:{number}"
        passage = _of_length(
            quad,
            topic,
            words,
            key,
            rng,
        )
        noise.append(passage)
    return noise


def _with_signal(
    noise: Sequence[Passage],
    passage: Passage,
    signal: int,
) -> TenPassages:
    passages = list(noise)
    passages.insert(signal, passage)
    statements: list[Statement] = []
    for shown in passages:
        statements += shown.statements
    texts = [shown.text for shown in passages]
    return TenPassages(
        texts,
        signal,
        statements,
    )


def _of_length(
    quad: Quad,
    topic: _Topic,
    words: int,
    key: str,
    rng: Random,
) -> Passage:
    """Return a noise passage about so many things that it has about `words` words:
    lengths don't tell the signal.
    """
    wanted = words * rng.uniform(*SPREAD)
    start = rng.getrandbits(64)
    others = shuffled(rng, quad.world.others)
    short = _noise(
        quad,
        topic,
        [],
        key,
        Random(start),
    )
    length = len(short.text.split())
    entries = sum(isinstance(statement, Named) for statement in short.statements)
    more = round((wanted - length) / (ENTRY * length / entries))
    if more <= 0:
        return short
    return _noise(
        quad,
        topic,
        others[:more],
        key,
        Random(start),
    )


def _noise(
    quad: Quad,
    topic: _Topic,
    others: Sequence[str],
    key: str,
    rng: Random,
) -> Passage:
    """Return a document on some of the same things, and others, that speaks of other
    matters.
    """
    world = quad.world
    names = []
    for position, name in enumerate(world.names):
        if rng.random() < (NAMED if position < 2 else NAMED_BYSTANDER):
            names.append(name)
    if len(names) < 2:
        names = world.names
    matters = [(relation, "sound") for relation in topic.relations]
    content = dict.fromkeys([*names, *others], matters)
    kind = form(world.document.form)
    setting = replace(
        quad.setting,
        layout=topic.layout,
        handles=rng.random() < HANDLES and kind.has_index(topic.layout),
    )
    stale = []
    values = [relation for relation in topic.relations if relation.group == "values"]
    for name in content:
        if values and rng.random() < STALE:
            stale.append((name, rng.choice(values)))
    return make_passage(
        world,
        setting,
        content,
        stale,
        f"{VERSION}:noise:{key}",
    )
