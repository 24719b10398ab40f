"""What readers make of the claims of sources, by hand."""

from typing import Any

import pytest

from refusalbench_tasks.worlds.source_claims import (
    Readings,
    SourceClaim,
    source_readings,
)
from refusalbench_tasks.worlds.values import Value

OLD, NEW, OTHER = (Value("count", number) for number in (10, 80, 95))


def claim(
    value: Value, trust: str = "reliable", thing: str = "S", current: bool = True
) -> SourceClaim:
    return SourceClaim(thing, value, trust, current)  # type: ignore[arg-type]


def between(low: int, high: int, current: bool = True) -> SourceClaim:
    return SourceClaim(
        "S", Value("count", low), "reliable", current, Value("count", high)
    )


NOTHING = (None, None, None)
STATED = claim(NEW)
ONCE = claim(OLD, current=False)
ELSEWHERE = claim(NEW, thing="T")


@pytest.mark.parametrize(
    ("claims", "due"),
    [
        # whom reliable sources, all sources and a weighing tell; conflict, sufficiency,
        # what the conflict is about
        ([claim(NEW, "doubtful")] * 3, (None, NEW, NEW, False, True, None)),
        (
            [STATED, STATED, claim(OTHER, "doubtful")],
            (NEW, None, NEW, True, True, "asked"),
        ),
        ([STATED, claim(OTHER)], (*NOTHING, True, True, "asked")),
        ([ONCE, claim(OTHER, current=False)], (*NOTHING, True, False, "former_value")),
        ([ELSEWHERE, ONCE], (*NOTHING, False, False, None)),
        ([ELSEWHERE, STATED], (NEW, NEW, NEW, False, True, None)),
        (
            [ELSEWHERE, claim(OTHER, "doubtful", "T")],
            (*NOTHING, True, False, "other_thing"),
        ),
        (
            [ELSEWHERE, claim(OTHER, "doubtful", "T"), STATED, claim(OTHER)],
            (*NOTHING, True, True, "asked"),
        ),
        # 80 lies between 60 and 90, and these bounds share 80 to 90 with those from 80
        # to 120; 95 and 10 lie outside
        ([between(60, 90)], (*NOTHING, False, False, None)),
        ([between(60, 90), STATED], (NEW, NEW, NEW, False, True, None)),
        ([between(60, 90), between(80, 120)], (*NOTHING, False, False, None)),
        ([between(60, 90), between(91, 120)], (*NOTHING, True, False, "bounds")),
        (
            [between(60, 90), between(91, 120, current=False)],
            (*NOTHING, False, False, None),
        ),
        (
            [between(60, 90), claim(OTHER, "doubtful")],
            (None, OTHER, OTHER, True, True, "asked"),
        ),
        (
            [between(60, 90), claim(OLD, "doubtful")],
            (None, OLD, OLD, True, True, "asked"),
        ),
    ],
)
def test_what_readers_make_of_claims(
    claims: list[SourceClaim], due: tuple[Any, ...]
) -> None:
    assert source_readings(claims, "S") == Readings(*due)
