"""What a gate found, as text, JSON and Markdown."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from tests.results.gate.gated_logs import LIMIT, RULES, hostile, log, run


def test_the_text_says_what_was_found_and_how_much_would_decide(tmp_path: Path) -> None:
    text = run(log(tmp_path, 3), LIMIT).stdout
    assert text.splitlines()[:2] == ["nq on sample: m", "log: 0.eval"]
    assert re.search(
        r"undecided +false_refusal_rate ≤ 0.1 +0.075 .* 40 +about [\d,]+ rows would"
        r" decide",
        text,
    )
    assert text.endswith("undecided: 3 pass, 1 undecided\n")
    assert (
        "undecided (counts as pass): 3 pass"
        in run(tmp_path, LIMIT, "--undecided", "pass").stdout
    )


def test_json_has_the_verdicts_the_status_and_no_nan(tmp_path: Path) -> None:
    def no_constant(name: str) -> None:
        raise AssertionError(name)

    result = run(hostile(tmp_path), *RULES, "--format", "json")
    found = json.loads(result.stdout, parse_constant=no_constant)
    assert (found["verdict"], found["status"], result.exit_code) == ("fail", 1, 1)
    verdicts = [check["verdict"] for check in found["runs"][0]["checks"]]
    assert verdicts == [*["pass"] * 3, "undecided", "pass", "fail"]


def test_json_says_why_a_gate_cannot_be_held(tmp_path: Path) -> None:
    result = run(tmp_path / "nowhere", LIMIT, "--format", "json")
    problem = json.loads(result.stdout)
    assert (result.exit_code, problem["status"]) == (2, 2)
    assert problem["problem"].endswith("nowhere: no such file or folder")


def cells(lines: Iterable[str]) -> list[list[str]]:
    return [
        re.split(r"(?<!\\)\|", line)[1:-1] for line in lines if line.startswith("|")
    ]


def test_markdown_is_a_summary_for_a_pull_request(tmp_path: Path) -> None:
    text = run(hostile(tmp_path), *RULES, "--format", "markdown").stdout
    assert text.startswith("## ❌ Gate: fail: 4 pass, 1 fail, 1 undecided\n")
    assert "<b>" not in text
    table = cells(text.splitlines())
    assert {len(line) for line in table} == {7, 6}
    assert [line[0].strip() for line in table[2:8]] == [
        *["✅ pass"] * 3,
        "❔ undecided",
        "✅ pass",
        "❌ fail",
    ]


def test_markdown_says_why_a_gate_cannot_be_held(tmp_path: Path) -> None:
    result = run(tmp_path / "nowhere", LIMIT, "--format", "markdown")
    assert result.exit_code == 2
    assert result.stdout.startswith("## ❌ Gate: unusable: ")
    assert "nowhere: no such file or folder" in result.stdout
