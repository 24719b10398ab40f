"""Crossed quads: two questions by two passages, of which no part tells by itself which
has an answer.

In each passage one of the two asked things has relation r1 sound and relation r2 with a
defect, the other the reverse. Both questions ask for r1. All else is drawn without
regard to the label.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from refusalbench_tasks.taxonomy import Intensity, Label, expected_label
from refusalbench_tasks.worlds.defects import (
    OPINION,
    Defect,
    due,
    lever_of,
    low_lever_of,
)
from refusalbench_tasks.worlds.document import (
    Relation,
    document,
    form,
    read_yaml,
    relations,
    templates,
)
from refusalbench_tasks.worlds.passage import (
    TWICE,
    Passage,
    QuadSetting,
    capital,
    compose,
)
from refusalbench_tasks.worlds.rendering import fill
from refusalbench_tasks.worlds.solve import Impure, Solved, solve
from refusalbench_tasks.worlds.statement import Ask
from refusalbench_tasks.worlds.world import World, new_world

VERSION = "RBW10"
"""The version of the items: the same seed and index give the same row as long as it
stands.
"""
TRIES = 40
BYSTANDER_DEFECTS = (0.15, 0.6)
"""How often a relation that is not asked for has a defect, and of those of which
soundness is rare.
"""


@dataclass(frozen=True)
class Cell:
    """One row of a quad: a question beside a passage, the lever that it stands for, and
    what the solver says.
    """

    question: str
    ask: Ask
    passage: Passage
    original: Passage
    """The same passage without the defects of the asked things."""
    intensity: Intensity
    lever: str
    solved: Solved


@dataclass(frozen=True)
class Quad:
    """Four rows: questions 1 and 2 by passages 1 and 2, answerable where the numbers
    agree.

    Of a quad of opinions question 1 is answerable by both passages and question 2 by
    none; each passage's two rows stand together.
    """

    seed: int
    index: int
    defect: Defect
    world: World = field(repr=False)
    setting: QuadSetting
    relations: tuple[Relation, Relation]
    cells: tuple[Cell, ...] = field(repr=False)

    @property
    def intrinsic(self) -> bool:
        """Return whether the question alone tells that there is no answer."""
        return self.defect is OPINION


@dataclass(frozen=True)
class Design:
    """How quads are built: as they should be, or as a control on which attacks must
    succeed.
    """

    crossed: bool = True
    handles: float = 0.7
    """The share of quads whose entries are tied to names by handles."""


CROSSED = Design()


def make_quad(
    seed: int, index: int, domains: tuple[str, ...], design: Design = CROSSED
) -> Quad:
    """Return quad `index` of a seed; it depends on nothing else.

    Class, intensity and defect follow from the index, the rest is drawn. Raises Impure
    if no draw has the labels that it must have, which would be an error of ours.
    """
    defect, able = due(index, domains)
    for attempt in range(TRIES):
        rng = Random(f"{VERSION}:{seed}:{index}:{attempt}")
        try:
            return _Draw(
                rng, f"{seed}:{index}:{attempt}", defect, rng.choice(able), design
            ).quad(seed, index)
        except Impure:
            continue
    raise Impure(
        f"quad {index} of seed {seed}: no draw of '{defect.name}' has its labels"
    )


class _Draw:
    """One draw of a quad."""

    def __init__(
        self, rng: Random, key: str, defect: Defect, domain: str, design: Design
    ) -> None:
        self.rng = rng
        self.key = key
        self.defect = defect
        self.design = design
        self.document = document(domain)
        self.bystanders = rng.choice((1, 2, 3))
        self.world = new_world(rng, self.document, 2 + self.bystanders)
        self.first, self.second = self.world.names[:2]
        fitting = list(filter(defect.fits, relations(domain, defect.group)))
        self.asked: Relation
        self.asked, self.other = rng.sample(fitting, 2)
        rest = [
            relation for relation in fitting if relation not in (self.asked, self.other)
        ]
        # sums are made with relations that the passage doesn't speak of
        has_sums = any("{t}" in template for template in self.document.together)
        spare = 2 if defect.name == "bundle" and has_sums else 0
        self.rest = rng.sample(rest, max(0, len(rest) - spare))
        self.setting = self._setting()

    def _setting(self) -> QuadSetting:
        rng = self.rng
        kind = self.document
        layouts = [*form(kind.form).layouts, *["table"] * 2 * self.defect.tabular]
        twins = {}
        if self.defect.name == "twins":
            pair = rng.choice(kind.twins)
            twins = {
                name: pair
                for n, name in enumerate(self.world.names)
                if n < 2 or rng.random() < 0.4
            }
        layout = rng.choice(layouts)
        handles = rng.random() < self.design.handles
        ahead = (80, 170) if self.defect.name == "far" else (2, 9)
        return QuadSetting(
            layout,
            handles,
            year=self.world.year + rng.randint(*ahead),
            senses=rng.randrange(6),
            grades=rng.randrange(6),
            twins=twins,
        )

    def quad(self, seed: int, index: int) -> Quad:
        """Return the quad. Raises Impure if a label is not what it must be."""
        pairs = ((self.first, self.second), (self.second, self.first))
        shown = [
            self._passages(number, sound, bad)
            for number, (sound, bad) in enumerate(pairs)
        ]
        cells = (
            self._opinions(shown) if self.defect is OPINION else self._crossed(shown)
        )
        both = (self.asked, self.other)
        return Quad(
            seed, index, self.defect, self.world, self.setting, both, tuple(cells)
        )

    def _passages(self, number: int, sound: str, bad: str) -> tuple[Passage, Passage]:
        """Return a passage in which the asked relation of `sound` has an answer, and
        its original without defects.
        """
        content = self._content(sound, bad)
        healed = dict(content)
        for name in (sound, bad):
            healed[name] = [(relation, True) for relation, _ in content[name]]
        stale = self._stale(sound)
        key = f"{VERSION}:{self.key}:{number}"
        passage, original = (
            compose(self.world, self.defect, self.setting, stated, stale, key)
            for stated in (content, healed)
        )
        return passage, original

    def _content(self, sound: str, bad: str) -> dict[str, list[tuple[Relation, bool]]]:
        rng = self.rng
        crossed = self.design.crossed
        odds = BYSTANDER_DEFECTS[self.defect.rare]
        if self.defect is OPINION:
            return {
                name: [(self.asked, True), (self.other, True)]
                for name in self.world.names
            }
        content = {
            sound: [(self.asked, True), (self.other, not crossed)],
            bad: [(self.asked, False), (self.other, True)],
        }
        for name in self.world.names[2:]:
            content[name] = [
                (relation, rng.random() >= odds)
                for relation in (self.asked, self.other)
            ]
        table = self.setting.layout == "table" or self.defect.name in TWICE
        shared = self._extra()
        for matters in content.values():
            extra = shared if table else self._extra()
            matters += [(relation, rng.random() >= odds) for relation in extra]
        return content

    def _extra(self) -> list[Relation]:
        """Return a further relation for one thing of three, if there is one."""
        most = self.rng.choice((0, 0, 1))
        return self.rng.sample(self.rest, min(most, len(self.rest)))

    def _stale(self, sound: str) -> Sequence[tuple[str, Relation]]:
        if (
            self.defect.group != "values"
            or self.setting.twins
            or self.defect is OPINION
        ):
            return ()
        if not self.design.crossed:
            return [(sound, self.asked)]
        rng = self.rng
        named = [
            name
            for name in rng.sample(self.world.names, len(self.world.names))
            if rng.random() < 0.3
        ]
        return [
            (name, rng.choice((self.asked, self.asked, self.other))) for name in named
        ]

    def _crossed(self, shown: Sequence[tuple[Passage, Passage]]) -> list[Cell]:
        asks = self._asks()
        layout = self.setting.layout
        wording = self.rng.randrange(60)
        cells = []
        for row, ask in enumerate(asks):
            for column, (passage, original) in enumerate(shown):
                low = row == column
                intensity = Intensity.LOW if low else self.defect.intensity
                lever = (
                    low_lever_of(self.defect, self.asked)
                    if low
                    else lever_of(self.defect, self.document, self.asked, layout)
                )
                solved = solve(passage.statements, ask)
                if solved.label is not expected_label(
                    self.defect.perturbation, intensity
                ):
                    raise Impure(f"{self.defect.name}: {solved.label}")
                question = question_text(
                    self.world, self.defect, self.asked, ask, wording
                )
                cells.append(
                    Cell(question, ask, passage, original, intensity, lever, solved)
                )
        return cells

    def _asks(self) -> list[Ask]:
        noun = self.asked.noun
        setting = self.setting
        if self.defect.name == "ungraded":
            pair = self.document.grades[setting.grades % len(self.document.grades)]
            word, opposite = self.rng.sample(pair, 2)
            return [
                Ask("grade", name, noun, word, opposite)
                for name in (self.first, self.second)
            ]
        if self.defect.lasting:
            return [
                Ask("future", name, noun, year=setting.year)
                for name in (self.first, self.second)
            ]
        return [Ask("value", name, noun) for name in (self.first, self.second)]

    def _opinions(self, shown: Sequence[tuple[Passage, Passage]]) -> list[Cell]:
        compared = Ask("compare", self.first, self.asked.noun, other=self.second)
        opinion = Ask("opinion", self.first, self.asked.noun)
        question = question_text(self.world, self.defect, self.asked, compared, 0)
        chosen = self.rng.choice(read_yaml("opinions"))
        asked = capital(
            fill(chosen["ask"], **_slots(self.world, self.asked, self.first))
        )
        cells = []
        for passage, original in shown:
            greater = solve(passage.statements, compared)
            if greater.label is not Label.ANSWER:
                raise Impure(f"{self.defect.name}: {greater.label}")
            low = Cell(
                question,
                compared,
                passage,
                original,
                Intensity.LOW,
                OPINION.low,
                solved=greater,
            )
            high = Cell(
                asked,
                opinion,
                passage,
                original,
                Intensity(chosen["intensity"]),
                chosen["lever"],
                solved=solve(passage.statements, opinion),
            )
            cells += [low, high]
        return cells


def question_text(
    world: World, defect: Defect, relation: Relation, ask: Ask, wording: int
) -> str:
    """Return the question in words; `wording` chooses among the templates."""
    kind = world.document
    patterns = templates().questions
    if ask.kind == "compare":
        options: Sequence[str] = patterns["compare"]
    elif kind.figures and defect.group == "figures":
        options = kind.figures.ask
    elif defect.group == "uses":
        options = kind.uses.ask
    elif defect.group == "parts":
        options = (relation.ask,)
    elif ask.kind == "grade":
        options = patterns["graded"]
    elif ask.kind == "future":
        options = patterns["until"]
    else:
        options = kind.ask
    text = options[wording % len(options)]
    slots = _slots(world, relation, ask.name) | {
        "g": ask.word,
        "Y": str(ask.year),
        "other": fill(kind.at, x=ask.other),
    }
    if defect.name == "bundle" and "{r}" in kind.alone:
        slots["r"] = fill(kind.alone, r=relation.noun)
    elif defect.name == "bundle":
        text = f"{fill(kind.alone, q=text.removesuffix('?'))}?"
    return fill(text, **slots)


def _slots(world: World, relation: Relation, name: str) -> dict[str, str]:
    return {
        "r": relation.noun,
        "x": name,
        "at": fill(world.document.at, x=name),
        "things": world.document.things,
    }
