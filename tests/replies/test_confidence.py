"""The confidence line is read from the last line only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.replies.confidence import Level, split_confidence


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("CONFIDENCE: VERY_CONFIDENT", Level.VERY_CONFIDENT),
        ("confidence: very uncertain.", Level.VERY_UNCERTAIN),
        ("**Confidence:** SOMEWHAT_CONFIDENT", Level.SOMEWHAT_CONFIDENT),
        ("CONFIDENCE: CONFIDENT (0.8)", Level.CONFIDENT),
        ("CONFIDENCE: VERY_CONFIDENT [90-100 %].", Level.VERY_CONFIDENT),
        ("**CONFIDENCE: UNCERTAIN (30 to 50 percent)**", Level.UNCERTAIN),
        ("CONFIDENCE: CONFIDENT (not UNCERTAIN, 0.5)", None),
        ("CONFIDENCE: 90%", None),
        ("CONFIDENCE: VERY_CONFIDENT or UNCERTAIN", None),
    ],
)
def test_the_last_line_is_taken_off_and_read(line: str, level: Level | None) -> None:
    said = split_confidence(f"It opened in 1987.\n{line}\n\n")
    assert (said.body, said.level) == ("It opened in 1987.", level)


def test_only_the_last_line_states_a_confidence() -> None:
    reply = "CONFIDENCE: VERY_CONFIDENT\nIt opened in 1987."
    assert (split_confidence(reply).body, split_confidence(reply).level) == (
        reply,
        None,
    )
    said = split_confidence("x\nCONFIDENCE: UNCERTAIN\nCONFIDENCE: CONFIDENT")
    assert (said.body, said.level) == ("x\nCONFIDENCE: UNCERTAIN", Level.CONFIDENT)


@given(st.text())
def test_never_raises(reply: str) -> None:
    split_confidence(reply)
