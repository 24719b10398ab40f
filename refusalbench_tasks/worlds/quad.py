"""Crossed quads: two questions by two passages, of which no part tells by itself which
has an answer, nor why one has none.

In each passage one of the two asked things has relation r1 sound and relation r2 with a
defect, the other r1 with the defect of the quad and r2 sound. Both questions ask for
r1. The two defects are of classes of their own, and further facts have defects of
further classes. All else is drawn without regard to label and class.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from refusalbench_tasks.taxonomy import Intensity, expected_label

from .defects import (
    Defect,
    answerable_lever,
    defect_due,
    unanswerable_lever,
)
from .document import (
    Relation,
    document,
    form,
    names,
    read_yaml,
    templates,
)
from .entries import QuadSetting
from .passage import Passage, capital, make_passage
from .quad_content import QuadContent
from .rendering import fill_slots
from .solve import Impure, Solved, solve
from .statement import Ask
from .world import World, new_world, shuffled

VERSION = "RBW11"
"""The version of the items: the same seed and index give the same row as long as it
stands.
"""
TRIES = 40
DRESSES = ("graded", "until", "")
AHEAD = (2, 5)
"""In how many years a question about the future asks for a value."""
PassageAndOriginal = tuple[Passage, Passage]
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


Cells = list[Cell]


@dataclass(frozen=True)
class Quad:
    """Four rows: questions 1 and 2 by passages 1 and 2, answerable where the numbers
    agree; the two rows of a question stand together, in a drawn order.

    Of a quad of opinions question 1 is answerable by both passages and question 2 by
    none; each passage's two rows stand together.
    """

    seed: int
    index: int
    defect: Defect
    world: World = field(repr=False)
    setting: QuadSetting
    relations: tuple[Relation, Relation]
    cells: Sequence[Cell] = field(repr=False)


@dataclass(frozen=True)
class Design:
    """How quads are built: as they should be, or as a control on which attacks must
    succeed.
    """

    crossed: bool = True
    handles: float = 0.7
    """The share of quads whose entries are tied to names by handles, where the layout
    can have them.
    """
    indexed: bool = False
    """Whether layouts that cannot have them are left out."""
    bystanders: tuple[int, ...] = (1, 2, 3)
    """How many things a document has beside the two that questions ask about."""


CROSSED = Design()
HARD = Design(handles=1.0, indexed=True, bystanders=(3,))
"""Two steps to each answer, through an index of five things."""


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
        bystanders = rng.choice(design.bystanders)
        self.world = new_world(
            rng,
            self.document,
            2 + bystanders,
            names().of(self.document),
        )
        self.first, self.second = self.world.names[:2]
        self.setting = self._setting()
        self.content = QuadContent(
            rng,
            self.world,
            defect,
            design.crossed,
            self.setting.layout == "table",
        )
        self.asked, self.other = self.content.relations[:2]

    def _setting(self) -> QuadSetting:
        rng = self.rng
        kind = self.document
        chosen = form(kind.form)
        layouts = [*chosen.layouts, *["table"] * chosen.tables]
        if self.design.indexed:
            layouts = [layout for layout in layouts if chosen.has_index(layout)]
        layout = rng.choice(layouts)
        has_handles = rng.random() < self.design.handles and chosen.has_index(layout)
        dress = rng.choice(DRESSES)
        if dress == "until" and not kind.lasting:
            dress = "graded"
        is_high = rng.random() < 0.5
        if self.defect.sound in ("graded", "fixed"):
            dress = "graded" if self.defect.sound == "graded" else "until"
            is_high = self.defect.intensity is Intensity.HIGH
        return QuadSetting(
            layout,
            has_handles,
            year=self.world.year + rng.randint(*AHEAD),
            dress=dress,
            verdicts=(is_high and kind.verdicts.HIGH) or kind.verdicts.MEDIUM,
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
            cells(shown),
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
        content, healed = self.content.of_passage(sound, bad)
        stale = self._stale(sound)
        key = f"{VERSION}:{self.key}:{number}"
        passage, original = (
            make_passage(
                self.world,
                self.setting,
                matters,
                stale,
                key,
            )
            for matters in (content, healed)
        )
        return passage, original

    def _stale(
        self,
        sound: str,
    ) -> list[tuple[str, Relation]]:
        """Return the relations of which the passage gives an old value."""
        either = [
            relation
            for relation in (self.asked, self.asked, self.other)
            if relation.group == "values"
        ]
        if not either or self.defect.is_opinion:
            return []
        if not self.design.crossed:
            return [(sound, either[0])]
        rng = self.rng
        names = shuffled(rng, self.world.names)
        names = [name for name in names if rng.random() < 0.3]
        return [(name, rng.choice(either)) for name in names]

    def _crossed(
        self,
        shown: Sequence[PassageAndOriginal],
    ) -> Cells:
        defect = self.defect
        low = (Intensity.LOW, answerable_lever(defect, self.asked))
        lever = unanswerable_lever(
            defect,
            self.document,
            self.asked,
            self.setting.layout,
        )
        high = (defect.intensity, lever)
        ask = Ask("value", self.first, self.asked.noun)
        if defect.sound == "graded":
            word, opposite = self.rng.sample(self.setting.verdicts, 2)
            ask = replace(
                ask,
                kind="grade",
                word=word,
                opposite=opposite,
            )
        elif defect.sound == "fixed":
            ask = replace(ask, kind="future", year=self.setting.year)
        asks = (ask, replace(ask, name=self.second))
        wording = self.rng.randrange(60)
        cells = []
        for row, asked in enumerate(asks):
            question = self._question(asked, wording)
            for column, passages in enumerate(shown):
                levels = low if row == column else high
                cell = self._cell(
                    passages,
                    question,
                    asked,
                    *levels,
                )
                cells.append(cell)
        return self._rotated(cells)

    def _rotated(self, cells: Cells) -> Cells:
        """Return the cells with those of either pair in a drawn order: positions, and
        so ids, don't tell the label.
        """
        first = shuffled(self.rng, cells[:2])
        second = shuffled(self.rng, cells[2:])
        return [*first, *second]

    def _opinions(
        self,
        shown: Sequence[PassageAndOriginal],
    ) -> Cells:
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
        return self._rotated(cells)

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
        return fill_slots(text, **slots)

    def _question_wordings(
        self,
        ask: Ask,
    ) -> Sequence[str]:
        patterns = templates().questions
        if ask.kind == "compare":
            return patterns["compare"]
        if ask.kind == "grade":
            return patterns["graded"]
        if ask.kind == "future":
            return patterns["until"]
        if self.asked.ask:
            return (self.asked.ask,)
        return self.document.words[self.asked.group].question

    def _slots(self, name: str) -> dict[str, str]:
        return {
            "r": self.asked.noun,
            "x": name,
            "at": fill_slots(self.document.at, x=name),
            "things": self.document.things,
        }
