"""Ten passages for a row: the one that the quad has, and nine other documents on the
same things.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from refusalbench_tasks.worlds.defects import DEFECTS, OPINION, Defect
from refusalbench_tasks.worlds.document import Group, Relation, form, relations
from refusalbench_tasks.worlds.passage import (
    TWICE,
    Content,
    Passage,
    QuadSetting,
    compose,
)
from refusalbench_tasks.worlds.quad import VERSION, Cell, Quad
from refusalbench_tasks.worlds.statement import Fact, Named, Statement

NOISE = 9
NAMED = 0.9
NAMED_BYSTANDER = 0.6
"""How often a noise passage speaks of each of the two asked things, and of each other.
"""
SPREAD = (0.8, 1.5)
"""How long noise passages should be, as a share of the signal passage."""
ENTRY = 0.8
"""What an entry adds to the words of a document, as a share of the words for each of
its entries.
"""
_GROUPS: tuple[Group, ...] = ("values", "figures", "uses", "parts")


@dataclass(frozen=True)
class Ten:
    """Ten passages in order, the place of the one that the answer rests on, and all
    that they state.
    """

    passages: tuple[str, ...]
    signal: int
    statements: tuple[Statement, ...]


def ten_passages(quad: Quad, position: int) -> tuple[Ten, Ten]:
    """Return the ten passages of a row and those of its original, which differ in the
    signal passage alone.
    """
    rng = Random(f"{VERSION}:ten:{quad.seed}:{quad.index}:{position}")
    cell: Cell = quad.cells[position]
    words = len(cell.passage.text.split())
    left = _left(quad, cell)
    lots = _lots(quad, left, rng)
    noise = [
        _alike(quad, lot, rng, f"{quad.index}:{position}:{number}", words)
        for number, lot in enumerate(lots)
    ]
    at = rng.randrange(NOISE + 1)
    return _ten(noise, cell.passage, at), _ten(noise, cell.original, at)


def _ten(noise: Sequence[Passage], signal: Passage, at: int) -> Ten:
    passages = [*noise[:at], signal, *noise[at:]]
    texts = tuple(passage.text for passage in passages)
    statements = chain.from_iterable(passage.statements for passage in passages)
    return Ten(texts, at, tuple(statements))


def _left(quad: Quad, cell: Cell) -> dict[Group, list[Relation]]:
    """Return by group the relations that noise may speak of: none of the signal
    passage, nor a part of its sums.

    Else a sum less its other part would give the part that is asked for.
    """
    taken = {relation.noun for relation in quad.relations}
    for statement in (*cell.passage.statements, *cell.original.statements):
        if not isinstance(statement, Named):
            taken.add(statement.relation)
        if isinstance(statement, Fact):
            taken.add(statement.level.removeprefix("with "))
    left: dict[Group, list[Relation]] = {}
    for group in _GROUPS:
        of_group = relations(quad.world.document.name, group)
        untold = [relation for relation in of_group if relation.noun not in taken]
        if untold:
            left[group] = untold
    return left


Lot = tuple[Group, tuple[Relation, ...], str]
"""What a noise passage is about, and its layout."""


def _lots(quad: Quad, left: Mapping[Group, list[Relation]], rng: Random) -> list[Lot]:
    """Return what the noise passages are about: none the same as another, as long as
    there is enough to tell.
    """
    layouts = [*form(quad.world.document.form).layouts, "table"]
    layouts = rng.sample(layouts, len(layouts))
    matters = [
        (group, (relation,)) for group, pool in left.items() for relation in pool
    ]
    rng.shuffle(matters)
    lots: list[tuple[Group, tuple[Relation, ...]]] = []
    for position, (group, new) in enumerate(matters):
        alone = next(
            (at for at, lot in enumerate(lots) if lot[0] == group and len(lot[1]) == 1),
            None,
        )
        if alone is not None and len(lots) + len(matters) - position > NOISE:
            lots[alone] = (group, (*lots[alone][1], *new))
        else:
            lots.append((group, new))
    return [(*lots[at % len(lots)], layouts[at % len(layouts)]) for at in range(NOISE)]


def _alike(quad: Quad, lot: Lot, rng: Random, key: str, words: int) -> Passage:
    """Return a noise passage about so many things that it has about `words` words:
    lengths don't tell the signal.
    """
    wanted = words * rng.uniform(*SPREAD)
    start = rng.getrandbits(64)
    others = quad.world.others
    more = rng.sample(others, len(others))
    first = _noise(quad, Random(start), lot, (), f"{quad.seed}:{key}")
    length = len(first.text.split())
    entries = sum(isinstance(statement, Named) for statement in first.statements)
    most = max(0, round((wanted - length) / (ENTRY * length / entries)))
    if not most:
        return first
    return _noise(quad, Random(start), lot, more[:most], f"{quad.seed}:{key}")


def _noise(quad: Quad, rng: Random, lot: Lot, more: Sequence[str], key: str) -> Passage:
    """Return a document on some of the same things, and more, that speaks of other
    matters.
    """
    world, (group, chosen, layout) = quad.world, lot
    names = [
        name
        for position, name in enumerate(world.names)
        if rng.random() < (NAMED if position < 2 else NAMED_BYSTANDER)
    ]
    if len(names) < 2:
        names = world.names
    matters = [(relation, True) for relation in chosen]
    content: Content = {name: list(matters) for name in [*names, *more]}
    twice = quad.defect.name in TWICE and all(
        relation.type in ("money", "count", "measure") for relation in chosen
    )
    if layout == "table" and group in ("figures", "parts"):
        layout = next(iter(form(world.document.form).layouts))
    setting = QuadSetting(
        layout, rng.random() < 0.7, year=quad.setting.year, twins=quad.setting.twins
    )
    defect = _plain_defect(group, twice and group == "values" and rng.random() < 0.5)
    stale = _stale(rng, group, setting, list(content), chosen)
    return compose(world, defect, setting, content, stale, f"{VERSION}:noise:{key}")


def _plain_defect(group: Group, twice: bool) -> Defect:
    if group == "values" and not twice:
        return OPINION
    if group == "values":
        return next(defect for defect in DEFECTS if defect.name == "rival")
    return next(defect for defect in DEFECTS if defect.group == group)


def _stale(
    rng: Random,
    group: Group,
    setting: QuadSetting,
    names: Sequence[str],
    chosen: Sequence[Relation],
) -> list[tuple[str, Relation]]:
    if group != "values" or setting.twins:
        return []
    return [(name, rng.choice(chosen)) for name in names if rng.random() < 0.3]
