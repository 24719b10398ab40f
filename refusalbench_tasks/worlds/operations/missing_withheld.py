"""Levers of P-MissingInfo that put something else where the value would stand: a mark, a label, a recording."""

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.block import Block, block, joined
from refusalbench_tasks.worlds.lever import Told, lever
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact

MISSING, MEDIUM, HIGH = PerturbationClass.MISSING_INFO, Intensity.MEDIUM, Intensity.HIGH

UNDISCLOSED = (
    "The {attribute} of {S} is not made public.",
    "The {attribute} of {S} has not been disclosed.",
    "The {attribute} of {S} is kept confidential.",
    "In these papers, the {attribute} of {S} has been blacked out.",
    "The {attribute} of {S} is not told to outsiders.",
)
TAGS = ("[citation needed]", "[source needed]", "[reference missing]", "[to be filled in]", "[figure missing]")
SOMEBODY = ("a person from the region", "somebody from the trade", "a local person", "someone of good standing")
SOMEWHERE = ("a place in the region", "one of the towns nearby", "a certain place", "a place some way off")
REDACTED = "[REDACTED]"
LETTERS = (
    "In a letter, [REDACTED] reminded [REDACTED] of it.",
    "[REDACTED] wrote about this to [REDACTED].",
    "[REDACTED] thanked [REDACTED] for it at the last meeting.",
    "On the phone, [REDACTED] had told [REDACTED] as much.",
)
HE_AND_SHE = (("she", "Her"), ("he", "His"))
PRAISE = (
    "{Their} colleagues are full of praise.",
    "{Their} letters are always answered at once.",
    "{Their} advice is often asked for.",
    "{Their} work has been admired by many.",
)
CODED = (
    "As the {attribute} of {S}, the list has only the letters {code}, which it does not explain.",
    "Under {attribute}, the card of {S} says {code}, and nothing tells what that stands for.",
    "The {attribute} of {S} is entered as {code}, short for something that is spelt out nowhere.",
    "The register gives the {attribute} of {S} as {code} and has no key to its abbreviations.",
)
RECORDED = (
    "The {attribute} of {S} is read out on a tape, of which there is no transcript here.",
    "A voice gives the {attribute} of {S} in a radio programme that nobody has written down.",
    "Callers hear the {attribute} of {S} in a recorded message, which is not repeated on paper.",
    "Those who want the {attribute} of {S} must listen to a podcast, for it is not in these pages.",
    "The {attribute} of {S} can be heard on a recording, and this text does not repeat it.",
)
FORMER = (
    "Until {year}, the {attribute} of {S} was {V}; it has changed since, and the new one is not given.",
    "In {year}, the {attribute} of {S} was still {V}. That has changed, and to what is not recorded.",
    "The last entry on the {attribute} of {S} is from {year}: {V}. It has been replaced by another one since.",
    "{V} was the {attribute} of {S} up to {year}, when a change was made that these notes do not describe.",
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
    return [scene.framed(subject, scene.rng.choice(labels))]


@lever(MISSING, HIGH, "All Names Redacted", fits=lambda relation: relation.type == "person", echo=True)
def all_names_redacted(scene: Scene, subject: str) -> list[Block]:
    """Put one mark where names of persons would stand."""
    return [joined(scene.framed(subject, REDACTED), block(scene.rng.choice(LETTERS)))]


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
