"""How an answer is graded against ten passages: eligibility, factuality, RAF (paper
App. D; GaRAGe).
"""

from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, create_model

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.prompting import numbered
from refusalbench_tasks.replies.sentences import sentences

from .label import ATTEMPT, LabelVerdict, Numbers, Rubric

Raf = Literal["reply", "claims"]
Flag = StrictBool


class EligibilityVerdict(LabelVerdict):
    """What a reply does and, for an attempt, whether it is eligible, and more."""

    eligible: Flag | None
    """Meets what was asked; null for a refusal."""

    def parts(self) -> dict[str, Any]:
        """Return what is asked of an attempt, by its names."""
        return self.model_dump(exclude=set(LabelVerdict.model_fields))

    def model_post_init(self, context: object) -> None:
        """Raise if an attempt lacks one of the parts."""
        parts = self.parts()
        if self.label == ATTEMPT and None in parts.values():
            raise ValueError(f"{', '.join(parts)}: an {ATTEMPT} needs all three")

    def numbers(self) -> dict[str, float]:
        """Return the parts of an attempt as 0 or 1."""
        parts = self.parts().items()
        return {name: float(flag) for name, flag in parts if flag is not None}


class GroundingVerdict(EligibilityVerdict):
    """What a reply does and, for an attempt, whether it is eligible and supported."""

    factual_all: Flag | None
    """Every claim supported by all passages; null for a refusal."""
    factual_relevant: Flag | None
    """Every claim supported by the relevant ones; null for a refusal."""


class ClaimsVerdict(EligibilityVerdict):
    """What a reply does and, for an attempt, whether it is eligible and which of its
    claims are supported.
    """

    supported_all: list[Flag] | None
    """One value per claim; null for a refusal."""
    supported_relevant: list[Flag] | None
    """One value per claim; null for a refusal."""

    def numbers(self) -> dict[str, float]:
        """Return eligibility and whether all claims are supported, as 0 or 1, and the
        number of claims.
        """
        if self.supported_all is None or self.supported_relevant is None:
            return {}
        return {
            "eligible": float(self.eligible or False),
            "factual_all": float(all(self.supported_all)),
            "factual_relevant": float(all(self.supported_relevant)),
            "claims": float(len(self.supported_all)),
        }


def grounding_rubric(
    item: RefusalItem,
    reply: str,
    protocol: Protocol,
    raf: Raf,
) -> Rubric:
    """Return the rubric of an answerable ten-passage row.

    The relevant passages are named by the numbers that the model saw. `raf=claims` cuts
    the reply into sentences and asks about each one.
    """
    parts = {
        "REFERENCE": "\n".join(item.references),
        "PASSAGES": numbered(item.passages),
        "RELEVANT PASSAGES": ", ".join(f"[{k + 1}]" for k in item.signal) or "(none)",
    }
    schema: type[LabelVerdict] = GroundingVerdict
    instructions = "grounding.txt"
    if raf == "claims":
        # a reply without a word is one claim: without any, it would count as supported
        claims = sentences(reply) or [reply]
        numbered_claims = [f"({k}) {claim}" for k, claim in enumerate(claims, 1)]
        parts["CLAIMS"] = "\n".join(numbered_claims)
        schema = claims_schema(len(claims))
        instructions = "claims.txt"
    return Rubric(
        schema,
        instructions,
        parts,
        partial(raf_is_one, protocol),
    )


def claims_schema(n: int) -> type[ClaimsVerdict]:
    """Return the verdict on a reply of n claims: a list of another
    length is invalid.
    """
    flags = Annotated[list[Flag], Field(min_length=n, max_length=n)] | None
    fields: dict[str, Any] = {
        "supported_all": (flags, ...),
        "supported_relevant": (flags, ...),
    }
    return create_model(
        "ClaimsOf",
        __base__=ClaimsVerdict,
        **fields,
    )


def raf_of(numbers: Numbers, protocol: Protocol = "paper") -> float | None:
    """Return RAF in [0, 1]; None without the numbers.

    `paper` (and GaRAGe): eligible and every claim supported by the relevant passages.
    `official-code`: the second alone, which is what the released script stores under
    that name.
    """
    if "factual_relevant" not in numbers:
        return None
    supported = numbers["factual_relevant"]
    return supported if protocol == "official-code" else supported * numbers["eligible"]


def raf_is_one(protocol: Protocol, numbers: Numbers) -> bool | None:
    """Return whether an attempt is right; None without numbers, and where an even panel
    is split.
    """
    raf = raf_of(numbers, protocol)
    return None if raf is None or 0 < raf < 1 else raf == 1
