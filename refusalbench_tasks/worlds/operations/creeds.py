"""Levers of P-EpistemicMismatch whose question alone tells that no text could answer it."""

from functools import cache
from importlib.resources import files

import yaml
from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import block
from refusalbench_tasks.worlds.lever import Told, lever
from refusalbench_tasks.worlds.query import Ask, Operator
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.template import fill

EPISTEMIC = PerturbationClass.EPISTEMIC


class Motif(BaseModel):
    """A fact in several wordings, and questions that depart from it; `{S}` is the thing."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tells: tuple[str, ...] = Field(min_length=3)
    asks: tuple[str, ...] = Field(min_length=4)


class Creed(BaseModel):
    """One lever's questions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    intensity: Intensity
    operator: Operator
    motifs: tuple[Motif, ...] = Field(min_length=3)

    def register(self, name: str) -> None:
        """Register the lever under its published name."""

        def question(scene: Scene, subject: str) -> Question:
            motif = scene.rng.randrange(len(self.motifs))
            scene.fixed["motif"] = str(motif)
            text = fill(scene.rng.choice(self.motifs[motif].asks), {"S": subject})
            at = "all time" if self.operator == "forecast" else ""
            return Question(text, Ask(self.operator, "", (subject,), at=at, term=name))

        @lever(EPISTEMIC, self.intensity, name, scenario="told", intrinsic=True, question=question)
        def treat(scene: Scene, subject: str) -> Told:
            motif = self.motifs[int(scene.fixed["motif"])]
            said = [block(fill(scene.rng.choice(motif.tells), {"S": subject}))]
            return Told(said, said)


@cache
def creeds() -> dict[str, Creed]:
    """Return the levers that `scripts/creeds.yaml` holds, by name."""
    text = (files("refusalbench_tasks.worlds") / "scripts" / "creeds.yaml").read_text(encoding="utf-8")
    return {name: Creed.model_validate(one) for name, one in yaml.load(text, yaml.CSafeLoader).items()}


for _name, _creed in creeds().items():
    _creed.register(_name)
