"""Groups: the parts of a whole, named in full or in part, and the line that sums them up."""

from collections.abc import Sequence

from refusalbench_tasks.worlds.block import Block, joined
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.solve import Impure
from refusalbench_tasks.worlds.statement import Extent, Fact, Part, Statement
from refusalbench_tasks.worlds.values import SUMMED, Value

COMPLETE = (
    "{S} (has|counts|includes|boasts|lists) {n} {plural}( at present| today| just now|)(:|, namely|, and these are) "
    "{parts}.",
    "the {n} {plural} (of|under|within|belonging to) {S} (are|are called|are named) {parts}.",
    "there are {n} {plural} (in|under|within) {S}( today| at the moment|)(:|, namely|, and they are called) {parts}.",
    "{parts} are the {n} {plural} (of|under|within) {S}(, and there are no others|, no more and no fewer|, and with "
    "them the list is complete|).",
    "(on the books|on the rolls|in the ledger|in the accounts) of {S} (are|stand|one finds) {n} {plural}: {parts}.",
    "{n} {plural} (belong to|are part of|form part of|come under) {S}(:|, namely|, and their names are) {parts}.",
    "(whoever|anyone who) counts the {plural} of {S} (finds|will find|gets to) {n} {plural}: {parts}.",
    "the list kept by {S} (holds|has|contains|gives) {n} {plural}(:|, namely|, which are) {parts}.",
    "{S} (has|includes|lists) {parts}, (that is|which makes|in sum) {n} {plural} and (no more|none besides|not one "
    "more).",
)
SOME = (
    "{S} (has|counts|includes|boasts|lists) {n} {plural}(, among them|, such as|, including) {parts}.",
    "among the {n} {plural} (of|under|within|belonging to) {S} (are|one finds|you will find|there are) {parts}.",
    "{parts} are (only |just |merely |){k} of the {n} {plural} (of|under|within|belonging to) {S}.",
    "(of|out of) the {n} {plural} (of|under|within|in) {S}, {k} are( called| named|) {parts}.",
    "there are {n} {plural} (in|under|within) {S}( today| at present|), {parts} being {k} of them.",
    "{parts} (belong to|are among|count among|figure among|rank among) the {n} {plural} (of|under|within) {S}.",
    "{n} {plural} (belong to|are part of|form part of|come under) {S}, {parts} (among them|being {k} of them|"
    "included).",
    "{S} (counts|has|lists|musters) {n} {plural}( by now| nowadays||), and {k} of them are {parts}.",
    "(whoever|anyone who) (looks up|leafs through|goes through) the {n} {plural} of {S} (comes across|will meet|soon "
    "gets to) {parts} among them.",
)
LINES: dict[str, tuple[str, ...]] = {
    "total": (
        "the (total|combined|aggregate|overall) {attribute} (of|for) (all|the|all the) {plural} (of|under|within) {S} "
        "(is|comes to|amounts to|stands at|makes) {V}.",
        "(taken together|put together|all told|added up|in all|altogether), the {plural} (of|under|within) {S} (come "
        "to|arrive at|reach|have) {an_attribute} of {V}.",
        "for {S} as a whole, the {attribute} (adds up to|totals|comes to|sums to|is|amounts to) {V}.",
        "(summed|added up|summed up|reckoned together) over (all|all the) {plural} of {S}, the {attribute} (is|comes "
        "to|makes|amounts to) {V}.",
        "(a clerk|somebody|an accountant|an auditor|a careful hand) has (added up|summed up|totted up together) the "
        "{attribute} of all {plural} of {S} and (got|arrived at|come to|reached) {V}.",
        "{V} is the {attribute} of all {plural} of {S} (taken together|together|added up|combined).",
        "(adding|putting|lumping) the {plural} of {S} together (gives|yields|makes for|leads to) {an_attribute} of "
        "{V}.",
        "the {plural} of {S} (have|show|come to) {an_attribute} of {V} (between them|in all|all told|when taken "
        "together|when added up).",
        "(at the foot of the page|under the line|at the bottom|below them) (stands|is|one reads) the total {attribute} "
        "of all {plural} of {S}: {V}.",
    ),
    "mean": (
        "the (mean|average) {attribute} (of|for|over|across) (all|the|all the) {plural} (of|under|within) {S} (is|"
        "comes to|works out at|stands at|lies at) {V}.",
        "on average, the {attribute} (of|for) (the|all|all the) {plural} (of|under|within) {S} (is|comes to|lies at|"
        "works out at) {V}.",
        "for {S} as a whole, the {attribute} (averages|is on average|comes on average to|has a mean of) {V}.",
        "(averaged|taken as a mean) over (all|all the) {plural} of {S}, the {attribute} (is|comes to|works out at|"
        "stands at) {V}.",
        "(taking|working out|forming) the (average|mean) (of|over) all {plural} of {S}, (one gets|one arrives at|you "
        "end up with) {an_attribute} of {V}.",
        "{V} is the (mean|average) {attribute} (of|for|over|across) (all|the) {plural} (of|under|within) {S}.",
        "the {plural} (of|under|within) {S} (have|show|come to), on average, {an_attribute} of {V}.",
        "(a mean|an average) {attribute} of {V} (was worked out|has been found|results|comes out) for (all|the) "
        "{plural} of {S}.",
        "(a clerk|somebody|an accountant|an auditor) has (averaged|taken the mean of) the {attribute} of all {plural} "
        "of {S} and (got|arrived at|come to|reached) {V}.",
    ),
    "median": (
        "the median {attribute} (of|for|among|over) (all|the|all the) {plural} (of|under|within) {S} (is|lies at|"
        "stands at|comes to) {V}.",
        "(half-way|midway|exactly half-way) (up|down|along) the list of the {plural} of {S} the {attribute} is {V}: "
        "the median.",
        "for {S} as a whole, the median (of the {attribute}|{attribute}) (is|lies at|stands at|comes to) {V}.",
        "the {plural} (of|under|within) {S} (have|show|come to) a median {attribute} of {V}.",
        "{V} is the median {attribute} (of|for|among|over) (all|the) {plural} (of|under|within) {S}.",
        "when (the|all) {plural} of {S} are (lined up|put in order|ranked|sorted) by {attribute}, the median (is|lies "
        "at|turns out to be) {V}.",
        "(a clerk|somebody|an accountant|an auditor) has (worked out|looked for|noted) the median {attribute} of the "
        "{plural} of {S} and (got|arrived at|found) {V}.",
    ),
}


def measured(relation: Relation) -> bool:
    """Return whether values of single things can be averaged."""
    return relation.type in SUMMED


def additive(relation: Relation) -> bool:
    """Return whether the values of all parts of a whole have a total that means something."""
    return relation.type in SUMMED and relation.summed


def parts_of(scene: Scene, count: int) -> list[str]:
    """Return the names of fresh things of the kind that the relation is asked of."""
    return [scene.thing() for _ in range(count)]


def named(scene: Scene, whole: str, parts: Sequence[str], extent: int) -> Block:
    """Return the sentence that names parts of a whole and says how many it has."""
    patterns = COMPLETE if extent == len(parts) else SOME
    said: list[Statement] = [Extent(whole, extent), *(Part(part, whole) for part in parts)]
    names = Value("names", tuple(parts))
    return scene.say(patterns, said, whole, parts=names, n=str(extent), k=str(len(parts)))


def members(scene: Scene, whole: str) -> list[str]:
    """Return the parts of a whole, the same each time; the mean of their values is a whole number.

    Raises Impure if none are found.
    """
    key = (whole, "members")
    for _ in range(60):
        if key in scene.memory:
            return scene.memory[key].split("|")
        parts = parts_of(scene, scene.rng.randint(3, 4))
        if sum(scene.value(part).number for part in parts) % len(parts) == 0:
            scene.memory[key] = "|".join(parts)
    raise Impure("no parts with a mean that is a whole number")


def told_in_full(scene: Scene, whole: str) -> Block:
    """Return all parts of a whole, by name and with their values."""
    parts = members(scene, whole)
    return joined(named(scene, whole, parts, len(parts)), entries(scene, parts))


def entries(scene: Scene, parts: Sequence[str]) -> Block:
    """Return a plain sentence for each part."""
    return joined(*(Block(scene.state(part).sentences) for part in parts))


def line(scene: Scene, whole: str, aggregate: str, value: Value) -> Block:
    """Return the sentence that gives an aggregate over all parts of a whole."""
    return scene.say(LINES[aggregate], [Fact(whole, f"{aggregate} {scene.relation.name}", value)], whole, V=value)
