"""What the passages of a quad speak of, and which facts have which defect."""

from collections.abc import Sequence
from random import Random

from refusalbench_tasks.taxonomy import PerturbationClass

from .defects import CLASSES, Defect, defects
from .document import GROUPS, Group, Relation, relations
from .entries import Content
from .world import World, shuffled

SHOWN = 4
"""Of how many classes a passage has defects: each of them might be that of the asked
fact, so the passage tells little of it.
"""
VALUES = 2
OTHERS = 2
"""How many values and other relations a passage speaks of: else their nouns would tell
that a judgement, which is always one of a value, is asked for.
"""
STATED = 0.4
"""How often a passage states such a relation of a thing."""
EPISTEMIC = PerturbationClass.EPISTEMIC
WEIGHTS = {"values": 4, "figures": 3, "uses": 4, "parts": 5}
"""How often relations of the groups are drawn: of those of which all defects but a few
are possible, so that a question tells little of its class.
"""
States = dict[str, dict[Relation, str]]
"""By thing and relation the state in which a passage puts it."""


class QuadContent:
    """The relations of a quad and their defects; both passages draw from it."""

    def __init__(
        self,
        rng: Random,
        world: World,
        defect: Defect,
        crossed: bool,
        in_table: bool,
    ) -> None:
        self.rng = rng
        self.world = world
        self.defect = defect
        self.crossed = crossed
        self.in_table = in_table
        self.relations: list[Relation] = []
        self._add_relation(GROUPS, defect)
        is_judged = defect.perturbation is EPISTEMIC
        but = (defect.perturbation, EPISTEMIC)
        others = [one for one in CLASSES if one not in but]
        # the classes that a passage shows beside that of the quad
        due = shuffled(rng, others)[: SHOWN - (not is_judged)]
        self.second = defect if is_judged else self._of_class(due.pop())
        self._add_relation(GROUPS, self.second)
        self.classes = due
        values = [one for one in self.relations if one.group == "values"]
        for _ in range(VALUES - len(values)):
            self._add_relation(GROUPS[:1])
        for _ in range(OTHERS + len(values) - 2):
            self._add_relation(GROUPS[1:])

    def _of_class(self, perturbation: PerturbationClass) -> Defect:
        """Return a defect of a class that documents of this kind can have.

        It befalls a thing that is asked about: two things of its name would leave open
        of which of them its other facts are.
        """
        domain = self.world.document.name
        options = [one for one in _of_class(perturbation) if one.name != "twins"]
        possible = [defect for defect in options if defect.possible(domain)]
        return self.rng.choice(possible)

    def _add_relation(
        self,
        possible: Sequence[Group],
        defect: Defect | None = None,
    ) -> None:
        """Add a relation of some groups that a defect can befall."""
        by_group = {}
        for group in possible:
            fitting = [
                relation
                for relation in relations(self.world.document.name, group)
                if relation not in self.relations
                and (defect is None or defect.fits(relation))
            ]
            if fitting:
                by_group[group] = fitting
        groups = list(by_group)
        weights = [WEIGHTS[group] for group in groups]
        (group,) = self.rng.choices(groups, weights)
        self.relations.append(self.rng.choice(by_group[group]))

    def of_passage(self, sound: str, bad: str) -> tuple[Content, Content]:
        """Return what a passage states in which the asked relation of `sound` has an
        answer, and the same without the defects of the two asked things.
        """
        asked, other, *extra = self.relations
        defect = self.defect
        if defect.is_opinion:
            extra = []
        states: States = {}
        names = self.world.names
        for name in names:
            states[name] = {asked: "sound", other: "sound"}
            for relation in extra:
                if self.in_table or self.rng.random() < STATED:
                    states[name][relation] = "sound"
        if self.crossed and not defect.is_opinion:
            free = [(name, asked) for name in names[2:]]
            free += [(name, other) for name in names[2:]]
            free += [(name, relation) for name in states for relation in extra]
            self._place(states, free)
        healed = {name: dict(by_relation) for name, by_relation in states.items()}
        other_sound = self.second.sound if self.crossed else "sound"
        for name in (sound, bad):
            healed[name] |= {asked: defect.sound, other: other_sound}
        for name, by_relation in healed.items():
            states[name] = dict(by_relation)
        states[bad][asked] = defect.name
        states[sound][other] = self.second.name if self.crossed else "repeated"
        return _content(states), _content(healed)

    def _place(self, states: States, free: Sequence[tuple[str, Relation]]) -> None:
        """Let a defect of each further class befall a fact that nobody asks for."""
        left = shuffled(self.rng, free)
        for perturbation in self.classes:
            options = shuffled(self.rng, _of_class(perturbation))
            # the asked things have none but as the defect that is due
            options.sort(key=lambda defect: defect.name != "twins")
            for defect in options:
                among = left
                if defect.name == "twins":
                    asked = self.world.names[:2]
                    among = [fact for fact in left if fact[0] not in asked]
                fitting = [(name, rel) for name, rel in among if defect.fits(rel)]
                if fitting:
                    name, relation = fitting[0]
                    states[name][relation] = defect.name
                    left.remove((name, relation))
                    if defect.sound == "repeated":
                        _repeat(states, left, relation)
                    break


def _repeat(
    states: States, left: list[tuple[str, Relation]], contradicted: Relation
) -> None:
    """Let another fact be stated twice and the same both times, of the relation that is
    contradicted if possible, as of the asked things.
    """
    for name, relation in sorted(left, key=lambda fact: fact[1] != contradicted):
        if states[name].get(relation) == "sound":
            states[name][relation] = "repeated"
            left.remove((name, relation))
            return


def _of_class(perturbation: PerturbationClass) -> list[Defect]:
    return [
        defect
        for defect in defects().values()
        if defect.perturbation is perturbation and not defect.is_opinion
    ]


def _content(states: States) -> Content:
    return {name: list(by_relation.items()) for name, by_relation in states.items()}
