"""How an answer is graded against ten passages: eligibility, factuality, RAF (paper
App. D; GaRAGe).
"""

from functools import partial
from typing import Annotated, Literal, cast

from pydantic import Field, create_model

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.judging.label import ATTEMPT, LabelVerdict, Numbers, Rubric
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.prompting import bundled, numbered
from refusalbench_tasks.replies.sentences import sentences

Raf = Literal["reply", "claims"]
Flag = Annotated[bool, Field(strict=True)]


class GroundingVerdict(LabelVerdict):
    """What a reply does and, for an attempt, whether it is eligible and supported."""

    eligible: Flag | None = Field(
        description="Meets what was asked; null for a refusal."
    )
    factual_all: Flag | None = Field(
        description="Every claim supported by all passages; null for a refusal."
    )
    factual_relevant: Flag | None = Field(
        description="Every claim supported by the relevant ones; null for a refusal."
    )

    def model_post_init(self, context: object) -> None:
        """Raise if an attempt lacks one of the three."""
        if self.label == ATTEMPT and None in (
            self.eligible,
            self.factual_all,
            self.factual_relevant,
        ):
            raise ValueError(
                "eligible, factual_all, factual_relevant: an ANSWER_ATTEMPT needs all"
                " three"
            )

    def numbers(self) -> dict[str, float]:
        """Return the three as 0 or 1."""
        flags = {
            "eligible": self.eligible,
            "factual_all": self.factual_all,
            "factual_relevant": self.factual_relevant,
        }
        return {name: float(flag) for name, flag in flags.items() if flag is not None}


class ClaimsVerdict(LabelVerdict):
    """What a reply does and, for an attempt, whether it is eligible and which of its
    claims are supported.
    """

    eligible: Flag | None = Field(
        description="Meets what was asked; null for a refusal."
    )
    supported_all: list[Flag] | None = Field(
        description="One value per claim; null for a refusal."
    )
    supported_relevant: list[Flag] | None = Field(
        description="One value per claim; null for a refusal."
    )

    def model_post_init(self, context: object) -> None:
        """Raise if an attempt lacks one of the three."""
        if self.label == ATTEMPT and None in (
            self.eligible,
            self.supported_all,
            self.supported_relevant,
        ):
            raise ValueError(
                "eligible, supported_all, supported_relevant: an ANSWER_ATTEMPT needs"
                " all three"
            )

    def numbers(self) -> dict[str, float]:
        """Return eligibility and whether all claims are supported, as 0 or 1, and the
        number of claims.
        """
        if (
            self.eligible is None
            or self.supported_all is None
            or self.supported_relevant is None
        ):
            return {}
        return {
            "eligible": float(self.eligible),
            "factual_all": float(all(self.supported_all)),
            "factual_relevant": float(all(self.supported_relevant)),
            "claims": float(len(self.supported_all)),
        }


def grounding_rubric(
    item: RefusalItem, reply: str, protocol: Protocol, raf: Raf
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
    right = partial(raf_is_one, protocol)
    package = "refusalbench_tasks.judging"
    if raf == "reply":
        return Rubric(GroundingVerdict, bundled(package, "grounding.txt"), parts, right)
    # a reply without a word is one claim: without any, it would count as supported
    claims = sentences(reply) or [reply]
    parts["CLAIMS"] = "\n".join(
        f"({number}) {claim}" for number, claim in enumerate(claims, 1)
    )
    return Rubric(
        claims_schema(len(claims)), bundled(package, "claims.txt"), parts, right
    )


def claims_schema(n: int) -> type[ClaimsVerdict]:
    """Return the verdict on a reply of n claims: a list of another
    length is invalid.
    """
    flags = Annotated[list[Flag], Field(min_length=n, max_length=n)] | None
    return cast(
        type[ClaimsVerdict],
        create_model(
            "ClaimsOf",
            __base__=ClaimsVerdict,
            supported_all=(flags, ...),
            supported_relevant=(flags, ...),
        ),
    )


def raf_of(numbers: Numbers, protocol: Protocol = "paper") -> float | None:
    """Return RAF in [0, 1]; None without the numbers.

    `paper` (and GaRAGe): eligible and every claim supported by the relevant passages.
    `official-code`: the second alone, which is what the released script stores under
    that name.
    """
    if "factual_relevant" not in numbers:
        return None
    return numbers["factual_relevant"] * (
        1.0 if protocol == "official-code" else numbers["eligible"]
    )


def raf_is_one(protocol: Protocol, numbers: Numbers) -> bool | None:
    """Return whether an attempt is right; None without numbers, and where an even panel
    is split.
    """
    raf = raf_of(numbers, protocol)
    return None if raf is None or 0 < raf < 1 else raf == 1
