"""The columns of the viewer's list of samples."""

import pytest
from inspect_ai.viewer import ViewerConfig

from refusalbench_tasks.scorers.sample_list import sample_list


def columns(config: ViewerConfig) -> dict[str, bool]:
    """Return whether each column is visible at first."""
    view = config.model_dump()["task_samples_view"]
    return {column["id"]: column["visible"] for column in view["columns"]}


@pytest.mark.parametrize(
    "config", [sample_list("refusal_scores"), sample_list("grounded_scores")]
)
def test_facts_of_the_row_stand_before_the_reply_and_its_scores(
    config: ViewerConfig,
) -> None:
    names = list(columns(config))
    order = ("class", "intensity", "answer", "refusal_correct", "refused", "unscored")
    places = [k for name in order for k, column in enumerate(names) if name in column]
    assert places == sorted(places)
    assert len(set(names)) == len(names)


def test_numbers_that_few_look_for_are_hidden() -> None:
    shown = columns(sample_list("hedging_scores"))
    assert any("hedges" in name and visible for name, visible in shown.items())
    assert not any("boosters" in name and visible for name, visible in shown.items())
