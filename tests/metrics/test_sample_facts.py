"""What is read of a sample's metadata, and what a log that does not tell it leaves blank."""

import pytest

from refusalbench_tasks.metrics.sample_facts import GROUPS, SampleFacts
from refusalbench_tasks.taxonomy import Label


@pytest.mark.parametrize(
    ("metadata", "control"),
    [
        ({"intensity": "CLEAN"}, True),
        ({"intensity": "CLEAN", "control": False}, False),
        ({"intensity": "HIGH"}, False),
        ({"intensity": "HIGH", "control": True}, True),
        ({}, False),
    ],
)
def test_an_unperturbed_row_is_a_control_unless_the_log_says_otherwise(
    metadata: dict[str, object], control: bool
) -> None:
    assert SampleFacts.of(metadata).control is control


def test_facts_are_grouped_by_the_names_of_breakdowns() -> None:
    metadata = {name: f"its {name}" for name in GROUPS.values()} | {"expected": "REFUSE_OTHER", "source_id": 7}
    facts = SampleFacts.of(metadata)
    assert {name: facts.group(name) for name in GROUPS} == {name: f"its {field}" for name, field in GROUPS.items()}
    assert (facts.expected, facts.source) == (Label.OTHER, "7")


def test_what_a_log_does_not_tell_is_blank_and_an_unknown_label_is_an_error() -> None:
    facts = SampleFacts.of({"domain": None})
    assert (facts.expected, facts.source, facts.domain, facts.group("class")) == (None, "", "", "")
    with pytest.raises(ValueError, match="no such code"):
        SampleFacts.of({"expected": "no such code"})
