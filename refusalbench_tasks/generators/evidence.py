"""What a writer shows for its item: the spans on which the intended uncertainty, or the
answer, rests.
"""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from refusalbench_tasks.judging.ask import Submission
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_QUOTE = "Copied word for word from one changed passage."
Words = Annotated[str, Field(min_length=1)]
Quote = Annotated[str, Field(min_length=1, description=_QUOTE)]


class EvidencePart(Submission, frozen=True, str_strip_whitespace=True):
    """What all evidence has in common: no other fields, and no empty ones."""


class OneReading(EvidencePart):
    """One way to read question or text, the answer that follows from it, and the words
    that give it.
    """

    reading: Words
    """How the question or the text is read."""
    answer: Words
    """The answer under this reading, in a few words."""
    quote: Quote


class TwoReadings(EvidencePart):
    """Ambiguity: readings that lead to different answers."""

    readings: tuple[OneReading, ...] = Field(min_length=2)
    """At least two; their answers differ."""


class OneClaim(EvidencePart):
    """One statement about what is asked for."""

    quote: Quote
    value: Words
    """What it says about the fact asked for, in a few words."""


class TwoClaims(EvidencePart):
    """Contradiction: two statements that cannot both be true, one of them with the
    original answer.
    """

    claims: tuple[OneClaim, ...] = Field(min_length=2, max_length=2)
    """Two; one has the original answer as its value, the other has not."""


class Removed(EvidencePart):
    """MissingInfo: what was taken out of the original."""

    removed: tuple[str, ...] = Field(
        min_length=1,
        description=(
            "Spans copied word for word from the original passages; the answer stood in"
            " them."
        ),
    )


class Premise(EvidencePart):
    """FalsePremise: what the question takes for granted, and what says otherwise."""

    premise: Words
    """What the changed question takes for granted."""
    contradicted_by: Words = Field(description=f"What says otherwise. {_QUOTE}")


class IdlePremise(EvidencePart):
    """FalsePremise LOW: a premise that changes nothing, and the words that still give
    the answer.
    """

    premise: Words
    """What the changed question takes for granted."""
    answered_by: Words = Field(
        description=f"What gives the answer all the same. {_QUOTE}"
    )


class Levels(EvidencePart):
    """Granularity: the level that is asked for, and the one that the text has."""

    asked_level: Words
    """The scale or level that the question asks for."""
    given_level: Words
    """The scale or level at which the text speaks."""
    quote: Quote


class Judgement(EvidencePart):
    """Epistemic: the words that ask for a judgement, and what would be needed to settle
    it.
    """

    operator: Words
    """The words that ask for it, copied word for word from the changed question."""
    criterion_missing: Words
    """What would settle it, and is not in the text."""


class Support(EvidencePart):
    """LOW: the words from which the answer still follows."""

    support: Words = Field(
        description=f"What gives the answer, or leads to it. {_QUOTE}"
    )


Evidence = (
    TwoReadings
    | TwoClaims
    | Removed
    | Premise
    | IdlePremise
    | Levels
    | Judgement
    | Support
)
"""Any of them; their fields tell them apart."""
_REFUSED: dict[PerturbationClass, type[BaseModel]] = {
    PerturbationClass.AMBIGUITY: TwoReadings,
    PerturbationClass.CONTRADICTION: TwoClaims,
    PerturbationClass.MISSING_INFO: Removed,
    PerturbationClass.FALSE_PREMISE: Premise,
    PerturbationClass.GRANULARITY: Levels,
    PerturbationClass.EPISTEMIC: Judgement,
}
_QUOTING = frozenset({"quote", "contradicted_by", "answered_by", "support"})


def evidence_of(
    perturbation: PerturbationClass, intensity: Intensity
) -> type[BaseModel]:
    """Return what a writer shows for an item of a class and an intensity (our
    definition).
    """
    if intensity is not Intensity.LOW:
        return _REFUSED[perturbation]
    return IdlePremise if perturbation is PerturbationClass.FALSE_PREMISE else Support


def quotes_of(evidence: Evidence) -> list[str]:
    """Return the quotes that must stand in the changed passages."""
    fields = _fields(evidence.model_dump())
    return [value for name, value in fields if name in _QUOTING]


def evidence_text(evidence: Evidence) -> str:
    """Return the evidence as lines `field: value`, in order."""
    return "\n".join(map(": ".join, _fields(evidence.model_dump())))


def _fields(values: dict[str, Any]) -> list[tuple[str, str]]:
    fields = []
    for name, value in values.items():
        for part in [value] if isinstance(value, str) else value:
            fields += [(name, part)] if isinstance(part, str) else _fields(part)
    return fields
