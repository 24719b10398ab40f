"""The taxonomy is one consistent table."""

import pytest

from refusalbench_tasks.taxonomy import (
    CODES,
    Label,
    canonical_code,
)


def test_no_name_belongs_to_two_codes() -> None:
    names = [name for code in CODES for name in (code.label.value, *code.aliases)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("REFUSE_AMBIGUOUS", Label.AMBIGUOUS),
        ("refuse_contradict", Label.CONTRADICTORY),
        ("Refuse-Missing", Label.MISSING),
        ("REFUSE_SOMETHING_NEW", Label.OTHER),
        ("refuse to answer", None),
        ("REFUSE", None),
        ("ANSWER_CORRECTLY", None),
        ("", None),
    ],
)
def test_names_and_the_papers_aliases_are_read_and_invented_codes_are_other(
    name: str, label: Label | None
) -> None:
    assert canonical_code(name) is label
