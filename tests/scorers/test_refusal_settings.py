"""Settings of the refusal kind, checked against each other."""

from types import SimpleNamespace
from typing import Any

import pytest

from refusalbench_tasks.datasets.item import SETTINGS
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scorers.refusal_settings import DecisionSettings
from refusalbench_tasks.scorers.run_settings import RunSettings


def sample(**run: Any) -> Any:
    return SimpleNamespace(metadata={SETTINGS: run} if run else {})


def settings(run: dict[str, Any], **given: Any) -> DecisionSettings:
    return RunSettings(DecisionSettings, given).of(sample(**run))


def test_settings_are_checked_against_each_other_as_they_come_together(
    tmp_path: Any,
) -> None:
    phrases = tmp_path / "phrases.txt"
    phrases.write_text("# ours\none for the front desk\n")
    made = settings({"judge": "offline"}, refusals=str(phrases))
    assert made.phrases == ["one for the front desk"]
    with pytest.raises(DataError, match="refusals: only with judge=offline"):
        settings({"judge": "cascade"}, refusals=str(phrases))


def test_a_log_may_say_that_there_were_no_phrases_by_an_empty_text() -> None:
    assert settings({"judge": "offline", "refusals": ""}).phrases == []
