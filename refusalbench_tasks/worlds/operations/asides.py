"""Idle remarks that stand behind a name in a question, set off by commas."""

from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.script import Script
from refusalbench_tasks.worlds.solve import Impure

PARTS = (
    "blue logo",
    "lucky mascot",
    "red ribbon",
    "printed slogan",
    "special stamp",
    "colour postcard",
    "little badge",
    "signature tune",
)
ADDED = ("complete with its {part}", "known for its {part}", "which comes with a {part}", "with a {part} of its own")


def aside(scene: Scene, subject: str, question: str, phrases: tuple[str, ...]) -> str:
    """Return the question with one of the phrases set off by commas behind the thing's name."""
    place = question.find(subject) + len(subject)
    if subject not in question or question[place] not in " ,?:":
        raise Impure("the question has no place for an aside")
    phrase = scene.rng.choice(phrases).replace("{K}", scene.once("", "aside", scene.names.word))
    rest = question[place:]
    return f"{question[:place]}, {phrase}{rest if rest[0] in ',?:' else ',' + rest}"


def add_on(scene: Scene, subject: str, question: str, script: Script | None) -> str:
    """Give the thing a small part that the text does not know."""
    part = scene.once("", "part", lambda: scene.rng.choice(PARTS))
    return aside(scene, subject, question, tuple(one.replace("{part}", part) for one in ADDED))


def prize(scene: Scene, subject: str, question: str, script: Script | None) -> str:
    """Give the thing a prize that the text does not know."""
    phrases = ("winner of the {K} Prize", "holder of the {K} Award", "which has won the {K} Medal")
    return aside(scene, subject, question, (*phrases[:2], "known for winning the {K} Medal"))


def parent(scene: Scene, subject: str, question: str, script: Script | None) -> str:
    """Give the thing an owner that the text does not know."""
    phrases = ("now in the hands of {K} Holdings", "taken over by the {K} Group", "controlled by {K} and Partners")
    return aside(scene, subject, question, (*phrases, "long owned by the {K} Trust"))
