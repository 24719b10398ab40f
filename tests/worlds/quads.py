"""Quads of one lever, for tests."""

from collections.abc import Iterable

import pytest

from refusalbench_tasks.worlds import quad
from refusalbench_tasks.worlds.lever import LEVERS, Lever
from refusalbench_tasks.worlds.pack import DOMAINS, Relation, pack
from refusalbench_tasks.worlds.quad import Quad
from refusalbench_tasks.worlds.solve import Impure, solve
from refusalbench_tasks.worlds.statement import Fact
from refusalbench_tasks.worlds.turn import options


def quads_of(hard: Lever, count: int, monkeypatch: pytest.MonkeyPatch, soft: Lever | None = None) -> list[Quad]:
    """Return quads of one MEDIUM or HIGH lever, of as many seeds, all with one LOW lever if that is given."""

    def low_levers(hard: Lever, relation: Relation) -> list[Lever]:
        assert soft is not None
        if not soft.fits(relation):
            raise Impure("the relation does not fit")
        return [soft]

    with monkeypatch.context() as patch:
        options(hard, DOMAINS)
        patch.setattr(quad, "due", lambda index, domains: hard)
        if soft is not None:
            patch.setattr(quad, "low_levers", low_levers)
        return [quad.make_quad(seed, 0) for seed in range(count)]


def originals_have_the_answer(quads: Iterable[Quad], differ: bool = False) -> None:
    """Assert that the solver gives both texts of each question without their levers the answer of the answerable row.

    `differ`: each original is another text than its row.
    """
    for one in quads:
        ontology = pack(one.domain).ontology
        for gold, other in ((one.cells[0], one.cells[1]), (one.cells[3], one.cells[2])):
            for cell in (gold, other):
                assert solve(cell.original.statements, cell.question.ask, ontology) == gold.solved
                assert not differ or cell.original.text != cell.text.text


def hard_levers(of: str) -> list[Lever]:
    """Return the MEDIUM and HIGH levers of a class."""
    return [one for one in LEVERS if one.perturbation.value == of and one.intensity.value != "LOW"]


def low_pairs(of: str) -> list[tuple[Lever, Lever]]:
    """Return one LOW lever of each name of a class, with a MEDIUM or HIGH one that can share its quads."""
    softs = {one.name: one for one in LEVERS if one.perturbation.value == of and one.intensity.value == "LOW"}
    return [(one, next(hard for hard in hard_levers(of) if hard.scenario == one.scenario)) for one in softs.values()]


def named(quad: Quad, place: int) -> str:
    """Return the thing that a row asks about, also if the question only describes it."""
    ask = quad.cells[place].question.ask
    if ask.via is None:
        return str(ask.subjects[0])
    relation, value = ask.via
    facts = [one for one in quad.cells[place].text.statements if isinstance(one, Fact)]
    return next(str(one.subject) for one in facts if (one.relation, one.value) == (relation, value))
