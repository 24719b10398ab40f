"""Faults in the idle sentences."""

from collections.abc import Callable

from refusalbench_tasks.worlds import text
from refusalbench_tasks.worlds.block import Block, Sentence, block
from refusalbench_tasks.worlds.quad import Quad
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.template import fill
from tests.worlds.faults.base import Patch, Where, anywhere, fault


def in_filler(name: str, told: Callable[[Scene, str], Block], where: Where = anywhere) -> None:
    """Plant a sentence about the two things among the idle ones."""

    def plant(patch: Patch) -> None:
        right = vars(text)["idle"]
        patch.setattr(
            text,
            "idle",
            lambda stage, blocks, register: [
                *right(stage, blocks, register),
                *(told(stage, one) for one in (stage.a, stage.b)),
            ],
        )

    fault(name, where)(plant)


def silent(right: Block) -> Block:
    """Return a block that states what it does not admit to state."""
    return Block(tuple(Sentence(one.text) for one in right.sentences))


def plain(one: Quad) -> bool:
    return one.relation.type not in ("flag", "names")


in_filler(
    "filler that states a rival value", lambda stage, one: silent(stage.state(one, value=stage.rival(one))), plain
)
in_filler(
    "filler that states the value that is missing",
    lambda stage, one: silent(stage.state(one)),
    lambda one: one.cells[0].lever.perturbation.value == "P-MissingInfo",
)
in_filler(
    "filler that states a rival value, and says so", lambda stage, one: stage.state(one, value=stage.rival(one)), plain
)
in_filler(
    "filler that denies the event",
    lambda stage, one: block(fill(stage.relation.denies[0], {"S": one}) if stage.relation.denies else ""),
    lambda one: bool(one.relation.denies) and one.relation.type != "flag",
)
in_filler("filler with a figure that nobody can place", lambda stage, one: block(f"{one} lost 14 umbrellas."))
