"""How graders of the same replies agree."""

import math

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.results.audit.agreement import grader_agreement
from tests.results.audit.scored_copies import read

pytestmark = pytest.mark.xdist_group("audit")


def test_scored_copies_are_compared(copies: list[str]) -> None:
    logs = [read(path) for path in copies]
    pairs, alpha = grader_agreement(logs)
    same, different, _ = pairs
    assert (same["n"], same["equal"], same["n graded"]) == (24, 1.0, 24)
    assert same["rank correlation"] == pytest.approx(1.0)
    assert math.isnan(same["kappa"])  # both call everything an answer: no variance
    assert (different["equal"], different["n graded"]) == (0.5, 12)
    assert alpha < 0.5
    result = CliRunner().invoke(main, ["audit", *copies])
    assert result.exit_code == 0, result.output
    assert "mockllm/c" in result.output
