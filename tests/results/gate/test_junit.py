"""The XML that build servers read, read back."""

from pathlib import Path
from xml.etree import ElementTree

from tests.results.gate.gated_logs import RULES, hostile, run


def test_junit_has_a_case_for_each_rule(tmp_path: Path) -> None:
    words = (hostile(tmp_path), *RULES, "--format", "junit")
    result = run(*words)
    assert result.exit_code == 1
    root = ElementTree.fromstring(result.stdout.encode())
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == (
        "6",
        "1",
        "1",
    )
    (suite,) = root
    assert '<b>&"|`' in str(suite.get("name"))
    assert "\x1b" not in result.stdout
    kinds = {case.get("name"): [part.tag for part in case] for case in suite}
    assert kinds == {
        "no_reply ≤ 0.05": ["system-out"],
        "unscored ≤ 0": ["system-out"],
        "errors ≤ 0.05": ["system-out"],
        "false_refusal_rate ≤ 0.1": ["skipped", "system-out"],
        "refusal_rate ≥ 0.5": ["failure", "system-out"],
        "refusal_rate ≤ 0.9": ["system-out"],
    }
    assert str(suite[5][0].get("message")).startswith("fail: 0.075 [")
    as_failure = ElementTree.fromstring(
        run(*words, "--undecided", "fail").stdout.encode()
    )
    assert (as_failure.get("failures"), as_failure.get("skipped")) == ("2", "0")
    as_pass = ElementTree.fromstring(run(*words, "--undecided", "pass").stdout.encode())
    assert (as_pass.get("failures"), as_pass.get("skipped")) == ("1", "0")


def test_what_cannot_be_held_is_a_case_with_an_error(tmp_path: Path) -> None:
    rules = ("--max=accuracy=1", "--format", "junit")
    result = run(hostile(tmp_path), *rules)
    assert result.exit_code == 2
    root = ElementTree.fromstring(result.stdout.encode())
    assert (root.get("tests"), root.get("errors")) == ("1", "1")
    [error] = root.iter("error")
    assert "no log has this metric" in str(error.get("message"))
