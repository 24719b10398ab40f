"""Levers of P-MissingInfo that give figures without the one that is asked for or needed."""

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block, Sentence, joined
from refusalbench_tasks.worlds.lever import Told, lever
from refusalbench_tasks.worlds.operations.group import entries, measured, members, named
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact, Unrecorded
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value, written

MISSING, MEDIUM, HIGH = PerturbationClass.MISSING_INFO, Intensity.MEDIUM, Intensity.HIGH

CAPTIONS = (
    "Table: {attribute} by {noun}",
    "(Overview|Survey|Summary) of some {plural}: {attribute}",
    "(List|Register|Index|Roll) of {plural} with their {attribute}",
    "(Extract|Lines|Page) from the files on {plural}: {attribute}",
    "(Some|A few|Several) {plural}, (listed|entered|arranged) with their {attribute}",
    "{plural} and their {attribute}",
    "{attribute} of (some|a few|several) {plural}",
)
GAPS = (
    "not entered",
    "(left blank)",
    "no entry",
    "(empty)",
    "nothing entered",
)
UNRECORDED = (
    "there is no record of the {attribute} of {P}( anywhere| in the files|).",
    "the {attribute} of {P} was (not|never) (noted down|recorded|put on record).",
    "for {P}, nobody (has kept|kept|ever kept) (a|any) record of the {attribute}.",
    "the {attribute} of {P} is (not on file|not on record)( at all|).",
    "nobody (has |)(noted|recorded) the {attribute} of {P}(, whatever the reason|, for once|).",
)
EMPTY = ("| – | – |", "| ... | ... |", "| no entry | – |", "| (to be filled in) | |")


def _tabular(relation: Relation) -> bool:
    return relation.type in ("year", "date", "time", "count", "money", "measure", "person", "place", "kind")


def table(scene: Scene, subject: str, rows: list[tuple[str, Value | str]]) -> Block:
    """Return a table of the asked relation: things with their values, or with what stands in place of a value."""
    slots = scene.slots(subject)
    head = f"{fill(scene.rng.choice(CAPTIONS), slots)}\n| Name | {slots['attribute'].capitalize()} |\n|---|---|"
    lines = [Sentence(head)]
    for name, shown in rows:
        facts = (Fact(name, scene.relation.name, shown),) if isinstance(shown, Value) else ()
        text = written(shown) if isinstance(shown, Value) else shown
        lines.append(Sentence(f"| {name} | {text} |", facts))
    return Block(tuple(lines), figure=True)


def _rows(scene: Scene) -> list[tuple[str, Value | str]]:
    return [(name, scene.value(name)) for name in scene.others[2:4]]


@lever(MISSING, MEDIUM, "Table Gap", fits=_tabular, echo=True)
def table_gap(scene: Scene, subject: str) -> Told:
    """Give a table with an empty cell in the row that is asked for."""
    rows = _rows(scene)
    place = scene.rng.randint(0, len(rows))
    full = [*rows[:place], (subject, scene.value(subject)), *rows[place:]]
    gap = [*rows[:place], (subject, scene.rng.choice(GAPS)), *rows[place:]]
    return Told([table(scene, subject, gap)], [table(scene, subject, full)])


@lever(MISSING, HIGH, "Zero-Row Table", fits=_tabular, echo=True)
def zero_row_table(scene: Scene, subject: str) -> Told:
    """Give a table with a header and no row."""
    empty = table(scene, subject, [])
    nothing = Sentence(scene.rng.choice(EMPTY))
    full = table(scene, subject, [(subject, scene.value(subject))])
    return Told([Block((*empty.sentences, nothing), figure=True)], [full])


@lever(MISSING, MEDIUM, "Average From Individual", scenario="aggregate", fits=measured, operators=("mean",))
def average_from_individual(scene: Scene, whole: str) -> Told:
    """Name all parts, and give the figures of all but one, which is not on record."""
    parts = members(scene, whole)
    lost = scene.rng.choice(parts)
    names = named(scene, whole, parts, len(parts))
    gap = scene.say(UNRECORDED, [Unrecorded(lost, scene.relation.name)], whole, P=lost)
    told = joined(names, entries(scene, [one for one in parts if one != lost]))
    return Told([joined(told, gap)], [joined(told, entries(scene, [lost]))])
