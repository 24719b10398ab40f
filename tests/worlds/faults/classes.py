"""Faults in what only some classes tell: scripts, other levels, and what no text can settle."""

import re
from collections.abc import Sequence
from dataclasses import replace

from refusalbench_tasks.worlds.block import Block, Sentence, joined
from refusalbench_tasks.worlds.operations import group, odds, periods, wholes
from refusalbench_tasks.worlds.scene import Scene
from refusalbench_tasks.worlds.script import Script
from refusalbench_tasks.worlds.statement import Statement
from tests.worlds.faults.base import Patch, Pool, fault, says, scenarios
from tests.worlds.faults.questions import swapped
from tests.worlds.faults.registers import in_text

PREMISES, READINGS = scenarios("premise:"), scenarios("readings:")
PERIODS, WHOLES = scenarios("year", "decade", "change"), scenarios("aggregate")


def in_scripts(name: str, pool: Pool) -> None:
    """Plant, in the scripts of a class, sentences that answer where those that defeat the question should stand."""

    def plant(patch: Patch) -> None:
        said = Script._said

        def faulty(self: Script, scene: Scene, subject: str, patterns: Sequence[str], facts: list[Statement]) -> Block:
            good = next(iter(self.good.values()))
            return said(self, scene, subject, good if patterns is self.bad else patterns, facts)

        patch.setattr(Script, "_said", faulty)

    fault(name, pool=pool)(plant)


in_scripts("a false premise told as if it were true", PREMISES)
in_scripts("an ambiguous sentence told in words with one reading", READINGS)


@fault("an answer told in words with several readings", pool=READINGS)
@fault("an answer told in the words that deny its premise", pool=PREMISES)
def defeated(patch: Patch) -> None:
    answering = Script.answering

    def faulty(self: Script, scene: Scene, subject: str, low: str = "any") -> Block:
        right = answering(self, scene, subject, low)
        return self._said(scene, subject, self.bad, [*right.statements])

    patch.setattr(Script, "answering", faulty)


@fault("a script's sentence about the other thing", pool=scenarios("premise:", "readings:"))
def of_the_other(patch: Patch) -> None:
    said = Script._said

    def faulty(self: Script, scene: Scene, subject: str, patterns: Sequence[str], facts: list[Statement]) -> Block:
        right = said(self, scene, subject, patterns, facts)
        other = scene.b if subject == scene.a else scene.a
        return Block(tuple(replace(one, text=one.text.replace(subject, other)) for one in right.sentences))

    patch.setattr(Script, "_said", faulty)


@fault("a figure told for the year after", pool=PERIODS)
def year_after(patch: Patch) -> None:
    when = periods._when
    patch.setattr(periods, "_when", lambda at: re.sub(r"\b\d{4}\b", lambda found: str(int(found[0]) + 1), when(at)))


@fault("the figures of several years in another order", says(r"in \d{4}, .* in \d{4} and"), PERIODS)
def years_turned(patch: Patch) -> None:
    told = periods.told

    def faulty(scene: Scene, subject: str, patterns: Sequence[str], ats: Sequence[str]) -> Block:
        right, years = told(scene, subject, patterns, ats), [periods._when(at) for at in ats]
        text = right.sentences[0].text
        for place, year in enumerate(years):
            text = text.replace(year, f"<{place}>")
        for place in range(len(years)):
            text = text.replace(f"<{place}>", years[place - 1])
        return Block((Sentence(text, right.statements),))

    patch.setattr(periods, "told", faulty)


@fault(
    "a part of a whole without its figure", lambda one: one.cells[0].lever.name == "Explicit Total Line" or True, WHOLES
)
def without_figure(patch: Patch) -> None:
    for module in (group, wholes):
        patch.setattr(module, "entries", _fewer)


def _fewer(scene: Scene, parts: Sequence[str]) -> Block:
    right = joined(*(Block(scene.state(part).sentences) for part in parts))
    first, *rest = right.sentences
    return Block((replace(first, text="Nothing more was said."), *rest))


in_text(
    "a threshold, or an order, turned upside down",
    lambda text: swapped(text, ("higher", "LOWER"), ("lower", "higher"), ("LOWER", "lower")),
    says(r"\b(?:higher|lower)\b.*\b(?:than|better)|better.*\b(?:higher|lower)\b"),
    scenarios("term", "judged", "better"),
)
in_text(
    "a grade without its not",
    lambda text: re.sub(r"(stands for|graded|as) '?not ", r"\1 ", text).replace("'not ", "'"),
    says("'not "),
    scenarios("term", "judged"),
)


@fault("a chance a step too high", pool=scenarios("odds"))
def likelier(patch: Patch) -> None:
    say = Scene.say

    def faulty(self: Scene, patterns: Sequence[str], *rest: object, **more: object) -> Block:
        right = say(self, patterns, *rest, **more)  # type: ignore[arg-type]
        if patterns is not odds.RATED:
            return right
        low, high = str(more["V"]), odds.RATINGS[(odds.RATINGS.index(str(more["V"])) + 1) % len(odds.RATINGS)]
        return Block(tuple(replace(one, text=one.text.replace(low, high)) for one in right.sentences))

    patch.setattr(Scene, "say", faulty)


@fault("a contract for another year", says("contract"), scenarios("forecast"))
def another_year(patch: Patch) -> None:
    patch.setattr(odds, "FIXED", tuple(one.replace("{y}", "2391") for one in odds.FIXED))
