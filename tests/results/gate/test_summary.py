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
    assert text.endswith("undecided: 1 pass, 1 undecided\n")
    assert (
        "undecided (counts as pass): 1 pass"
        in run(tmp_path, LIMIT, "--undecided", "pass").stdout
    )


def test_json_has_the_verdicts_the_status_and_no_nan(tmp_path: Path) -> None:
    def no_constant(name: str) -> None:
        raise AssertionError(name)

    result = run(hostile(tmp_path), *RULES, "--format", "json")
    found = json.loads(result.stdout, parse_constant=no_constant)
    assert (found["verdict"], found["status"], result.exit_code) == ("fail", 1, 1)
    verdicts = [check["verdict"] for check in found["runs"][0]["checks"]]
    assert verdicts == ["pass", "undecided", "pass", "fail"]


def cells(lines: Iterable[str]) -> list[list[str]]:
    return [
        re.split(r"(?<!\\)\|", line)[1:-1] for line in lines if line.startswith("|")
    ]


def test_markdown_is_a_summary_for_a_pull_request(tmp_path: Path) -> None:
    text = run(hostile(tmp_path), *RULES, "--format", "markdown").stdout
    assert text.startswith("## ❌ Gate: fail: 2 pass, 1 fail, 1 undecided\n")
    assert "<b>" not in text
    table = cells(text.splitlines())
    assert {len(line) for line in table} == {7, 6}
    assert [line[0].strip() for line in table[2:6]] == [
        "✅ pass",
        "❔ undecided",
        "✅ pass",
        "❌ fail",
    ]
