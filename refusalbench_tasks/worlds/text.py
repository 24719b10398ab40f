"""The two passages of a quad, each with what it would be without one of its two levers."""

import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from random import Random

from refusalbench_tasks.worlds.arrangement import Place, arranged
from refusalbench_tasks.worlds.block import Block, joined
from refusalbench_tasks.worlds.company import FEWEST, MOST, distractors, idle
from refusalbench_tasks.worlds.lever import Told
from refusalbench_tasks.worlds.pack import pack
from refusalbench_tasks.worlds.passage import passage
from refusalbench_tasks.worlds.readings import Impure
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Statement

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Text:
    """One passage and what it states."""

    text: str
    statements: tuple[Statement, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Draft:
    """A passage that is only written when somebody wants to read it: few originals are ever looked at."""

    blocks: tuple[Block, ...]
    register: str
    domain: str
    form: float
    """What its form is drawn from: the same draws give several texts the same form."""

    @cached_property
    def text(self) -> Text:
        """Return the passage."""
        statements = tuple(one for each in self.blocks for said in each.sentences for one in said.statements)
        shown = passage(self.blocks, self.register, pack(self.domain), Random(self.form))
        return Text(shown, statements, self.blocks)


@dataclass(frozen=True)
class Passage:
    """A passage of a quad, and drafts of it without the lever of its answerable row, and without the other one."""

    text: Text
    without_soft: Draft
    without_hard: Draft


def passage_of(scene: Scene, easy: Told, hard: Told, given: list[Block], register: str) -> Passage:
    """Return a passage that holds what both levers tell and what is given, in company drawn anew.

    Raises Impure if it holds a word that a lever keeps out.
    """
    rng = scene.rng
    others = [*given, *distractors(scene, rng.randint(FEWEST, MOST))]
    others += idle(scene, [*easy.row, *hard.row, *others], register)
    trios = [*_trios(easy, soft=True), *_trios(hard, soft=False), *((one, one, one) for one in others)]
    trios = arranged(trios, scene.a, scene.b, rng)
    form = rng.random()
    row, without_soft, without_hard = (
        Draft(tuple(one for one in column if one), register, scene.pack.domain, form)
        for column in zip(*trios, strict=True)
    )
    if hard.purged and hard.purged & {*_WORD.findall(row.text.text)}:
        raise Impure("a word that must not stand in the passage does")
    return Passage(row.text, without_soft, without_hard)


def _trios(told: Told, soft: bool) -> list[Place]:
    """Return each block of a row beside what stands in its place in the row's original."""
    size = len(told.row)
    kept: list[Block | None] = [one if one in told.row else replace(one, row=None) for one in told.original]
    if len(kept) > size > 0:
        kept[size - 1 :] = [joined(*(one for one in kept[size - 1 :] if one))]
    pairs = list(zip_longest(told.row, kept))
    return [(row, clean, row) if soft else (row, row, clean) for row, clean in pairs]
