"""Faults in packs and their frames, and in the names and sources of a scene."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from refusalbench_tasks.worlds import quad
from refusalbench_tasks.worlds.lever import Lever
from refusalbench_tasks.worlds.pack import Pack, Relation
from refusalbench_tasks.worlds.quad import Quad
from refusalbench_tasks.worlds.scene import Scene
from tests.worlds.faults.base import Patch, Where, anywhere, asks, described, fault, says, typed


def in_frames(name: str, change: Callable[[Relation, Relation], dict[str, Any]], where: Where = anywhere) -> None:
    """Plant a fault in every relation of a pack, given the relation and another one of the same kind of things."""

    def plant(patch: Patch) -> None:
        drawn = quad._drawn

        def faulty(rng: Random, seed: int, index: int, hard: Lever, of: Pack, relation: Relation) -> Quad:
            several = [_changed(one, _next(of, one), change) for one in of.relations]
            spoilt = of.model_copy(update={"relations": tuple(several)})
            return drawn(rng, seed, index, hard, spoilt, several[of.relations.index(relation)])

        patch.setattr(quad, "_drawn", faulty)

    fault(name, where)(plant)


def _next(of: Pack, one: Relation) -> Relation:
    """Return another relation of the same things, of the same type if there is one."""
    others = [other for other in of.relations if other.subject == one.subject and other.name != one.name]
    return min(others, key=lambda other: other.type != one.type)


def _changed(one: Relation, other: Relation, change: Callable[[Relation, Relation], dict[str, Any]]) -> Relation:
    return one.model_copy(update=change(one, other))


def each(frames: Sequence[str], change: Callable[[str], str]) -> tuple[str, ...]:
    return tuple(change(frame) for frame in frames)


def lowered(frame: str) -> str:
    return frame if frame.startswith("{") else frame[0].lower() + frame[1:]


in_frames(
    "the sentences of another relation",
    lambda one, other: {"states": other.states},
    lambda one: one.relation.type != "flag",
)
in_frames("the questions of another relation", lambda one, other: {"asks": other.asks}, asks("value"))
in_frames(
    "the nouns of another relation",
    lambda one, other: {"attribute": other.attribute},
    asks("compare", "difference", "sum"),
)
in_frames("the description of another relation", lambda one, other: {"inverse": other.inverse}, described)
in_frames("a flag denied in the words that state it", lambda one, other: {"denies": one.states}, typed("flag"))
in_frames("a flag stated in the words that deny it", lambda one, other: {"states": one.denies}, typed("flag"))
in_frames(
    "a sentence without its value", lambda one, other: {"states": each(one.states, lambda x: x.replace(" {V}", ""))}
)
in_frames(
    "a sentence that denies what it should state",
    lambda one, other: {"states": each(one.states, lambda x: f"It is not true that {lowered(x)}")},
)
in_frames(
    "a sentence about nobody", lambda one, other: {"states": each(one.states, lambda x: x.replace("{S}", "that place"))}
)
in_frames(
    "a value given roughly that is exact",
    lambda one, other: {"states": each(one.states, lambda x: x.replace("{V}", "about {V}"))},
    typed("count", "money", "measure"),
)
in_frames(
    "a second value in the same sentence",
    lambda one, other: {"states": each(one.states, lambda x: x.replace("{V}", "1899 and {V}"))},
    typed("year"),
)
in_frames(
    "a bare sentence that gives a value",
    lambda one, other: {"bare": each(one.states, lambda x: x.replace("{V}", "1899"))},
    lambda one: (
        one.relation.type == "year"
        and one.cells[1].lever.name in ("Missing Temporal Adjunct", "Answer Clause Excised", "Modal Dilution")
    ),
)


@fault("two things of one name")
def one_name(patch: Patch) -> None:
    made = Scene.new
    patch.setattr(
        Scene, "new", lambda self, kind: made(self, kind) if kind != self.relation.subject else "the Old Place"
    )


@fault("the rank of a source turned upside down", says("According|account of"))
def rank_turned(patch: Patch) -> None:
    named = Scene.source
    patch.setattr(Scene, "source", lambda self, rank: named(self, 2 - rank))
