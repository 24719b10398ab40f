"""Levers of P-MissingInfo that put something else where the value would stand: a mark, a label, a recording."""

from collections.abc import Sequence

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block, block, joined
from refusalbench_tasks.worlds.lever import Told, lever
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.template import drawn

MISSING, MEDIUM, HIGH = PerturbationClass.MISSING_INFO, Intensity.MEDIUM, Intensity.HIGH

UNDISCLOSED = (
    "the {attribute} of {S} is not made public( at all| any more|).",
    "the {attribute} of {S} has not been (disclosed|made public)( so far| to anyone| to date|).",
    "the {attribute} of {S} is (kept|treated as) confidential( by agreement| on request|).",
    "in these (papers|files|pages), the {attribute} of {S} has been (blacked out|blotted out|crossed out)( with a pen| "
    "in ink|).",
    "the {attribute} of {S} is not told to (outsiders|strangers|the public|the press).",
    "(nobody|no one) outside may (be told|learn|know) the {attribute} of {S}( as things stand| under the agreement|).",
    "(by agreement|on request|as usual), the {attribute} of {S} (stays|remains|is to remain) (secret|confidential|"
    "under lock and key).",
)
TAGS = ("[citation needed]", "[source needed]", "[reference missing]", "[to be filled in]", "[figure missing]")
SOMEBODY = (
    "(a|some) person from the (region|district|neighbourhood)",
    "(somebody|someone) from the (trade|profession|branch)",
    "a (local|respected|retired|well-known) person",
    "(someone|somebody) of (good standing|some experience|local fame)",
)
SOMEWHERE = (
    "a (place|town|village) in the (region|district|north)",
    "one of the (towns|villages|places) (nearby|around here|in the area)",
    "a certain (place|town|village)",
    "a (place|town) (some way off|across the hills|down the river)",
)
REDACTED = "[REDACTED]"
LETTERS = (
    "in a (letter|note|postcard), [REDACTED] (reminded|informed|warned) [REDACTED] of it.",
    "[REDACTED] (wrote|sent a card|sent a line) about this to [REDACTED].",
    "[REDACTED] (thanked|praised|teased) [REDACTED] for it at the last (meeting|dinner|party).",
    "on the (phone|train|stairs), [REDACTED] had (told|assured) [REDACTED] (as much|of this|of the same).",
)
HE_AND_SHE = (("she", "Her"), ("he", "His"))
PRAISE = (
    "{Their} (colleagues|helpers|neighbours|friends) are (full of praise|content|pleased).",
    "{Their} (letters|messages|calls) are (always|usually) answered (at once|within the day|promptly).",
    "{Their} (advice|opinion|help) is (often|frequently|regularly) (asked for|sought).",
    "{Their} (work|manner|patience) has been (admired|praised) by (many|visitors|colleagues).",
)
CODED = (
    "as the {attribute} of {S}, the (list|sheet|index) has only the letters {code}, which it (does not explain|leaves "
    "unexplained|never spells out).",
    "under {attribute}, the (card|slip|sheet) of {S} (says|reads|has) {code}, and nothing (tells|explains) what that "
    "(stands for|means).",
    "the {attribute} of {S} is (entered|abbreviated|written) as {code}, short for something that is (spelt out|"
    "explained|written in full) nowhere.",
    "the (register|index|directory) gives the {attribute} of {S} as {code} and has no key to its (abbreviations|codes|"
    "shorthand).",
    "(where|in the place where) the {attribute} of {S} (should stand|belongs), (one finds|there are) only the letters "
    "{code}(, without a key|, which nothing explains|).",
)
RECORDED = (
    "the {attribute} of {S} is (read out|spoken|announced) on a tape, of which there is no (transcript|written copy|"
    "printout) here.",
    "a (voice|presenter|speaker) gives the {attribute} of {S} in a radio programme that nobody has (written down|taken "
    "down|typed out).",
    "(callers|those who ring up|people on hold) hear the {attribute} of {S} in a recorded message, which is not "
    "(repeated|printed|copied) on paper.",
    "(those|people) who (want|need|seek) the {attribute} of {S} must listen to a podcast, for it is not (in these "
    "pages|printed here|in this text).",
    "the {attribute} of {S} can be heard on a recording, and this (text|page|sheet) does not (repeat|print|give) it.",
)
FORMER = (
    "until {year}, the {attribute} of {S} was {V}; it has (changed|been changed) since, and the new one is not (given|"
    "stated|noted)( here|).",
    "in {year}, the {attribute} of {S} was still {V}. That has changed( since|), and to what is not (recorded|known|"
    "stated).",
    "the last entry on the {attribute} of {S} is from {year}: {V}. It has been (replaced|superseded) by another one "
    "since.",
    "{V} was the {attribute} of {S} up to {year}, when a change was made that these (notes|pages|lines) do not "
    "describe.",
)


def _coded(relation: Relation) -> bool:
    return relation.type in ("kind", "place") and not relation.tags & {"cause", "outcome"}


def _led(relation: Relation) -> list[str]:
    return [one for one in relation.states if one.startswith("{V} ")]


def _changing(relation: Relation) -> bool:
    """Return whether the value is one of the present, which may have been another one before."""
    return bool(relation.tags & {"price", "rating", "state"}) and relation.type != "flag"


@lever(MISSING, MEDIUM, "Price Redacted", fits=lambda relation: relation.type == "money", echo=True)
def price_redacted(scene: Scene, subject: str) -> list[Block]:
    """Say that the sum is not public."""
    return [scene.say(UNDISCLOSED, [], subject)]


@lever(MISSING, MEDIUM, "Placeholder Citation", fits=lambda relation: relation.type != "flag", echo=True)
def placeholder_citation(scene: Scene, subject: str) -> list[Block]:
    """Put an editor's mark where the value would stand."""
    last = 4 if scene.relation.type in ("count", "money", "measure", "year") else 3
    return [scene.framed(subject, scene.rng.choice(TAGS[: last + 1]))]


@lever(
    MISSING,
    MEDIUM,
    "Placeholder Entity Substitution",
    fits=lambda relation: relation.type in ("person", "place"),
    echo=True,
)
def placeholder_entity(scene: Scene, subject: str) -> list[Block]:
    """Put a label that fits many where the name would stand."""
    labels = SOMEBODY if scene.relation.type == "person" else SOMEWHERE
    return [scene.framed(subject, _label(scene, labels))]


def _label(scene: Scene, labels: Sequence[str]) -> str:
    text = drawn(scene.rng.choice(labels), scene.rng)
    return text[0].lower() + text[1:]


@lever(MISSING, HIGH, "All Names Redacted", fits=lambda relation: relation.type == "person", echo=True)
def all_names_redacted(scene: Scene, subject: str) -> list[Block]:
    """Put one mark where names of persons would stand."""
    return [joined(scene.framed(subject, REDACTED), block(drawn(scene.rng.choice(LETTERS), scene.rng)))]


@lever(MISSING, MEDIUM, "Pronoun w/o Antecedent", fits=lambda one: one.type == "person" and bool(_led(one)), echo=True)
def pronoun_without_antecedent(scene: Scene, subject: str) -> list[Block]:
    """Open with a pronoun that nothing before it explains."""
    they, their = scene.rng.choice(HE_AND_SHE)
    opening = scene.framed(subject, they, frames=_led(scene.relation))
    both = joined(opening, scene.say(PRAISE, [], subject, Their=their))
    return [Block(both.sentences, leads=True)]


@lever(MISSING, MEDIUM, "Abbreviated Reference Omission", fits=_coded, echo=True)
def abbreviated_reference(scene: Scene, subject: str) -> list[Block]:
    """Give the value as letters that nothing spells out."""
    code = "".join(scene.rng.sample("BDFGKLMNPRTVZ", 3))
    return [scene.say(CODED, [], subject, code=code)]


@lever(MISSING, MEDIUM, "Temporal Mismatch (Outdated Info)", fits=_changing, echo=True)
def outdated(scene: Scene, subject: str) -> Told:
    """Give what the value was long ago, and that it is no more."""
    former = scene.rival(subject)
    past = Fact(subject, f"former {scene.relation.name}", former)
    year = str(scene.rng.randint(1961, 1994))
    return Told([scene.say(FORMER, [past], subject, V=former, year=year)], [scene.state(subject)])


@lever(MISSING, HIGH, "Audio-only Reference", echo=True)
def audio_only(scene: Scene, subject: str) -> list[Block]:
    """Say that the value is in a recording."""
    return [scene.say(RECORDED, [], subject)]
