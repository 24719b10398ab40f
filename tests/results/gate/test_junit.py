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
        "4",
        "1",
        "1",
    )
    (suite,) = root
    assert '<b>&"|`' in str(suite.get("name"))
    assert "\x1b" not in result.stdout
    kinds = {case.get("name"): [part.tag for part in case] for case in suite}
    assert kinds == {
        "unscored ≤ 0": ["system-out"],
        "false_refusal_rate ≤ 0.1": ["skipped", "system-out"],
        "refusal_rate ≥ 0.5": ["failure", "system-out"],
        "refusal_rate ≤ 0.9": ["system-out"],
    }
    assert str(suite[3][0].get("message")).startswith("fail: 0.075 [")
    as_failure = ElementTree.fromstring(
        run(*words, "--undecided", "fail").stdout.encode()
    )
    assert (as_failure.get("failures"), as_failure.get("skipped")) == ("2", "0")
    as_pass = ElementTree.fromstring(run(*words, "--undecided", "pass").stdout.encode())
    assert (as_pass.get("failures"), as_pass.get("skipped")) == ("1", "0")
