"""The defects: in rows that cannot be answered, one of them befalls what is asked."""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

from .document import (
    DOCUMENTS,
    GROUPS,
    OPINIONS,
    Document,
    FileEntry,
    Group,
    Relation,
    document,
    read_yaml,
    relations,
)
from .values import SMALLER

DefectName = Literal[
    "excised",
    "recorded",
    "clash",
    "rival",
    "bundle",
    "spot",
    "vague",
    "denied",
    "impossible",
    "split",
    "twins",
    "ungraded",
    "forecast",
    "unjudged",
    "opinion",
]
Names = tuple[str, ...]
CLASSES = (
    PerturbationClass.MISSING_INFO,
    PerturbationClass.CONTRADICTION,
    PerturbationClass.GRANULARITY,
    PerturbationClass.FALSE_PREMISE,
    PerturbationClass.AMBIGUITY,
    PerturbationClass.EPISTEMIC,
)
"""The order in which classes take turns."""


class Defect(FileEntry):
    """A way in which the asked relation of a thing can be without an answer, and the
    levers that it stands for (`documents/defects.yaml`).
    """

    name: DefectName
    perturbation: PerturbationClass
    intensity: Intensity
    lever: str = ""
    low: str
    groups: tuple[Group, ...] = GROUPS
    types: Names = ()
    """Groups and types of relations that it can befall; () for all types."""
    sound: str = "sound"
    """The state in which the same relation of the other thing has an answer."""

    @property
    def is_opinion(self) -> bool:
        """Whether the question alone tells that there is no answer."""
        return self.name == "opinion"

    def fits(self, relation: Relation) -> bool:
        """Return whether it can befall a relation."""
        if relation.group not in self.groups:
            return False
        if self.name == "clash" and relation.type == "measure":
            return relation.unit in SMALLER
        return not self.types or relation.type in self.types

    def possible(self, domain: str) -> bool:
        """Return whether it can befall a relation of a kind of document."""
        kind = document(domain)
        if self.name == "forecast" and not kind.lasting:
            return False
        if self.name == "unjudged" and not kind.verdicts.HIGH:
            return False
        return any(
            self.fits(relation)
            for group in self.groups
            for relation in relations(domain, group)
        )


@cache
def defects() -> Mapping[DefectName, Defect]:
    """Return all defects by name."""
    return {
        name: Defect.model_validate({"name": name, **content})
        for name, content in read_yaml("defects").items()
    }


def defect_due(
    index: int,
    domains: Names,
) -> tuple[Defect, Names]:
    """Return the defect of quad `index` and the domains that can have it, so that any
    run of quads is balanced.

    Classes take turns, then intensities, then defects. Where no domain has the one that
    is due, another of its class takes its turn. Rows of opinions take every second turn
    of their class, or all if no other domain is chosen.
    """
    opinion = defects()["opinion"]
    documents = tuple(name for name in domains if name != OPINIONS)
    if not documents:
        return opinion, _able(opinion, DOCUMENTS)
    turn, number = divmod(index, len(CLASSES))
    perturbation = CLASSES[number]
    if OPINIONS in domains and perturbation is PerturbationClass.EPISTEMIC:
        turn, is_opinion = divmod(turn, 2)
        if is_opinion:
            return opinion, _able(opinion, documents) or DOCUMENTS[:1]
    intensity = (Intensity.MEDIUM, Intensity.HIGH)[turn % 2]
    options = []
    for defect in defects().values():
        is_of_class = defect.perturbation is perturbation and not defect.is_opinion
        if is_of_class and _able(defect, documents):
            options.append(defect)
    due = [defect for defect in options if defect.intensity is intensity] or options
    chosen = due[turn // 2 % len(due)]
    return chosen, _able(chosen, documents)


def _able(
    defect: Defect,
    documents: Names,
) -> Names:
    """Return the domains that can have a defect."""
    return tuple(filter(defect.possible, documents))


def unanswerable_lever(
    defect: Defect,
    kind: Document,
    relation: Relation,
    layout: str,
) -> str:
    """Return the published lever that an unanswerable row stands for."""
    if defect.name == "denied":
        return kind.uses.lever
    if defect.name == "excised" and layout == "table":
        return "Table Gap"
    if defect.name == "clash" and relation.type != "measure":
        return "Dual-authoritative Dates"
    return defect.lever


def answerable_lever(
    defect: Defect,
    relation: Relation,
) -> str:
    """Return the published lever that an answerable row stands for."""
    if defect.name == "bundle" and relation.type != "money":
        if relation.type == "time":
            return "Minute Precision Present"
        return "Exact Degree Value"
    return defect.low
