"""Levers of P-GranularityMismatch whose question is about a period: a year, a decade, or the change over many years."""

from collections.abc import Sequence

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import Block, joined
from refusalbench_tasks.worlds.lever import Lever, lever
from refusalbench_tasks.worlds.operations.group import measured
from refusalbench_tasks.worlds.operations.telling import terms
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.query import Ask, Operator
from refusalbench_tasks.worlds.scenario import Posed, each, scenario
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value

GRANULARITY, LOW, MEDIUM = PerturbationClass.GRANULARITY, Intensity.LOW, Intensity.MEDIUM

YEAR = (
    "What was the {attribute} of {S} in (the year |){y}?",
    "(In|For) (the year |){y}, what was the {attribute} of {S}?",
    "What was the {attribute} of {S} in {y} (alone|by itself)?",
    "For {S}, what was the {attribute} in the (single |)year {y}?",
    "What did the {attribute} of {S} (come to|stand at) in {y}?",
)
DECADE = (
    "What was the (average|mean) {attribute} of {S} (over the ten years |)from {y} to {z}?",
    "Averaged over the ten years {y} to {z}, what was the {attribute} of {S}?",
    "In the ten years from {y} to {z}, what was the (average|mean) {attribute} of {S}?",
    "What did the {attribute} of {S} average (in the ten years |)from {y} to {z}?",
)
CHANGE = (
    "By how much did the {attribute} of {S} (change|move) between {y} and {z}?",
    "How far did the {attribute} of {S} move (between {y} and {z}|from {y} to {z})?",
    "(From {y} to {z}|Between {y} and {z}), by how much did the {attribute} of {S} change?",
    "What was the change in the {attribute} of {S} (from {y} to {z}|between {y} and {z})?",
)
_WAS = "(was|came to|stood at|ran to)"
_BOOKS = (
    "(The books|The ledgers|Old ledgers|The accounts|Yearly tables|Surviving receipts|Faded cash books|Typed tables)"
)
_CLERKS = "(Bookkeepers|Clerks|Auditors|Inspectors|Accountants|Two trainees)"
IN_YEARS = (
    "{about} " + _WAS + " {told}.",
    "(For|With|In the case of) {S}, the {attribute} " + _WAS + " {told}.",
    _BOOKS + " (give {about} as|put {about} at|have {about} at|show {about} at) {told}.",
    "(As for|As to) {about}, it " + _WAS + " {told}.",
    _CLERKS + " (put {about} at|noted {about} as|worked out {about} as|reckoned {about} at) {told}.",
    "(Figures|Entries|Notes) for {about} (read|run|say) {told}.",
)
ON_AVERAGE = (
    "{about} averaged {told}.",
    "On average, {about} " + _WAS + " {told}.",
    "(For|With|In the case of) {S}, the (average|mean) {attribute} " + _WAS + " {told}.",
    "The (average|mean) {attribute} of {S} " + _WAS + " {told}.",
    _BOOKS + " (give|show) {about} as an average of {told}.",
    _CLERKS + " (put|reckoned) the (average|mean) {attribute} of {S} at {told}.",
    "(Averaged out|Taken as an average|Smoothed into an average), {about} " + _WAS + " {told}.",
)


UNEVEN = (
    "It was (higher|larger|greater) in (some|several|a few) of these years than in (others|the rest).",
    "It (differed|varied|changed) from (year to year|one year to the next|season to season).",
    "No two of these years were (alike|the same|equal).",
    "(Single|Individual|Separate) years lay (above or below|higher or lower than|on either side of) this.",
    "(Fat|Good|Busy) years (took turns with|were followed by|alternated with) (lean|bad|quiet) ones.",
    "(Highs and lows|Ups and downs|Peaks and troughs) (are smoothed out in this|cancel out in this|vanish in such a "
    "figure).",
)


def varying(relation: Relation) -> bool:
    """Return whether a value can well be another one each year: prices and numbers that things can be added to."""
    return measured(relation) and (relation.type == "money" or relation.summed)


def day_by_day(relation: Relation) -> bool:
    """Return whether a value can be that of one day: not what is by its name reckoned by the year."""
    return varying(relation) and not any(word in noun for noun in relation.attribute for word in ("year", "annual"))


def _over(scene: Scene, patterns: Sequence[str], operator: Operator, first: int, last: int) -> Posed:
    scene.fixed |= {"first": str(first), "last": str(last)}
    at = str(first) if first == last else f"{first}/{last}"
    scene.fixed["at"] = at
    years = {"y": str(first), "z": str(last)}
    return each(
        scene,
        lambda subject: Question(
            fill(scene.rng.choice(patterns), scene.slots(subject, dict(years))),
            Ask(operator, scene.relation.name, (subject,), at=at),
        ),
        2 if operator == "change" else 1,
    )


def told(scene: Scene, subject: str, patterns: Sequence[str], ats: Sequence[str]) -> Block:
    """Return one sentence with the values of a thing in several periods, all different."""
    values: list[Value] = []
    while len(values) < len(ats):
        value = scene.draw(scene.relation)
        if value not in values:
            values.append(value)
    between = scene.rng.random() < 0.5
    phrases = [f"{value} {_spanned(_when(at), between)}" for value, at in zip(values, ats, strict=True)]
    text = phrases[0] if len(phrases) == 1 else f"{', '.join(phrases[:-1])} and {phrases[-1]}"
    said = [Fact(subject, scene.relation.name, value, at=at) for value, at in zip(values, ats, strict=True)]
    return scene.say(patterns, said, subject, told=text, **terms(scene, subject))


def _spanned(when: str, between: bool) -> str:
    """Return `from 1990 to 1999` as `between 1990 and 1999`, if that is wanted."""
    return when.replace("from ", "between ").replace(" to ", " and ") if between else when


def _when(at: str) -> str:
    if "/" in at:
        return "from {} to {}".format(*at.split("/"))
    return f"on {Value('date', at)}" if "-" in at else f"in {at}"


def year_plain(scene: Scene, subject: str) -> list[Block]:
    """Return the value for the asked year or decade alone."""
    at = scene.fixed["at"]
    return [told(scene, subject, ON_AVERAGE if "/" in at else IN_YEARS, [at])]


def ends_plain(scene: Scene, subject: str) -> list[Block]:
    """Return the values of the first and the last year."""
    return [told(scene, subject, IN_YEARS, [scene.fixed["first"], scene.fixed["last"]])]


@scenario("year", plain=year_plain)
def in_a_year(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask for the value in one year."""
    year = scene.rng.randint(1950, 2019)
    return _over(scene, YEAR, "value", year, year)


@scenario("decade", plain=year_plain)
def in_a_decade(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask for the average over ten years."""
    year = scene.rng.randint(1950, 2010)
    return _over(scene, DECADE, "value", year, year + 9)


@scenario("change", plain=ends_plain)
def over_the_years(scene: Scene, hard: Lever, soft: Lever) -> Posed:
    """Ask for the change between two years that lie far apart."""
    year = scene.rng.randint(1900, 1960)
    return _over(scene, CHANGE, "change", year, year + scene.rng.randrange(40, 61, 5))


@lever(GRANULARITY, LOW, "Per-year Figure Already Given", scenario="year", fits=varying)
@lever(GRANULARITY, LOW, "Per-year Figure Already Given", scenario="decade", fits=day_by_day)
@lever(GRANULARITY, LOW, "Per-year Figure Already Given", scenario="change", fits=day_by_day)
def each_year(scene: Scene, subject: str) -> list[Block]:
    """Give the value for the asked period, and for its neighbours."""
    first, last = int(scene.fixed["first"]), int(scene.fixed["last"])
    if first == last:
        return [told(scene, subject, IN_YEARS, [str(first + step) for step in (-1, 0, 1)])]
    if last - first == 9:
        ats = [f"{first + step}/{last + step}" for step in (-10, 0, 10) if last + step < 2025]
        return [told(scene, subject, ON_AVERAGE, ats)]
    middle = scene.rng.randint(first + 10, last - 10)
    return [told(scene, subject, IN_YEARS, [str(first), str(middle), str(last)])]


@lever(GRANULARITY, MEDIUM, "Subtype Policy Inquiry", scenario="year", fits=varying)
def only_over_the_years(scene: Scene, subject: str) -> list[Block]:
    """Give the average over several years instead of the asked one."""
    year = int(scene.fixed["first"])
    ends = (year - scene.rng.randint(1, 4), year + scene.rng.randint(1, 4))
    return [joined(told(scene, subject, ON_AVERAGE, ["{}/{}".format(*ends)]), scene.say(UNEVEN, [], subject))]


@lever(GRANULARITY, MEDIUM, "Decade Trend from Daily Data", scenario="decade", fits=day_by_day)
def one_day(scene: Scene, subject: str) -> list[Block]:
    """Give the value on one or two days of the decade."""
    year = scene.rng.randint(int(scene.fixed["first"]), int(scene.fixed["last"]))
    month = scene.rng.randint(1, 12)
    days = sorted(scene.rng.sample(range(1, 29), scene.rng.randint(1, 2)))
    return [told(scene, subject, IN_YEARS, [f"{year:04}-{month:02}-{day:02}" for day in days])]


@lever(GRANULARITY, MEDIUM, "Long-range Trend Extrapolation", scenario="change", fits=day_by_day)
def a_few_weeks(scene: Scene, subject: str) -> list[Block]:
    """Give three values from one month of a period of decades."""
    year = scene.rng.randint(int(scene.fixed["first"]) + 1, int(scene.fixed["last"]) - 1)
    month, start = scene.rng.randint(1, 12), scene.rng.randint(1, 7)
    return [told(scene, subject, IN_YEARS, [f"{year:04}-{month:02}-{start + step:02}" for step in (0, 7, 14)])]
