"""Ten passages for a row: the one that the quad has, and nine other documents on the same things."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from refusalbench_tasks.worlds.defects import DEFECTS, OPINION, Defect
from refusalbench_tasks.worlds.document import Group, Relation, form, relations
from refusalbench_tasks.worlds.passage import TWICE, Content, Passage, Setting, compose
from refusalbench_tasks.worlds.quad import VERSION, Cell, Quad
from refusalbench_tasks.worlds.statement import Fact, Named, Statement

NOISE = 9
NAMED = 0.9
"""How often a noise passage speaks of each of the two asked things."""
SPREAD = (0.75, 1.35)
"""How long noise passages should be, as a share of the signal passage."""
_GROUPS: tuple[Group, ...] = ("values", "figures", "uses", "parts")


@dataclass(frozen=True)
class Ten:
    """Ten passages in order, the place of the one that the answer rests on, and all that they state."""

    passages: tuple[str, ...]
    signal: int
    statements: tuple[Statement, ...]


def ten_passages(quad: Quad, place: int) -> tuple[Ten, Ten]:
    """Return the ten passages of a row and those of its original, which differ in the signal passage alone."""
    rng = Random(f"{VERSION}:ten:{quad.seed}:{quad.index}:{place}")
    cell: Cell = quad.cells[place]
    words = len(cell.passage.text.split())
    left = _left(quad, cell)
    lots = _lots(quad, left, rng)
    noise = [_alike(quad, lot, rng, f"{quad.index}:{place}:{number}", words) for number, lot in enumerate(lots)]
    at = rng.randrange(NOISE + 1)
    row, original = (_ten(noise, one, at) for one in (cell.passage, cell.original))
    return row, original


def _ten(noise: Sequence[Passage], signal: Passage, at: int) -> Ten:
    passages = [*noise[:at], signal, *noise[at:]]
    return Ten(tuple(one.text for one in passages), at, tuple(said for one in passages for said in one.statements))


def _left(quad: Quad, cell: Cell) -> dict[Group, list[Relation]]:
    """Return by group the relations that noise may speak of: none of the signal passage, nor a part of its sums.

    Else a sum less its other part would give the part that is asked for. Groups with fewer than two are left out.
    """
    taken = {one.noun for one in quad.relations}
    for said in (*cell.passage.statements, *cell.original.statements):
        if not isinstance(said, Named):
            taken.add(said.relation)
        if isinstance(said, Fact):
            taken.add(said.level.removeprefix("with "))
    found = {group: [one for one in relations(quad.world.document.name, group) if one.noun not in taken]
             for group in _GROUPS}  # fmt: skip
    return {group: pool for group, pool in found.items() if len(pool) > 1}


@dataclass(frozen=True)
class _Lot:
    """What a noise passage is about, most important first, and how it is set."""

    group: Group
    relations: tuple[Relation, ...]
    layout: str


def _lots(quad: Quad, left: Mapping[Group, list[Relation]], rng: Random) -> list[_Lot]:
    """Return what the noise passages are about: groups and layouts take turns, and none begins as another does."""
    groups, layouts = rng.sample(list(left), len(left)), list(form(quad.world.document.form).layouts)
    mixed = {group: rng.sample(pool, len(pool)) for group, pool in left.items()}
    lots = []
    for number in range(NOISE):
        group = groups[number % len(groups)]
        at = number // len(groups) * 2 % len(left[group])
        layout = rng.choice([*layouts, *["table"] * 2 * (group in ("values", "uses"))])
        lots.append(_Lot(group, (*mixed[group][at:], *mixed[group][:at]), layout))
    return lots


def _alike(quad: Quad, lot: _Lot, rng: Random, key: str, words: int) -> Passage:
    """Return the noise passage, of some with ever more relations, whose length is nearest to one drawn about `words`.

    So lengths don't tell the signal passage.
    """
    wanted, start = words * rng.uniform(*SPREAD), rng.getrandbits(64)
    made = [_noise(quad, Random(start), lot, most, f"{quad.seed}:{key}") for most in (1, 2, 3, 5)]
    return min(made, key=lambda one: abs(len(one.text.split()) - wanted))


def _noise(quad: Quad, rng: Random, lot: _Lot, most: int, key: str) -> Passage:
    """Return a document on the same things that speaks of so many relations."""
    world, chosen = quad.world, lot.relations[:most]
    names = [name for place, name in enumerate(world.names) if rng.random() < (NAMED if place < 2 else 0.75)]
    content: Content = {name: [(one, True) for one in chosen] for name in names or world.names}
    twice = quad.defect.name in TWICE and all(one.type in ("money", "count", "measure") for one in chosen)
    setting = Setting(lot.layout, rng.random() < 0.7, year=quad.setting.year, twins=quad.setting.twins)
    defect = _plain_defect(lot.group, twice and lot.group == "values" and rng.random() < 0.5)
    stale = _stale(rng, lot.group, setting, list(content), chosen)
    return compose(world, defect, setting, content, stale, f"{VERSION}:noise:{key}")


def _plain_defect(group: Group, twice: bool) -> Defect:
    if group == "values":
        return next(one for one in DEFECTS if one.name == "rival") if twice else OPINION
    return next(one for one in DEFECTS if one.group == group)


def _stale(
    rng: Random, group: Group, setting: Setting, names: Sequence[str], chosen: Sequence[Relation]
) -> list[tuple[str, Relation]]:
    if group != "values" or setting.twins:
        return []
    return [(name, rng.choice(chosen)) for name in names if rng.random() < 0.3]
