"""Scripts: questions that no relation of a pack asks, and what texts say that answers or defeats them."""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from refusalbench_tasks.taxonomy import Intensity
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import Block, block
from refusalbench_tasks.worlds.cares import BYNAMES, CARES, FILES, WHO
from refusalbench_tasks.worlds.lever import Lever, Told
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.scenario import Posed, each, scenario
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Denial, Either, Fact, Statement
from refusalbench_tasks.worlds.template import fill
from refusalbench_tasks.worlds.values import Value, ValueType, written

_BEGINS = re.compile(r"(?<=[.?] )[a-z]")
FEWEST = 4
"""Patterns of each sort."""
ANY = "any"
"""The key of sentences that any LOW lever may use."""
VALUES = "VWX"
"""The slots of values, in order."""


class Script(BaseModel):
    """One question about a thing, under a MEDIUM or HIGH lever's published name.

    Slots, drawn once for each thing: `{S}` the thing, `{V}`, `{W}`, `{X}` values that differ, `{F}`, `{G}` women and
    `{M}`, `{N}` men (with Ms and Mr), `{K}`, `{L}` invented words, `{B}` a byname, and the words of
    `choices` and `pools`, of `CARES` and of `FILES`, of which the whole quad shares one line each; `{role}` is who {F}
    is. A word in angle brackets stands for any of the patterns that `pieces.yaml` has under it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    lever: str
    intensity: Intensity
    relations: tuple[str, ...] = Field(min_length=1)
    """What is asked for; between several of these the question leaves it open."""
    type: ValueType
    low: int = 0
    high: int = 0
    unit: str = ""
    options: tuple[str, ...] = ()
    choices: tuple[dict[str, str], ...] = ({},)
    pools: dict[str, tuple[str, ...]] = {}
    """Words beside those of `choices` that are drawn each for itself."""
    asks: tuple[str, ...] = Field(min_length=FEWEST)
    good: dict[str, tuple[str, ...]]
    """Sentences that answer the question with {V}, by the LOW lever whose case they are (`any`: of all of them)."""
    bad: tuple[str, ...] = Field(min_length=FEWEST)
    """Sentences that leave it without an answer."""
    rest: Literal["same", "denied", "unsaid"] = "same"
    """What `good` says of the other relations than the first: the same value, that there is none, or nothing."""
    ascending: bool = False
    """Whether {V}, {W} and {X} are in this order by size."""
    picks: tuple[str, ...] = ()
    """The words of `choices` that are the values; none: they are drawn by type."""
    readings: int = 0
    """How many values `bad` leaves open; 0: it denies what is asked, or gives a value for each of `relations`."""
    timeless: bool = False
    """Whether the value cannot change with time."""
    town: bool = False
    """Whether {K} is a town that the question names."""

    @model_validator(mode="after")
    def _has_patterns(self) -> "Script":
        if any(len(patterns) < FEWEST for patterns in self.good.values()):
            raise ValueError(f"{self.lever}: fewer than {FEWEST} patterns")
        return self

    def register(self, name: str) -> None:
        """Register the question as a scenario."""

        def pose(scene: Scene, hard: Lever, soft: Lever) -> Posed:
            return each(scene, lambda subject: self.question(scene, subject))

        scenario(name, plain=lambda scene, subject: [self.answering(scene, subject)])(pose)

    def question(self, scene: Scene, subject: str) -> Question:
        """Return the question about a thing."""
        relation = self.relations[0] if len(self.relations) == 1 else self.relations
        text = fill(scene.rng.choice(self.asks), self.slots(scene, subject))
        return Question(text, Ask("value", relation, (subject,)))

    def answering(self, scene: Scene, subject: str, low: str = ANY) -> Block:
        """Return what answers the question, by a LOW lever."""
        value = self._values(scene, subject)[0]
        first, *others = self.relations
        said: list[Statement] = [Fact(subject, first, value)]
        if self.rest != "unsaid":
            said += [Fact(subject, one, value) if self.rest == "same" else Denial(subject, one) for one in others]
        patterns = self.good.get(low) or next(iter(self.good.values()))
        return self._said(scene, subject, patterns, said)

    def defeated(self, scene: Scene, subject: str) -> Told:
        """Return what leaves the question without an answer, and what would answer it."""
        values = self._values(scene, subject)
        said: list[Statement]
        if self.readings:
            ways = tuple((Fact(subject, self.relations[0], value),) for value in values[: self.readings])
            said = [Either(ways)]
        elif len(self.relations) > 1:
            said = [Fact(subject, one, value) for one, value in zip(self.relations, values, strict=False)]
        else:
            said = [Denial(subject, self.relations[0])]
        row = self._said(scene, subject, self.bad, said)
        return Told([row], [self.answering(scene, subject)])

    def _said(self, scene: Scene, subject: str, patterns: Sequence[str], said: list[Statement]) -> Block:
        text = fill(scene.rng.choice(patterns), self.slots(scene, subject))
        return block(_BEGINS.sub(lambda found: found[0].upper(), text), *said)

    def _values(self, scene: Scene, subject: str) -> Sequence[Value]:
        if self.picks:
            return [Value("kind", self._chosen(scene)[pick]) for pick in self.picks]
        found: list[Value] = []
        for number in count():
            name = f"{self.relations[0]} {number}"
            relation = _relation(name, self.type, self.low, self.high, self.unit, self.options)
            value = scene.value(subject, relation)
            if value not in found:
                found.append(value)
            if len(found) == len(VALUES):
                break
        return sorted(found, key=lambda value: value.content) if self.ascending else found

    def slots(self, scene: Scene, subject: str) -> dict[str, str]:
        """Return the slots of a thing's sentences."""
        drawn = {
            slot: scene.once(subject, slot, make)
            for slots, make in (
                ("FG", lambda: f"Ms {scene.names.person()}"),
                ("MN", lambda: f"Mr {scene.names.person()}"),
                ("KL", scene.names.word),
                ("B", lambda: f"the {scene.rng.choice(BYNAMES)}"),
            )
            for slot in slots
        }
        values = zip(VALUES, map(written, self._values(scene, subject)), strict=False)
        shared = CARES[_drawn(scene, "cares", len(CARES))] | {"files": FILES[_drawn(scene, "files", len(FILES))]}
        slots = {"S": subject, **drawn, **dict(values), **shared}
        role = fill(WHO, slots)
        return {**slots, "role": role[0].lower() + role[1:], **self._chosen(scene)}

    def _chosen(self, scene: Scene) -> dict[str, str]:
        line = self.choices[_drawn(scene, self.lever, len(self.choices))]
        pooled = {slot: pool[_drawn(scene, f"{self.lever} {slot}", len(pool))] for slot, pool in self.pools.items()}
        return {**line, **pooled}


@cache
def _relation(name: str, kind: ValueType, low: int, high: int, unit: str, options: tuple[str, ...]) -> Relation:
    return Relation.model_construct(
        name=name, subject="", type=kind, attribute=(), states=(), asks=(),
        low=low, high=high, unit=unit, options=options,
    )  # fmt: skip


def _drawn(scene: Scene, what: str, size: int) -> int:
    return int(scene.once("", what, lambda: str(scene.rng.randrange(size))))


@cache
def scripts(name: str) -> tuple[Script, ...]:
    """Return the scripts of a file of `scripts/`."""
    folder = files("refusalbench_tasks.worlds") / "scripts"
    text, held = ((folder / f"{one}.yaml").read_text(encoding="utf-8") for one in (name, "pieces"))
    for piece, patterns in yaml.load(held, yaml.CSafeLoader).items():
        text = text.replace(f"<{piece}>", f"({'|'.join(patterns)})")
    return tuple(Script.model_validate(one) for one in yaml.load(text, yaml.CSafeLoader))
