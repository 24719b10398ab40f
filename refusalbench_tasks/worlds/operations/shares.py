"""Levers of P-GranularityMismatch whose question is about a share in a whole, or the middle one of its parts."""

from collections.abc import Sequence
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
    "What percentage of all {things} of the {plural} of {W} are those of {S}?",
    "Of all {things} (within|of) {W}, what percentage are those of {S}?",
    "(Out of|Of) all {things} that the {plural} of {W} have together, how many per cent are those of {S}?",
    "In per cent, what (share|proportion) of all {things} of {W} does {S} (have|account for)?",
    "How large, in per cent, is the share of {S} in all {things} of {W}?",
    "Counting the {things} of all {plural} of {W}, what percentage of them (does {S} have|falls to {S}|belongs to "
    "{S})?",
)
MEDIAN = (
    "What is the median {attribute} of all {plural} of {S}?",
    "Which {attribute} lies in the middle when all {plural} of {S} are (put in order|lined up|ranked) by it?",
    "(Counting|Looking at) all {plural} of {S}, what is the median of the {attribute}?",
    "For {S} as a whole, what is the median {attribute} of its {plural}?",
)
LUMP = (
    "the other {k} (have|show|come to) {an_attribute} of {V} (between them|in sum|taken together|put together).",
    "the (remaining|other) {k} are (entered|listed|given|counted) (together|as one|in one line|in a single sum), with "
    "{an_attribute} of {V}.",
    "for the {k} others there is only (one joint|a single joint|a common) entry: {V}.",
    "(what is left|what remains|the rest) is the joint {attribute} of the other {k}: {V}.",
    "as for the other {k}, (only|nothing but) their joint {attribute} is (given|noted|on the page): {V}.",
    "(nobody|no one) has (split up|broken down|divided up) the {attribute} of the other {k}, {V} (in sum|together|in "
    "all).",
)
BY_ITSELF = (
    "the {attribute} is (kept|entered|noted) (for each|for every) {noun} (by itself|on its own|singly|separately), "
    "{more}.",
    "(these|such) figures are (given|entered|kept) {noun} by {noun}, {more}.",
    "(on this page|here|in this list), the {attribute} is told of (each|every) {noun} (by itself|on its own|"
    "separately), "
    "{more}.",
    "the {attribute} has been (recorded|noted|written down) {noun} by {noun}, {more}.",
    "(the clerks|the writers|those who keep the list) (note|enter|record) the {attribute} from {noun} to {noun}, "
    "{more}.",
)
ALSO = ("and also for {W} as a whole", "and for the whole of {W} as well", "and for all of {W} together too")
ONLY = ("not for {W} as a whole", "never for the whole of {W}", "nowhere for all of {W} together")
"""At which scales a text gives figures."""
PER_CENT = (2, 4, 5, 10, 20, 25)


@scenario("share", plain=lambda scene, subject: _stated(scene, subject, 0), fits=has_whole)
def share_of_the_whole(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask what share of its whole a thing makes up."""
    kind = scene.pack.kinds[scene.relation.subject].whole
    scene.fixed |= {subject: scene.new(kind) for subject in (scene.a, scene.b)}
    return each(scene, lambda subject: _asked(scene, subject), 2)


def _asked(scene: Scene, subject: str) -> Question:
    whole = scene.fixed[subject]
    things = scene.relation.attribute[0].removeprefix("number of ")
    text = fill(scene.rng.choice(SHARE), scene.slots(subject, {"W": whole, "things": things}))
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
    """Give the thing, some peers and the total: figures of two scales."""
    names, total = _stated(scene, subject, scene.rng.randint(1, 2))
    return [joined(names, _scale(scene, subject, ALSO)), total]


@lever(GRANULARITY, MEDIUM, "Micro-to-Macro Proportion", scenario="share", fits=additive)
def without_the_total(scene: Scene, subject: str) -> list[Block]:
    """Give the thing and some peers, and say that figures are kept at their scale and not at that of the whole."""
    names, _ = _stated(scene, subject, scene.rng.randint(1, 2))
    return [joined(names, _scale(scene, subject, ONLY))]


def _scale(scene: Scene, subject: str, more: Sequence[str]) -> Block:
    """Return the sentence that says at which scale figures are given."""
    whole = scene.fixed[subject]
    return scene.say(BY_ITSELF, [], subject, more=scene.rng.choice(more).replace("{W}", whole))


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
