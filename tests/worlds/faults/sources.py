"""Faults in what is quoted, and from whom."""

from dataclasses import replace
from typing import Any

from refusalbench_tasks.worlds.block import Block, Sentence
from refusalbench_tasks.worlds.operations import telling
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.statement import Fact
from tests.worlds.faults.base import Patch, fault, says


@fault("hearsay quoted as an official source", says("According to|By the account of"))
def hearsay(patch: Patch) -> None:
    right = telling.clause

    def faulty(stage: Scene, subject: str, fact: Fact, *rest: Any, **more: Any) -> Block:
        wrong = replace(fact, source=stage.source(2 - fact.rank)) if fact.source and fact.rank != 1 else fact
        found = right(stage, subject, wrong, *rest, **more)
        return Block((Sentence(found.sentences[0].text, (fact,)),))

    patch.setattr(telling, "clause", faulty)


@fault("what a source says turned into its opposite", says("According to|has it that|says that|By the account of"))
def source_denied(patch: Patch) -> None:
    patch.setattr(telling, "SAYING", ("{source} denies that ",))
    patch.setattr(telling, "QUOTES", ("{source} denies that the {attribute} of {S} is {V}.",))
