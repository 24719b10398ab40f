"""What a writer shows for its item."""

from refusalbench_tasks.generators.evidence import (
    IdlePremise,
    OneClaim,
    Support,
    TwoClaims,
    evidence_of,
    evidence_text,
    quotes_of,
)
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

OLE = OneClaim(quote="by Ole", value="Ole")
ADA = OneClaim(quote="by Ada", value="Ada")
CLAIMS = TwoClaims(claims=(OLE, ADA))


def test_at_low_the_evidence_is_what_the_answer_follows_from() -> None:
    kinds = {evidence_of(name, Intensity.LOW) for name in PerturbationClass}
    assert kinds == {Support, IdlePremise}
    assert evidence_of(PerturbationClass.CONTRADICTION, Intensity.HIGH) is TwoClaims


def test_quotes_are_found_at_any_depth_and_fields_are_lines() -> None:
    assert quotes_of(CLAIMS) == ["by Ole", "by Ada"]
    assert evidence_text(CLAIMS).splitlines() == [
        "quote: by Ole",
        "value: Ole",
        "quote: by Ada",
        "value: Ada",
    ]
