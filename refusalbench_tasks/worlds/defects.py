"""The defects: in each row that cannot be answered, one of them befalls what is asked,
and nothing else.
"""

from dataclasses import dataclass
from typing import Literal

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass
from refusalbench_tasks.worlds.document import (
    DOCUMENTS,
    OPINIONS,
    Document,
    Group,
    Relation,
    document,
)

DefectName = Literal[
    "excised",
    "recorded",
    "clash",
    "rival",
    "bundle",
    "spot",
    "denied",
    "impossible",
    "split",
    "twins",
    "ungraded",
    "forecast",
    "far",
    "opinion",
]


@dataclass(frozen=True, slots=True)
class Defect:
    """A way in which the asked relation of a thing can be without an answer, and the
    levers that it stands for.

    `lever` is that of the unanswerable rows, `low` that of the answerable ones, in
    which the same defect befalls a relation that is not asked for.
    """

    name: DefectName
    perturbation: PerturbationClass
    intensity: Intensity
    lever: str
    low: str
    group: Group = "values"
    types: tuple[str, ...] = ()
    """Types of relations that it can befall; () for all."""
    lasting: tuple[str, ...] = ()
    """For how long values may be fixed in the documents that it needs; () for any."""
    rare: bool = False
    """Whether soundness is what is rare: a class, a fixed value."""
    tabular: bool = False
    """Whether a table can show it."""

    def fits(self, relation: Relation) -> bool:
        """Return whether it can befall a relation."""
        if (
            self.name == "clash"
            and relation.type == "measure"
            and relation.unit not in ("m", "cm")
        ):
            return False
        return not self.types or relation.type in self.types

    def possible(self, kind: Document) -> bool:
        """Return whether a kind of document has two relations that it can befall."""
        return (not self.lasting or kind.lasting in self.lasting) and sum(
            map(self.fits, kind.relations(self.group))
        ) >= 2


_C = PerturbationClass
_MEDIUM = Intensity.MEDIUM
_HIGH = Intensity.HIGH
_STATISTIC = "Strip Non-queried Statistic"
_PERIPHERAL = "Peripheral Attribute Clash"
_ADDED = "Imaginary Add-on"
_SETTLED = "Weak Possibility vs. High Likelihood"
DEFECTS: tuple[Defect, ...] = (
    Defect(
        "excised",
        _C.MISSING_INFO,
        _MEDIUM,
        "Answer Clause Excised",
        _STATISTIC,
        tabular=True,
    ),
    Defect("recorded", _C.MISSING_INFO, _HIGH, "Audio-only Reference", _STATISTIC),
    Defect(
        "clash",
        _C.CONTRADICTION,
        _MEDIUM,
        "Conflicting Numerical Units",
        _PERIPHERAL,
        types=("time", "date", "measure"),
        tabular=True,
    ),
    Defect(
        "rival",
        _C.CONTRADICTION,
        _HIGH,
        "Mutual Exclusion Claim",
        _PERIPHERAL,
        types=("money", "count", "measure"),
        tabular=True,
    ),
    Defect(
        "bundle",
        _C.GRANULARITY,
        _MEDIUM,
        "Part-of-part Detail",
        "Component of a Named Part",
    ),
    Defect(
        "spot",
        _C.GRANULARITY,
        _HIGH,
        "Global Average from Street Data",
        "Per-year Figure Already Given",
        group="figures",
    ),
    Defect(
        "denied",
        _C.FALSE_PREMISE,
        _MEDIUM,
        "Fabricated Historic Event",
        _ADDED,
        group="uses",
        tabular=True,
    ),
    Defect(
        "impossible",
        _C.FALSE_PREMISE,
        _HIGH,
        "Impossible Property",
        _ADDED,
        group="parts",
    ),
    Defect(
        "split",
        _C.AMBIGUITY,
        _MEDIUM,
        "Balanced Polysemy",
        "Dominant-sense Polysemy",
        tabular=True,
    ),
    Defect(
        "twins",
        _C.AMBIGUITY,
        _HIGH,
        "Pure Homonymy Clash",
        "Floating-Quantifier Anchored",
        tabular=True,
    ),
    Defect(
        "ungraded",
        _C.EPISTEMIC,
        _MEDIUM,
        "Expensive is Subjective",
        "Minor vs Major (Definitional)",
        rare=True,
    ),
    Defect(
        "forecast",
        _C.EPISTEMIC,
        _MEDIUM,
        "Forecast without Model",
        _SETTLED,
        lasting=("some years", "for ever"),
        rare=True,
    ),
    Defect(
        "far",
        _C.EPISTEMIC,
        _HIGH,
        "Infinite Regress Prediction",
        _SETTLED,
        lasting=("for ever",),
        rare=True,
    ),
)
OPINION = Defect(
    "opinion",
    _C.EPISTEMIC,
    _HIGH,
    "",
    "Heavier is Factual",
    types=("money", "count", "measure"),
)
"""Asked for in words that no document can answer; its levers stand with its questions.
"""
CLASSES = (
    _C.MISSING_INFO,
    _C.CONTRADICTION,
    _C.GRANULARITY,
    _C.FALSE_PREMISE,
    _C.AMBIGUITY,
    _C.EPISTEMIC,
)


def due(index: int, domains: tuple[str, ...]) -> tuple[Defect, tuple[str, ...]]:
    """Return the defect of quad `index` and the domains that can have it, so that any
    run of quads is balanced.

    Classes take turns, then intensities, then defects. Where no domain has the one that
    is due, another of its class takes its turn. Rows of opinions take every second turn
    of their class, or all if no other domain is chosen.
    """
    documents = tuple(name for name in domains if name != OPINIONS)
    perturbation = CLASSES[index % len(CLASSES)]
    turn = index // len(CLASSES)
    opinions = OPINIONS in domains
    if opinions and (not documents or (perturbation is _C.EPISTEMIC and turn % 2)):
        comparable = [
            name for name in documents or DOCUMENTS if OPINION.possible(document(name))
        ]
        return OPINION, tuple(comparable or DOCUMENTS[:1])
    if opinions and perturbation is _C.EPISTEMIC:
        turn //= 2
    wanted = (_MEDIUM, _HIGH)[turn % 2]
    domains_of: dict[Defect, tuple[str, ...]] = {}
    for defect in DEFECTS:
        if defect.perturbation is perturbation:
            able = tuple(name for name in documents if defect.possible(document(name)))
            domains_of |= {defect: able} if able else {}
    of_cell = [defect for defect in domains_of if defect.intensity is wanted]
    options = of_cell or list(domains_of)
    chosen = options[turn // 2 % len(options)]
    return chosen, domains_of[chosen]


def lever_of(defect: Defect, kind: Document, relation: Relation, layout: str) -> str:
    """Return the published lever that an unanswerable row stands for."""
    if defect.name == "denied":
        return kind.uses.lever
    if defect.name == "excised" and layout == "table":
        return "Table Gap"
    if defect.name == "clash" and relation.type in ("time", "date"):
        return "Dual-authoritative Dates"
    return defect.lever


def low_lever_of(defect: Defect, relation: Relation) -> str:
    """Return the published lever that an answerable row stands for."""
    if defect.name == "bundle" and relation.type != "money":
        if relation.type == "time":
            return "Minute Precision Present"
        return "Exact Degree Value"
    return defect.low
