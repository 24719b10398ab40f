"""The gate in pytest."""

from collections.abc import Callable
from pathlib import Path

import numpy  # noqa: F401  # pytester forgets what a run imports, and this can't be imported twice
import pandas  # noqa: F401
import pytest
import scipy.stats  # noqa: F401

from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.synthetic import row, write_log

pytest_plugins = ["pytester"]
RULES = (
    "rules:\n  - {metric: false_refusal_rate, max: 0.5}\n  - {metric:"
    " missed_refusal_rate, max: 0.5}\n"
)
Gate = Callable[..., pytest.RunResult]


def log(folder: Path, false: int, n: int = 40) -> Path:
    """Write a run of n answerable and n unanswerable rows, of which so many are refused
    falsely.
    """
    answerable = [
        row(
            f"a{k}",
            Label.OTHER if k < false else Label.ANSWER,
            intensity=Intensity.LOW,
            reply=f"Reply {k}",
        )
        for k in range(n)
    ]
    return write_log(
        folder, "m", [*answerable, *(row(f"b{k}", Label.MISSING) for k in range(n))]
    )


@pytest.fixture
def gate(pytester: pytest.Pytester, request: pytest.FixtureRequest) -> Gate:
    """Return what runs pytest with the rules in an empty folder."""
    known = request.config.pluginmanager.has_plugin("refusalbench")
    plugin = [] if known else ["-p", "refusalbench_tasks.results.gate.pytest_plugin"]
    (pytester.path / "rules.yaml").write_text(RULES)
    return lambda *more: pytester.runpytest(
        *plugin, "--refusalbench", "rules.yaml", "-rs", *more
    )


def test_a_rule_is_a_test_that_passes_fails_with_its_rows_or_is_skipped(
    gate: Gate, pytester: pytest.Pytester
) -> None:
    log(pytester.path / "logs", false=40)
    result = gate()
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(
        ["*false_refusal_rate ≤ 0.5: 1.000 *", "*a0*Reply 0*", "*and 20 more*"]
    )
    log(pytester.path / "logs", false=20)
    result = gate("--refusalbench-undecided", "skip")
    result.assert_outcomes(passed=4, skipped=1)
    result.stdout.fnmatch_lines(["*undecided: 0.500*"])
    gate("--refusalbench-undecided", "pass").assert_outcomes(passed=5)


def test_an_undecided_rule_fails_as_the_gate_does_unless_told(
    gate: Gate, pytester: pytest.Pytester
) -> None:
    log(pytester.path / "logs", false=20)
    result = gate()
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(["*: undecided: 0.500*", "*question a0*"])


def test_the_rules_run_beside_the_tests_of_the_folder_or_alone(
    gate: Gate, pytester: pytest.Pytester
) -> None:
    log(pytester.path / "logs", false=0)
    pytester.makepyfile(test_other="def test_other(): pass")
    gate().assert_outcomes(passed=6)
    gate("rules.yaml").assert_outcomes(passed=5)


def test_what_no_gate_can_be_held_with_is_an_error_of_collection(gate: Gate) -> None:
    result = gate("--refusalbench-logs", "nowhere")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*nowhere: no such file or folder*"])


def test_an_undecided_share_names_its_own_rows_and_a_rule_without_rows_no_table(
    gate: Gate, pytester: pytest.Pytester
) -> None:
    samples = [row(f"a{k}", Label.ANSWER, intensity=Intensity.LOW) for k in range(2)]
    samples.append(row("cut", None, reason="truncated"))
    samples.append(row("vague", None))
    write_log(pytester.path / "logs", "m", samples)
    result = gate("-k", "unscored or false_refusal")
    result.assert_outcomes(failed=2, deselected=3)
    result.stdout.fnmatch_lines(["unscored*  vague  *"])
    result.stdout.no_fnmatch_line("unscored*  cut  *")
    tables = [line for line in result.outlines if line.startswith("rule  ")]
    assert len(tables) == 1
