"""The taxonomy: six perturbation classes, three intensities, seven refusal codes and
one kind of answer.
"""

import re
from enum import StrEnum

from pydantic import BaseModel

from refusalbench_tasks.bounded_reading import data_yaml


class PerturbationClass(StrEnum):
    """The six classes of informational uncertainty, by their released names."""

    AMBIGUITY = "P-Ambiguity"
    CONTRADICTION = "P-Contradiction"
    MISSING_INFO = "P-MissingInfo"
    FALSE_PREMISE = "P-FalsePremise"
    GRANULARITY = "P-GranularityMismatch"
    EPISTEMIC = "P-EpistemicMismatch"

    @property
    def short(self) -> str:
        """Return the name without the `P-`."""
        return self.value.removeprefix("P-")


class Intensity(StrEnum):
    """How strongly a row was perturbed; `CLEAN` marks an unperturbed control."""

    CLEAN = "CLEAN"
    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"


class Label(StrEnum):
    """What a reply can be: an answer, or a refusal with one of seven codes.

    `ANSWER` is both the gold label of answerable rows and the predicted label of any
    attempt to answer.
    """

    ANSWER = "ANSWER_CORRECTLY"
    AMBIGUOUS = "REFUSE_AMBIGUOUS_QUERY"
    CONTRADICTORY = "REFUSE_CONTRADICTORY_CONTEXT"
    MISSING = "REFUSE_INFO_MISSING_IN_CONTEXT"
    FALSE_PREMISE = "REFUSE_FALSE_PREMISE_IN_QUERY"
    GRANULARITY = "REFUSE_GRANULARITY_MISMATCH"
    NONFACTUAL = "REFUSE_NONFACTUAL_QUERY"
    OTHER = "REFUSE_OTHER"

    @property
    def is_refusal(self) -> bool:
        """Whether this label is one of the seven refusal codes."""
        return self is not Label.ANSWER


class Code(BaseModel, frozen=True):
    """One refusal code: its class (None for `REFUSE_OTHER`), the shorter names the
    paper uses, its meaning.
    """

    label: Label
    perturbation: PerturbationClass | None = None
    aliases: tuple[str, ...] = ()
    meaning: str


CODES = tuple(
    Code(label=label, **stated)
    for label, stated in data_yaml("replies", "codes.yaml").items()
)

REFUSAL = "REFUSAL"
"""What a refusal is called whose code nobody read: in words, or where no codes were
asked for.
"""

WHEN_TO_REFUSE = (
    "A code is only for what prevents a faithful answer: where one answer still follows"
    " from the text, that answer is right, whatever else in the question or the text is"
    " odd, unsupported or disputed."
)
"""The rule beside the codes, in the same words for the evaluated model, the grader, the
writers and the verifiers.
"""

REFUSALS = tuple(code.label for code in CODES)
"""The seven refusal codes, in the table's order."""

CLASSES = tuple(PerturbationClass)
"""The six classes, in the paper's order."""

PERTURBED = (Intensity.LOW, Intensity.MEDIUM, Intensity.HIGH)
"""The three intensities of perturbed rows."""

_BY_CLASS = {code.perturbation: code.label for code in CODES}
_BY_NAME = {
    name: code.label for code in CODES for name in (code.label.value, *code.aliases)
}


def plain_name(name: str) -> str:
    """Return a name as it is compared: without case, and without the
    `P-` of a class.
    """
    return name.strip().lower().removeprefix("p-")


_CLASSES_BY_NAME = {plain_name(kind): kind for kind in PerturbationClass}


def class_named(name: str) -> PerturbationClass | None:
    """Return the class of a name, in any case and with or without the `P-`; None for
    any other.
    """
    return _CLASSES_BY_NAME.get(plain_name(name))


def code_of(perturbation: PerturbationClass) -> Label:
    """Return the refusal code that belongs to a class (paper §3.2)."""
    return _BY_CLASS[perturbation]


def expected_label(perturbation: PerturbationClass, intensity: Intensity) -> Label:
    """Return the expected behaviour: an answer at CLEAN and LOW, the class's code at
    MEDIUM and HIGH (paper §3.3).
    """
    if intensity in (Intensity.CLEAN, Intensity.LOW):
        return Label.ANSWER
    return code_of(perturbation)


def canonical_code(name: str) -> Label | None:
    """Return the refusal code that a token names, by its released name or an alias of
    the paper.

    Case does not matter, nor whether words are joined by underscores, hyphens or
    spaces. An unknown token of the form `REFUSE_*` (no spaces) is `REFUSE_OTHER`:
    models invent codes, and an invented code is a refusal without a known category.
    Anything else is None.
    """
    upper = name.strip().upper()
    label = _BY_NAME.get(re.sub(r"[\s_-]+", "_", upper))
    if label is None and re.fullmatch(r"REFUSE([_-][A-Z0-9]+)+", upper):
        return Label.OTHER
    return label
