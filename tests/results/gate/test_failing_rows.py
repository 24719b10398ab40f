"""The rows that made a rule fail."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tests.results.gate.gated_logs import LIMIT, answerable, log, run
from tests.results.synthetic import write_log


def test_the_rows_that_fail_are_named_up_to_a_number(tmp_path: Path) -> None:
    text = run(log(tmp_path, 30), LIMIT, "--format", "markdown", "--n", "2").stdout
    assert "#### Failing rows" in text
    assert "| a000 | 1 | question a000 | ANSWER\\_CORRECTLY |" in text.replace(
        "ANSWER_CORRECTLY", "ANSWER\\_CORRECTLY"
    )
    assert "and 28 more" in text
    assert "a002" not in text
    (failure,) = ElementTree.fromstring(
        run(tmp_path, LIMIT, "--format", "junit").stdout.encode()
    ).iter("failure")
    assert "a019" in str(failure.text)
    assert "a020" not in str(failure.text)


def test_the_rows_against_a_rule_on_questions_back_are_those_that_ask(
    tmp_path: Path,
) -> None:
    samples = answerable(30)
    for k, sample in enumerate(samples):
        value: Any = (sample.scores or {})["refusal_scores"].value
        value["asks_back"] = float(k >= 25)
    logs = write_log(tmp_path, "m", samples)
    rule = "--max=unneeded_clarification_rate=0.05"
    text = run(logs, rule, "--format", "markdown").stdout
    assert "question a025" in text
    assert "question a024" not in text
