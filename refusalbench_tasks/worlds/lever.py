"""Levers of worlds: published ways to make a question unanswerable, or to leave it answerable, as operations."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.asking import Question
from refusalbench_tasks.worlds.block import Block
from refusalbench_tasks.worlds.pack import Relation
from refusalbench_tasks.worlds.scene import Scene


@dataclass(frozen=True, slots=True)
class Told:
    """What a text says of a thing in the row of a lever, and in the row's clean original."""

    row: list[Block]
    original: list[Block] = field(default_factory=list)
    purged: frozenset[str] = frozenset()
    """Words that nothing in the row's passage may hold."""


Treat: TypeAlias = Callable[[Scene, str], list[Block] | Told]
"""What a text says about one of the two things, given the scene and the thing's name.

Blocks alone stand for a row whose original states the fact plainly.
"""
Reword: TypeAlias = Callable[[Scene, str, str], str]
"""A question about one of the two things, changed, given the scene, the thing's name and the question."""


def anything(relation: Relation) -> bool:
    """Return True: the lever fits every relation."""
    return True


def as_it_is(scene: Scene, subject: str, question: str) -> str:
    """Return the question unchanged."""
    return question


@dataclass(frozen=True)
class Lever:
    """One lever of one class and intensity.

    `scenario` is the shape of question that it works in; levers of a LOW row and of a MEDIUM or HIGH row stand in one
    quad if they share it. `treat` says what the text states of the thing whose row this is. `reword` of the LOW row
    changes the questions of the whole quad alike.
    """

    name: str
    perturbation: PerturbationClass
    intensity: Intensity
    scenario: str
    treat: Treat
    fits: Callable[[Relation], bool] = anything
    reword: Reword = as_it_is
    operators: tuple[str, ...] = ()
    """The operators that it can be asked with; empty for all of its scenario."""
    intrinsic: bool = False
    """Whether the question alone tells that it has no answer (an opinion is an opinion): reported apart."""

    echo: bool = False
    """Whether the answerable thing gets the same treatment for a relation that nobody asks for, and the other thing a
    plain fact of that relation: then both are spoken of in the same words."""

    question: Callable[[Scene, str], Question] | None = None
    """The lever's own question about a thing, in the scenario in which each lever brings its own."""

    def told(self, scene: Scene, subject: str, plain: Callable[[Scene, str], list[Block]]) -> Told:
        """Return what the texts of a row and of its original say of a thing; `plain` says it without any lever."""
        said = self.treat(scene, subject)
        return said if isinstance(said, Told) else Told(said, plain(scene, subject))


LEVERS: list[Lever] = []
"""All levers that are operations, in the order of their registration."""


def lever(
    perturbation: PerturbationClass,
    intensity: Intensity,
    name: str,
    scenario: str = "value",
    fits: Callable[[Relation], bool] = anything,
    reword: Reword = as_it_is,
    operators: tuple[str, ...] = (),
    intrinsic: bool = False,
    echo: bool = False,
    question: Callable[[Scene, str], Question] | None = None,
) -> Callable[[Treat], Treat]:
    """Register a treatment as a lever under its published name."""

    def register(treat: Treat) -> Treat:
        one = Lever(name, perturbation, intensity, scenario, treat, fits, reword, operators, intrinsic, echo, question)
        LEVERS.append(one)
        return treat

    return register
