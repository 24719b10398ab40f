"""What a planted fault is, and the quads in which there is something for it to spoil."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import pytest

from refusalbench_tasks.worlds.lever import Lever
from refusalbench_tasks.worlds.quad import Quad

Patch: TypeAlias = pytest.MonkeyPatch
Where: TypeAlias = Callable[[Quad], bool]
Pool: TypeAlias = Callable[[Lever], bool]
Plant: TypeAlias = Callable[[Patch], None]


@dataclass(frozen=True)
class Fault:
    """One fault, in quads of which levers it is sought, and in which of these there is something that it can spoil."""

    name: str
    plant: Plant
    where: Where
    pool: Pool


FAULTS: list[Fault] = []


def look_ups(hard: Lever) -> bool:
    """Return whether a lever is one of the plain questions of P-MissingInfo and P-Contradiction."""
    return hard.scenario == "value" and hard.perturbation.short in ("MissingInfo", "Contradiction")


def scenarios(*names: str) -> Pool:
    """Return the pool of the scenarios whose names begin so."""
    return lambda hard: hard.scenario.startswith(names)


def anywhere(one: Quad) -> bool:
    return True


def typed(*types: str) -> Where:
    return lambda one: one.relation.type in types


def asks(*operators: str) -> Where:
    return lambda one: one.cells[0].question.ask.operator in operators


def in_register(*names: str) -> Where:
    return lambda one: one.register in names


def says(words: str) -> Where:
    found = re.compile(words)
    return lambda one: any(found.search(cell.text.text) for cell in one.cells)


def dated(one: Quad) -> bool:
    return typed("date")(one) and asks("value")(one)


def figures(one: Quad) -> bool:
    return typed("count", "money", "measure")(one) and asks("value")(one)


def soft(*names: str) -> Where:
    return lambda one: one.cells[0].lever.name in names


def hard(*names: str) -> Where:
    return lambda one: one.cells[1].lever.name in names


def described(one: Quad) -> bool:
    return one.cells[0].question.ask.via is not None


def fault(name: str, where: Where = anywhere, pool: Pool = look_ups) -> Callable[[Plant], Plant]:
    def register(plant: Plant) -> Plant:
        FAULTS.append(Fault(name, plant, where, pool))
        return plant

    return register
