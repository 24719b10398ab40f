"""Crossed quads: two questions by two passages, of which no part tells by itself which
has an answer.

In each passage one of the two asked things has relation r1 sound and relation r2 with a
defect, the other the reverse. Both questions ask for r1. All else is drawn without
regard to the label.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from refusalbench_tasks.taxonomy import Intensity, expected_label
from refusalbench_tasks.worlds.defects import (
    Defect,
    answerable_lever,
    defect_due,
    unanswerable_lever,
)
from refusalbench_tasks.worlds.document import (
    Relation,
    document,
    form,
    read_yaml,
    relations,
    templates,
)
from refusalbench_tasks.worlds.entries import QuadSetting
from refusalbench_tasks.worlds.passage import TWICE, Passage, capital, make_passage
from refusalbench_tasks.worlds.rendering import fill_slots
from refusalbench_tasks.worlds.solve import Impure, Solved, solve
from refusalbench_tasks.worlds.statement import Ask
from refusalbench_tasks.worlds.world import World, new_world, shuffled

VERSION = "RBW10"
"""The version of the items: the same seed and index give the same row as long as it
stands.
"""
TRIES = 40
BYSTANDER_DEFECTS = (0.15, 0.6)
"""How often a relation that is not asked for has a defect, and of those of which
soundness is rare.
"""
PassageAndOriginal: TypeAlias = tuple[Passage, Passage]
"""A passage, and the same without the defects of the asked things."""


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
    seed: int,
    index: int,
    domains: tuple[str, ...],
    design: Design = CROSSED,
) -> Quad:
    """Return quad `index` of a seed; it depends on nothing else.

    Class, intensity and defect follow from the index, the rest is drawn. Raises Impure
    if no draw has the labels that it must have, which would be an error of ours.
    """
    defect, able = defect_due(index, domains)
    for attempt in range(TRIES):
        rng = Random(f"{VERSION}:{seed}:{index}:{attempt}")
        key = f"{seed}:{index}:{attempt}"
        draw = _Draw(
            rng,
            key,
            defect,
            rng.choice(able),
            design,
        )
        try:
            return draw.quad(seed, index)
        except Impure:
            continue
    raise Impure(
        f"quad {index} of seed {seed}: no draw of '{defect.name}' has its labels"
    )


class _Draw:
    """One draw of a quad."""

    def __init__(
        self,
        rng: Random,
        key: str,
        defect: Defect,
        domain: str,
        design: Design,
    ) -> None:
        self.rng = rng
        self.key = key
        self.defect = defect
        self.design = design
        self.document = document(domain)
        bystanders = rng.choice((1, 2, 3))
        self.world = new_world(
            rng,
            self.document,
            2 + bystanders,
        )
        self.first, self.second = self.world.names[:2]
        rest = list(filter(defect.fits, relations(domain, defect.group)))
        self.asked: Relation
        self.asked, self.other = rng.sample(rest, 2)
        rest.remove(self.asked)
        rest.remove(self.other)
        # sums are made with relations that the passage doesn't speak of
        has_sums = any("{t}" in template for template in self.document.together)
        spare = 2 if defect.name == "bundle" and has_sums else 0
        self.rest = rng.sample(rest, max(0, len(rest) - spare))
        self.setting = self._setting()

    def _setting(self) -> QuadSetting:
        rng = self.rng
        kind = self.document
        layouts = [*form(kind.form).layouts]
        if self.defect.tabular:
            layouts += ["table", "table"]
        twins = {}
        if self.defect.name == "twins":
            pair = rng.choice(kind.twins)
            for position, name in enumerate(self.world.names):
                if position < 2 or rng.random() < 0.4:
                    twins[name] = pair
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
        shown = [
            self._passages(0, self.first, self.second),
            self._passages(1, self.second, self.first),
        ]
        cells = self._opinions if self.defect.is_opinion else self._crossed
        return Quad(
            seed,
            index,
            self.defect,
            self.world,
            self.setting,
            (self.asked, self.other),
            tuple(cells(shown)),
        )

    def _passages(
        self,
        number: int,
        sound: str,
        bad: str,
    ) -> PassageAndOriginal:
        """Return a passage in which the asked relation of `sound` has an answer, and
        its original without defects.
        """
        content = self._content(sound, bad)
        healed = dict(content)
        for name in (sound, bad):
            healed[name] = [(relation, True) for relation, _ in content[name]]
        stale = self._stale(sound)
        key = f"{VERSION}:{self.key}:{number}"
        return (
            make_passage(
                self.world,
                self.defect,
                self.setting,
                content,
                stale,
                key,
            ),
            make_passage(
                self.world,
                self.defect,
                self.setting,
                healed,
                stale,
                key,
            ),
        )

    def _content(
        self,
        sound: str,
        bad: str,
    ) -> dict[str, list[tuple[Relation, bool]]]:
        if self.defect.is_opinion:
            matters = [(self.asked, True), (self.other, True)]
            return {name: list(matters) for name in self.world.names}
        content = {
            sound: [(self.asked, True), (self.other, not self.design.crossed)],
            bad: [(self.asked, False), (self.other, True)],
        }
        for name in self.world.names[2:]:
            content[name] = self._bystanding([self.asked, self.other])
        as_table = self.setting.layout == "table" or self.defect.name in TWICE
        shared = self._extra()
        for matters in content.values():
            extra = shared if as_table else self._extra()
            matters += self._bystanding(extra)
        return content

    def _bystanding(
        self,
        relations: Sequence[Relation],
    ) -> list[tuple[Relation, bool]]:
        """Return relations that are not asked for, some of them with a defect."""
        odds = BYSTANDER_DEFECTS[self.defect.rare]
        return [(relation, self.rng.random() >= odds) for relation in relations]

    def _extra(self) -> list[Relation]:
        """Return a further relation for one thing of three, if there is one."""
        most = self.rng.choice((0, 0, 1))
        return self.rng.sample(self.rest, min(most, len(self.rest)))

    def _stale(
        self,
        sound: str,
    ) -> list[tuple[str, Relation]]:
        """Return the relations of which the passage gives an old value."""
        if self.defect.group != "values" or self.defect.is_opinion:
            return []
        if self.setting.twins:
            return []
        if not self.design.crossed:
            return [(sound, self.asked)]
        rng = self.rng
        names = shuffled(rng, self.world.names)
        names = [name for name in names if rng.random() < 0.3]
        either = (self.asked, self.asked, self.other)
        return [(name, rng.choice(either)) for name in names]

    def _crossed(
        self,
        shown: Sequence[PassageAndOriginal],
    ) -> list[Cell]:
        defect = self.defect
        low = (Intensity.LOW, answerable_lever(defect, self.asked))
        lever = unanswerable_lever(
            defect,
            self.document,
            self.asked,
            self.setting.layout,
        )
        high = (defect.intensity, lever)
        asks = self._asks()
        wording = self.rng.randrange(60)
        cells = []
        for row, ask in enumerate(asks):
            question = self._question(ask, wording)
            for column, passages in enumerate(shown):
                levels = low if row == column else high
                cell = self._cell(
                    passages,
                    question,
                    ask,
                    *levels,
                )
                cells.append(cell)
        return cells

    def _opinions(
        self,
        shown: Sequence[PassageAndOriginal],
    ) -> list[Cell]:
        noun = self.asked.noun
        compared = Ask(
            "compare",
            self.first,
            noun,
            other=self.second,
        )
        opinion = Ask("opinion", self.first, noun)
        question = self._question(compared, 0)
        chosen = self.rng.choice(read_yaml("opinions"))
        slots = self._slots(self.first)
        opinion_question = capital(fill_slots(chosen["ask"], **slots))
        low = (Intensity.LOW, self.defect.low)
        high = (Intensity(chosen["intensity"]), chosen["lever"])
        cells = []
        for passages in shown:
            cells += [
                self._cell(
                    passages,
                    question,
                    compared,
                    *low,
                ),
                self._cell(
                    passages,
                    opinion_question,
                    opinion,
                    *high,
                ),
            ]
        return cells

    def _cell(
        self,
        passages: PassageAndOriginal,
        question: str,
        ask: Ask,
        intensity: Intensity,
        lever: str,
    ) -> Cell:
        passage, original = passages
        solved = solve(passage.statements, ask)
        label = expected_label(self.defect.perturbation, intensity)
        if solved.label is not label:
            raise Impure(f"{self.defect.name}: {solved.label}")
        return Cell(
            question,
            ask,
            passage,
            original,
            intensity,
            lever,
            solved,
        )

    def _asks(self) -> list[Ask]:
        noun = self.asked.noun
        both = (self.first, self.second)
        if self.defect.name == "ungraded":
            grades = self.document.grades
            pair = grades[self.setting.grades % len(grades)]
            word, opposite = self.rng.sample(pair, 2)
            return [
                Ask(
                    "grade",
                    name,
                    noun,
                    word,
                    opposite,
                )
                for name in both
            ]
        if self.defect.lasting:
            year = self.setting.year
            return [
                Ask(
                    "future",
                    name,
                    noun,
                    year=year,
                )
                for name in both
            ]
        return [Ask("value", name, noun) for name in both]

    def _question(
        self,
        ask: Ask,
        wording: int,
    ) -> str:
        """Return the question in words; `wording` chooses among the templates."""
        wordings = self._question_wordings(ask)
        text = wordings[wording % len(wordings)]
        at_other = fill_slots(self.document.at, x=ask.other)
        slots = self._slots(ask.name)
        slots |= {"g": ask.word, "Y": str(ask.year), "other": at_other}
        alone = self.document.alone
        if self.defect.name == "bundle" and "{r}" in alone:
            slots["r"] = fill_slots(alone, r=self.asked.noun)
        elif self.defect.name == "bundle":
            text = f"{fill_slots(alone, q=text.removesuffix('?'))}?"
        return fill_slots(text, **slots)

    def _question_wordings(
        self,
        ask: Ask,
    ) -> Sequence[str]:
        kind = self.document
        group = self.defect.group
        patterns = templates().questions
        if ask.kind == "compare":
            return patterns["compare"]
        if kind.figures and group == "figures":
            return kind.figures.ask
        if group == "uses":
            return kind.uses.ask
        if group == "parts":
            return (self.asked.ask,)
        if ask.kind == "grade":
            return patterns["graded"]
        if ask.kind == "future":
            return patterns["until"]
        return kind.ask

    def _slots(self, name: str) -> dict[str, str]:
        return {
            "r": self.asked.noun,
            "x": name,
            "at": fill_slots(self.document.at, x=name),
            "things": self.document.things,
        }
