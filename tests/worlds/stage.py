"""A scene in which nothing is left to chance, for worked examples."""

from collections.abc import Sequence
from random import Random
from typing import Any

from refusalbench_tasks.worlds.names import Names
from refusalbench_tasks.worlds.pack import pack
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.script import Script, scripts
from refusalbench_tasks.worlds.template import drawn
from refusalbench_tasks.worlds.values import Value

SLOTS = {"F": "Ms Ada Moll", "G": "Ms Ina Roth", "M": "Mr Udo Pell", "N": "Mr Jan Tarr", "K": "Velar", "L": "Brunt"}


class First(Random):
    """Takes the first of everything."""

    def choice(self, seq: Any) -> Any:
        """Return the first element."""
        return seq[0]


def staged(values: dict[str, Sequence[Value]], script: Script, thing: str) -> Scene:
    """Return a scene with one thing, in which a script has the first of its lines and these values."""
    of = pack("clinics")
    relation = of.relations[0]
    scene = Scene(First(0), Names(Random(0)), of, relation, relation, thing, "", [], "")
    for slot, word in {**SLOTS, "B": "the Owl", "Y": "1990"}.items():
        scene.once(thing, slot, lambda word=word: word)  # type: ignore[misc]
    for what in (script.lever, "cares", "files", *(f"{script.lever} {slot}" for slot in script.pools)):
        scene.once("", what, lambda: "0")
    for name, row in values.items():
        for number, value in enumerate(row):
            scene._values[thing, f"{name} {number}"] = value
    return scene


def script_of(file: str, lever: str) -> Script:
    """Return a script by its lever."""
    return next(one for one in scripts(file) if one.lever == lever)


def told(file: str, lever: str, values: Sequence[Value], low: str = "any") -> tuple[str, str, str]:
    """Return the question, the sentence that answers it and the one that leaves it without an answer."""
    script = script_of(file, lever)
    scene = staged({script.relations[0]: values}, script, "Tarn Clinic")
    question = script.question(scene, "Tarn Clinic").text
    answer = script.answering(scene, "Tarn Clinic", low).sentences[0].text
    defect = script.defeated(scene, "Tarn Clinic").row[0].sentences[0].text
    return question, answer, defect


def some(pattern: str, most: int = 8) -> set[str]:
    """Return a pattern without slots with alternatives drawn a few times: most options are among them."""
    return {drawn(pattern, Random(seed)) for seed in range(most)}
