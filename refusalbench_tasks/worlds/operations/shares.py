"""Levers of P-GranularityMismatch whose question is about a share in a whole, or the middle one of its parts."""

from statistics import median

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import Block, joined
from refusalbench_tasks.worlds.lever import Lever, lever
from refusalbench_tasks.worlds.operations.group import additive, entries, line, named, parts_of
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.scenario import Posed, each, has_whole, scenario, wholes
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.solve import Impure
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value

GRANULARITY, LOW, MEDIUM = PerturbationClass.GRANULARITY, Intensity.LOW, Intensity.MEDIUM

SHARE = (
    "What share of the total {attribute} of {W} does {S} make up, in per cent?",
    "What percentage of the total {attribute} of {W} falls to {S}?",
    "In per cent, how much of the {attribute} of {W} as a whole is that of {S}?",
    "How many per cent of the total {attribute} of all {plural} of {W} belong to {S}?",
)
MEDIAN = (
    "What is the median {attribute} of all {plural} of {S}?",
    "Which {attribute} lies in the middle when all {plural} of {S} are put in order by it?",
    "Counting all {plural} of {S}, what is the median of the {attribute}?",
    "For {S} as a whole, what is the median {attribute} of its {plural}?",
)
LUMP = (
    "The other {k} have {an_attribute} of {V} between them.",
    "The remaining {k} are entered together, with {an_attribute} of {V}.",
    "For the {k} others there is only one joint entry: {V}.",
    "What is left is the joint {attribute} of the other {k}: {V}.",
)
PER_CENT = (2, 4, 5, 10, 20, 25)


@scenario("share", plain=lambda scene, subject: _stated(scene, subject, 0), fits=has_whole)
def share_of_the_whole(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask what share of its whole a thing makes up."""
    kind = scene.pack.kinds[scene.relation.subject].whole
    scene.fixed |= {subject: scene.new(kind) for subject in (scene.a, scene.b)}
    return each(scene, lambda subject: _asked(scene, subject), 2)


def _asked(scene: Scene, subject: str) -> Question:
    whole = scene.fixed[subject]
    text = fill(scene.rng.choice(SHARE), scene.slots(subject, {"W": whole}))
    return Question(text, Ask("share", scene.relation.name, (subject, whole)))


def _stated(scene: Scene, subject: str, peers: int) -> list[Block]:
    """Return the figure of a thing, those of some peers, and the total of their whole."""
    whole, relation, own = scene.fixed[subject], scene.relation, scene.value(subject)
    names = parts_of(scene, peers)
    known = sum(scene.value(name).number for name in (subject, *names))
    fitting = [part for part in PER_CENT if own.number * 100 // part > known]
    if not fitting:
        raise Impure("the peers alone are more than any total")
    total = Value(relation.type, int(own.number * 100 // scene.rng.choice(fitting)), relation.unit)
    parts = scene.rng.sample([subject, *names], peers + 1)
    return [
        joined(named(scene, whole, parts, peers + scene.rng.randint(3, 9)), entries(scene, parts)),
        line(scene, whole, "total", total),
    ]


@lever(GRANULARITY, LOW, "Explicit Total Line", scenario="share", fits=additive)
def with_the_total(scene: Scene, subject: str) -> list[Block]:
    """Give the thing, some peers and the total."""
    return _stated(scene, subject, scene.rng.randint(1, 2))


@lever(GRANULARITY, MEDIUM, "Micro-to-Macro Proportion", scenario="share", fits=additive)
def without_the_total(scene: Scene, subject: str) -> list[Block]:
    """Give the thing and some peers, and nothing of the whole."""
    return _stated(scene, subject, scene.rng.randint(1, 2))[:1]


def _listed(scene: Scene, whole: str, count: int) -> tuple[list[str], list[float]]:
    parts = parts_of(scene, count)
    return parts, [scene.value(part).number for part in parts]


def _median_plain(scene: Scene, whole: str) -> list[Block]:
    return [line(scene, whole, "median", scene.value(whole))]


@scenario("median", cast=wholes, plain=_median_plain, fits=has_whole)
def middle_one(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask for the median over all parts of a whole."""
    return each(
        scene,
        lambda whole: Question(
            fill(scene.rng.choice(MEDIAN), scene.slots(whole)), Ask("median", scene.relation.name, (whole,))
        ),
    )


@lever(GRANULARITY, LOW, "Explicit Total Line", scenario="median", fits=additive)
def with_the_median(scene: Scene, whole: str) -> list[Block]:
    """Give all parts, and the median beside them."""
    parts, numbers = _listed(scene, whole, scene.rng.choice((3, 5)))
    value = Value(scene.relation.type, int(median(numbers)), scene.relation.unit)
    return [
        joined(named(scene, whole, parts, len(parts)), entries(scene, parts)),
        line(scene, whole, "median", value),
    ]


@lever(GRANULARITY, MEDIUM, "Median-With-Missing Member", scenario="median", fits=additive)
def one_lump(scene: Scene, whole: str) -> list[Block]:
    """Give some parts singly and the others as one sum that leaves the middle one open."""
    parts, numbers = _listed(scene, whole, scene.rng.choice((3, 4)))
    missing = 7 - len(parts)
    lump = int(sum(scene.draw(scene.relation).number for _ in range(missing)))
    spread, piled = [lump / missing] * missing, [0.0] * (missing - 1) + [float(lump)]
    if median([*numbers, *spread]) == median([*numbers, *piled]):
        raise Impure("the middle one is the same however the sum is split")
    value = Value(scene.relation.type, lump, scene.relation.unit)
    said = [Fact(f"the others of {whole}", f"total {scene.relation.name}", value)]
    return [
        joined(
            named(scene, whole, parts, 7),
            entries(scene, parts),
            scene.say(LUMP, said, whole, k=str(missing), V=value),
        )
    ]
