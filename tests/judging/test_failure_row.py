"""Failures of a grader in a row are told once a run."""

import logging

import pytest

from refusalbench_tasks.judging.failure_row import (
    LONGEST,
    count_verdict,
    forget_failures,
)
from tests.models import scripted


def test_a_long_row_is_told_once_until_a_new_run(
    caplog: pytest.LogCaptureFixture,
) -> None:
    grader = scripted()
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            count_verdict(grader, "grader_truncated")
            for _ in range(LONGEST + 3):
                count_verdict(grader, "grader_no_payload")
        assert len(caplog.messages) == 1
        assert f"no verdict on {LONGEST} replies in a row" in caplog.messages[0]
        assert "most often: grader_no_payload (9)" in caplog.messages[0]
        forget_failures([grader])
        for _ in range(LONGEST):
            count_verdict(grader, "grader_no_payload")
    assert len(caplog.messages) == 2


def test_a_verdict_ends_the_row(caplog: pytest.LogCaptureFixture) -> None:
    grader = scripted()
    for k in range(3 * LONGEST):
        count_verdict(grader, "grader_no_payload" if k % (LONGEST - 1) else None)
    assert not caplog.messages
