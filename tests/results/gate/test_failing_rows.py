"""The rows that made a rule fail."""

from pathlib import Path
from xml.etree import ElementTree

from tests.results.gate.gated_logs import LIMIT, log, run


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
