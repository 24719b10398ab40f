"""What a writer shows for its item: the spans on which the intended uncertainty, or the answer, rests."""

from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_FORM = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)
_QUOTE = "Copied word for word from one changed passage."


class Reading(BaseModel):
    """One way to read question or text, the answer that follows from it, and the words that give it."""

    model_config = _FORM

    reading: str = Field(min_length=1, description="How the question or the text is read.")
    answer: str = Field(min_length=1, description="The answer under this reading, in a few words.")
    quote: str = Field(min_length=1, description=_QUOTE)


class Readings(BaseModel):
    """Ambiguity: readings that lead to different answers."""

    model_config = _FORM

    readings: tuple[Reading, ...] = Field(min_length=2, description="At least two; their answers differ.")


class Claim(BaseModel):
    """One statement about what is asked for."""

    model_config = _FORM

    quote: str = Field(min_length=1, description=_QUOTE)
    value: str = Field(min_length=1, description="What it says about the fact asked for, in a few words.")


class Claims(BaseModel):
    """Contradiction: two statements that cannot both be true, one of them with the original answer."""

    model_config = _FORM

    claims: tuple[Claim, ...] = Field(
        min_length=2, max_length=2, description="Two; one has the original answer as its value, the other has not."
    )


class Removed(BaseModel):
    """MissingInfo: what was taken out of the original."""

    model_config = _FORM

    removed: tuple[str, ...] = Field(
        min_length=1, description="Spans copied word for word from the original passages; the answer stood in them."
    )


class Premise(BaseModel):
    """FalsePremise: what the question takes for granted, and what says otherwise."""

    model_config = _FORM

    premise: str = Field(min_length=1, description="What the changed question takes for granted.")
    contradicted_by: str = Field(min_length=1, description=f"What says otherwise. {_QUOTE}")


class IdlePremise(BaseModel):
    """FalsePremise LOW: a premise that changes nothing, and the words that still give the answer."""

    model_config = _FORM

    premise: str = Field(min_length=1, description="What the changed question takes for granted.")
    answered_by: str = Field(min_length=1, description=f"What gives the answer all the same. {_QUOTE}")


class Levels(BaseModel):
    """Granularity: the level that is asked for, and the one that the text has."""

    model_config = _FORM

    asked_level: str = Field(min_length=1, description="The scale or level that the question asks for.")
    given_level: str = Field(min_length=1, description="The scale or level at which the text speaks.")
    quote: str = Field(min_length=1, description=f"What the text gives at that level. {_QUOTE}")


class Judgement(BaseModel):
    """Epistemic: the words that ask for a judgement, and what would be needed to settle it."""

    model_config = _FORM

    operator: str = Field(
        min_length=1, description="The words that ask for it, copied word for word from the changed question."
    )
    criterion_missing: str = Field(min_length=1, description="What would settle it, and is not in the text.")


class Support(BaseModel):
    """LOW: the words from which the answer still follows."""

    model_config = _FORM

    support: str = Field(min_length=1, description=f"What gives the answer, or leads to it. {_QUOTE}")


Evidence = Readings | Claims | Removed | Premise | IdlePremise | Levels | Judgement | Support
"""Any of them; their fields tell them apart."""

_REFUSED: dict[PerturbationClass, type[BaseModel]] = {
    PerturbationClass.AMBIGUITY: Readings,
    PerturbationClass.CONTRADICTION: Claims,
    PerturbationClass.MISSING_INFO: Removed,
    PerturbationClass.FALSE_PREMISE: Premise,
    PerturbationClass.GRANULARITY: Levels,
    PerturbationClass.EPISTEMIC: Judgement,
}


def evidence_of(perturbation: PerturbationClass, intensity: Intensity) -> type[BaseModel]:
    """Return what a writer shows for an item of a class and an intensity (our definition)."""
    if intensity is not Intensity.LOW:
        return _REFUSED[perturbation]
    return IdlePremise if perturbation is PerturbationClass.FALSE_PREMISE else Support


def quotes_of(evidence: Evidence) -> tuple[str, ...]:
    """Return the quotes that must stand in the changed passages."""
    match evidence:
        case Readings():
            return tuple(one.quote for one in evidence.readings)
        case Claims():
            return tuple(one.quote for one in evidence.claims)
        case Premise():
            return (evidence.contradicted_by,)
        case IdlePremise():
            return (evidence.answered_by,)
        case Levels():
            return (evidence.quote,)
        case Support():
            return (evidence.support,)
        case _:
            return ()


def evidence_text(evidence: Evidence) -> str:
    """Return the evidence as lines `field: value`, numbered where there are several of a kind."""
    lines: list[str] = []
    for name, value in evidence.model_dump().items():
        if isinstance(value, str):
            lines.append(f"{name}: {value}")
            continue
        for number, one in enumerate(value, 1):
            said = one if isinstance(one, str) else "; ".join(f"{key}: {text}" for key, text in one.items())
            lines.append(f"{name} {number}: {said}")
    return "\n".join(lines)
