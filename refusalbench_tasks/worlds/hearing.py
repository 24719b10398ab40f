"""A question with all that its sources may say, drawn from a seed."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random

from refusalbench_tasks.worlds.factorial import Plan, plan
from refusalbench_tasks.worlds.names import Names
from refusalbench_tasks.worlds.pack import Pack, pack
from refusalbench_tasks.worlds.persona import script
from refusalbench_tasks.worlds.scene import Scene, near
from refusalbench_tasks.worlds.sources import CHANGED, SPEAKERS, Hearing, Matter, asked_relations, slots_of
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value

VERSION = "RBH5"
"""The version of the items: the same seed and index give the same question as long as it stands."""
DRAWS = "RBH3"
"""The version whose draws these are: a change of a few wordings draws nothing anew."""
LATEST = 2012
"""The last year in which something may have happened that a source tells of: stale sources are younger."""
MANY = 200
"""Draws after which values that must lie apart are drawn anew."""


def hearing(seed: int, index: int, domains: Sequence[str]) -> Hearing:
    """Return question `index` of a seed with all that its sources may say; it depends on nothing else."""
    rng = Random(f"{DRAWS}:{seed}:{index}")
    due = plan(index)
    # one step more in each round, so that no domain goes with one plan alone
    domain = domains[(index + index // len(domains)) % len(domains)]
    scene = _scene(rng, _early(domain), due)
    relation = scene.relation
    year = rng.randint(*CHANGED)
    frames = {"outdated": script().current, "vague": script().exact}.get(due.gap, relation.states)
    return Hearing(
        plan=due,
        scene=scene,
        question=fill(rng.choice(relation.asks), {"S": scene.a}),
        year=year,
        attributes=tuple(rng.choice(_short(relation.attribute)) for _ in range(SPEAKERS)),
        frames=tuple(rng.sample(frames, SPEAKERS)),
        **_matters(scene, due),
        slots=slots_of(scene, due),
    )


def _short(attributes: Sequence[str]) -> Sequence[str]:
    """Return the noun phrases without "of", for that of the thing follows them; all where each has one."""
    return [one for one in attributes if " of " not in one] or attributes


def _scene(rng: Random, of: Pack, due: Plan) -> Scene:
    # things of which little can be said would have all sources say the same
    main = max(sorted(of.kinds), key=lambda kind: sum(one.subject == kind for one in of.relations))
    relation = rng.choice(asked_relations([one for one in of.relations if one.subject == main], due))
    scene = Scene(rng, Names(rng), of, relation, relation, "", "", [], "")
    return replace(scene, a=scene.thing(), b=scene.thing())


@cache
def _early(domain: str) -> Pack:
    """Return a pack in which nothing happens after LATEST."""
    of = pack(domain)
    late = [one for one in of.relations if one.type in ("year", "date") and one.high > LATEST]
    changed = {one.name: one.model_copy(update={"high": LATEST}) for one in late}
    return of.model_copy(update={"relations": tuple(changed.get(one.name, one) for one in of.relations)})


def _matters(scene: Scene, due: Plan) -> dict[str, Matter]:
    """Return what may be said of the thing that is asked about, and what in its place: four values, all apart."""
    if due.gap == "vague":
        return _bounded(scene)
    first, second, third, fourth = _apart(scene, 4)
    full = Matter(scene.a, first, second)
    other = scene.a if due.gap == "outdated" else scene.b
    return {"full": full, "short": Matter(other, third, fourth, current=due.gap == "missing")}


def _bounded(scene: Scene) -> dict[str, Matter]:
    """Return two values that lie apart, and bounds about each of which no value lies between those of the other."""
    while True:
        first, second = _apart(scene, 2)
        (low, high), (rival_low, rival_high) = _bounds(scene, first), _bounds(scene, second)
        short = Matter(scene.a, low, rival_low, upto=(high, rival_high))
        if short.claim("reliable").excludes(short.claim("reliable", rival=True)):
            return {"full": Matter(scene.a, first, second), "short": short}


def _bounds(scene: Scene, value: Value) -> tuple[Value, Value]:
    """Return a number below and one above a value: some years away, or from a fifth to a half of it."""
    rng, number = scene.rng, round(value.number)
    if value.type == "year":
        return replace(value, content=number - rng.randint(3, 6)), replace(
            value, content=min(number + rng.randint(3, 6), LATEST)
        )
    below, above = (max(2, round(number * rng.uniform(0.2, 0.5))) for _ in range(2))
    return replace(value, content=max(1, number - below)), replace(value, content=number + above)


def _apart(scene: Scene, number: int) -> list[Value]:
    """Return values of the asked relation of which no two are near each other."""
    found: list[Value] = []
    tried = 0
    while len(found) < number:
        value, tried = scene.draw(scene.relation), tried + 1
        if tried % MANY == 0:
            # values drawn first may leave no room for the others
            found.clear()
        if not any(near(value, one) for one in found):
            found.append(value)
    return found
