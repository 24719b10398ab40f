"""The examples of docs/neighbours.md run as they stand, where their library is
installed.
"""

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parent.parent / "docs" / "neighbours.md").read_text(
    encoding="utf-8"
)
REFUSAL = "The passage does not say who signed it."
UNDECIDED = "Hmm."


def example(heading: str) -> dict[str, Any]:
    """Return what the code below a heading defines."""
    part = PAGE.partition(f"## {heading}\n")[2] if heading else PAGE
    code = re.search(r"```python\n(.*?)```", part, re.DOTALL)
    assert code
    found: dict[str, Any] = {"ask": lambda question: REFUSAL, "__name__": "example"}
    exec(code[1], found)
    return found


def test_a_script(capsys: pytest.CaptureFixture[str]) -> None:
    example("")
    assert [line.split(" | ")[0] for line in capsys.readouterr().out.splitlines()] == [
        "answer",
        "refusal",
    ]


def test_pytest() -> None:
    made = example("pytest")
    check = made["test_it_answers_and_refuses_what_it_should"]
    check("Who signed it?", [], "refusal")
    with pytest.raises(AssertionError, match="does not say"):
        check("Who signed it?", ["the mayor"], "answer")
    made["ask"] = lambda question: "Yes, it was signed on 4 May 2019 by the mayor."
    with pytest.raises(AssertionError, match="by the mayor"):
        check("Who signed it?", [], "refusal")
    made["ask"] = lambda question: "1987"
    with pytest.raises(AssertionError, match="1987"):
        check("When did it open?", ["1988"], "answer")
    made["ask"] = lambda question: UNDECIDED
    with pytest.raises(pytest.skip.Exception, match=UNDECIDED):
        check("Who signed it?", [], "refusal")


def test_promptfoo() -> None:
    read = example("promptfoo")["get_assert"]
    assert read(REFUSAL, {"vars": {"question": "Who signed it?"}}) == {
        "pass": True,
        "score": 1.0,
        "reason": "refusal",
    }
    assert read(UNDECIDED, {"vars": {}})["reason"] == "undecided"


def test_other_harnesses(capsys: pytest.CaptureFixture[str]) -> None:
    example("Other harnesses")
    printed = capsys.readouterr().out
    shown = PAGE.partition("## Other harnesses\n")[2].split("```\n")[2]
    assert shown
    assert shown in printed
