"""Levers of P-Contradiction: the text gives two values of what is asked, and nothing settles it."""

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.lever import lever
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact

CONTRADICTION, LOW, MEDIUM = PerturbationClass.CONTRADICTION, Intensity.LOW, Intensity.MEDIUM

_QUOTES = (
    "According to {source}, the {attribute} of {S} is {V}.",
    "{source} gives {V} as the {attribute} of {S}.",
)


def quoted(scene: Scene, subject: str, value: object, source: str, rank: int) -> Block:
    """Return what a source says the value is."""
    fact = Fact(subject, scene.relation.name, value, source=source, rank=rank)  # type: ignore[arg-type]
    return scene.say(_QUOTES, [fact], subject, source=source, V=value)  # type: ignore[arg-type]


@lever(CONTRADICTION, LOW, "Fringe vs. Official Source")
def fringe_and_official(scene: Scene, subject: str) -> list[Block]:
    """Let hearsay disagree with an official source."""
    official = scene.rng.choice([name for name, rank in scene.pack.sources if rank == 2])
    fringe = scene.rng.choice([name for name, rank in scene.pack.sources if rank == 0])
    return [
        quoted(scene, subject, scene.value(subject), official, 2),
        quoted(scene, subject, scene.rival(subject), fringe, 0),
    ]


@lever(CONTRADICTION, MEDIUM, "Dual-authoritative Dates", fits=lambda relation: relation.type in ("year", "date"))
def two_authorities(scene: Scene, subject: str) -> list[Block]:
    """Let two official sources disagree."""
    first, second = scene.rng.sample([name for name, rank in scene.pack.sources if rank == 2], 2)
    return [
        quoted(scene, subject, scene.value(subject), first, 2),
        quoted(scene, subject, scene.rival(subject), second, 2),
    ]
