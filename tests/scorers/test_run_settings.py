"""How a sample is to be scored: as is given, else as its run was, else by default."""

import logging
from types import SimpleNamespace
from typing import Any

import pytest

from refusalbench_tasks.datasets.item import SETTINGS
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies import readers
from refusalbench_tasks.scorers.hedging_decision import HedgingSettings
from refusalbench_tasks.scorers.refusal_settings import DecisionSettings
from refusalbench_tasks.scorers.run_settings import RunSettings, ScorerSettings


def sample(**run: Any) -> Any:
    return SimpleNamespace(metadata={SETTINGS: run} if run else {})


def settings(run: dict[str, Any], **given: Any) -> DecisionSettings:
    return RunSettings(DecisionSettings, given).of(sample(**run))


def test_what_is_given_stands_above_what_the_run_had_above_the_defaults() -> None:
    had = {"judge": "always", "raf": "claims", "prompt": "mine.txt"}
    made = settings(had, judge="offline")
    assert (made.judge, made.raf, made.protocol) == ("offline", "claims", "paper")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"judge": "alway"}, "judge: Input should be 'cascade', 'always' or"),
        ({"juge": "always"}, "unknown argument 'juge'; known: confidence, judge"),
        ({"reader": "x"}, "reader: unknown 'x'; known: ngrams"),
        ({"refusals": "nowhere.txt"}, "refusals: no such file 'nowhere.txt'"),
    ],
)
def test_what_is_given_is_checked_before_any_sample(
    given: dict[str, Any], problem: str
) -> None:
    with pytest.raises(DataError, match=f"^{problem}"):
        RunSettings(DecisionSettings, given)


def test_what_a_log_says_is_checked_as_what_is_given() -> None:
    with pytest.raises(DataError, match="judge: Input should be"):
        settings({"judge": "alway"})


def test_what_does_not_go_with_what_is_given_now_is_as_by_default() -> None:
    graded = settings({"judge": "offline", "refusals": "sorry\n"}, judge="cascade")
    assert graded.phrases == []
    wording = RunSettings(HedgingSettings, {"judge": "offline"})
    assert wording.of(sample(hedging="judge")).hedging == "list"
    lists = {"protocol": "official-code", "official_lists": "theirs.py"}
    mine = RunSettings(HedgingSettings, {"lexicon": "v1"}).of(sample(**lists))
    assert (mine.lexicon, mine.official_lists) == ("v1", None)


@pytest.mark.parametrize("kind", [DecisionSettings, HedgingSettings])
def test_a_reader_is_remembered_and_left_out_where_a_grader_reads(
    kind: type[ScorerSettings], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = {"other": readers.READERS["ngrams"]}
    monkeypatch.setattr(readers, "READERS", {**readers.READERS, **other})
    run = sample(judge="offline", reader="other")
    assert vars(RunSettings(kind, {}).of(run))["reader"] == "other"
    graded = RunSettings(kind, {"judge": "cascade"}).of(run)
    assert vars(graded)["reader"] == "ngrams"
    with pytest.raises(DataError, match="reader: only with judge=offline"):
        RunSettings(kind, {"reader": "other"}).of(sample(judge="cascade"))


def test_a_log_that_says_nothing_is_scored_by_default_with_one_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    of_samples = RunSettings(DecisionSettings, {})
    with caplog.at_level(logging.WARNING):
        assert of_samples.of(sample()) == of_samples.of(sample()) == DecisionSettings()
    assert caplog.text.count("the log does not say how it was scored") == 1


def test_a_log_moves_no_cursor_by_what_it_says(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        settings({"judge": "\x1b[2Jalways"}, judge="offline")
    assert "judge=offline is given, but the run had judge=" in caplog.text
    assert "\x1b" not in caplog.text
