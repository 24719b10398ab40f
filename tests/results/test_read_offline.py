"""Rates that no grader read: what they can be, with undecided replies and the reading's
own errors.
"""

import pytest
from inspect_ai.log import EvalSample

from refusalbench_tasks.replies.reading_errors import reading_errors
from refusalbench_tasks.results.gate.rule_checks import gated
from refusalbench_tasks.results.gate.rules import Rule, Rules
from refusalbench_tasks.results.gate.summary import written_gate
from refusalbench_tasks.results.read_offline import (
    frequent_undecided,
    own_errors,
    reading_bounds,
    run_bounds,
    told_bounds,
)
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.synthetic import NAN, row, run


def test_a_run_that_was_read_tells_its_bounds_in_show_and_gate() -> None:
    low = Intensity.LOW
    high = Intensity.HIGH
    made = run(
        [
            row("a", Label.OTHER, intensity=low, decided_by="reading"),
            row("b", Label.ANSWER, intensity=low, decided_by="reading"),
            row("c", Label.ANSWER, intensity=low, decided_by="alias"),
            row("d", None, intensity=low),
            row("e", Label.MISSING, intensity=high, decided_by="parse"),
            row("f", None, intensity=high, reason="no_response"),
        ]
    )
    no_refusal, no_answer = reading_errors().worst
    found = reading_bounds(made)
    assert found["false_refusal_rate"] == pytest.approx(
        ((1 - no_refusal) / 4, (2 + no_answer) / 4)
    )
    # a code is certain, and what is no reply is no answer
    assert found["missed_refusal_rate"] == (
        0,
        0,
    )
    [one] = gated([made], Rules(rules=(Rule(metric="false_refusal_rate", max=0.9),)))
    assert told_bounds(made) in one.checks[1].remark
    [sentence] = own_errors([made, made])
    assert sentence in written_gate([one], "text")
    assert told_bounds(made) == (
        "bounds: false refusals from 0.225 to 0.516 (with the reading's own errors); "
        "2 to 3 of 4 answerable rows right; undecided most often: once `reply`"
    )


def test_a_run_of_codes_and_a_graded_one_have_none() -> None:
    graded = run([row("a", Label.MISSING), row("b", Label.ANSWER, decided_by="judge")])
    assert told_bounds(graded) == ""
    assert own_errors([graded]) == []


def all_undecided() -> list[EvalSample]:
    low = Intensity.LOW
    answerable = [row(f"a{k}", None, intensity=low, reply="[3]") for k in range(4)]
    unanswerable = [
        row(f"u{k}", None, reply="[3]\x1b[2J" if k else "?") for k in range(4)
    ]
    return [*answerable, *unanswerable]


def test_a_run_without_decisions_has_bounds_from_0_to_1_and_says_why() -> None:
    made = run(all_undecided())
    assert set(run_bounds(made).values()) == {(0.0, 1.0)}
    assert frequent_undecided(made) == "4 times `[3]`"
    assert "0 to 4 of 4 answerable rows right" in told_bounds(made)


def test_an_undecided_reply_is_shown_cut_and_without_marks_of_its_own() -> None:
    told = frequent_undecided(run([row("a", None, reply="`a`\x1b[2J\n" * 50)]))
    assert told.startswith("once `'a' [2J 'a'")
    assert told.endswith(" …`")
    assert len(told) < 80
    assert frequent_undecided(run([row("a", Label.MISSING)])) == ""


def test_answers_that_nobody_graded_have_bounds_beside_the_withheld_number() -> None:
    low = Intensity.LOW
    ungraded = {"right": NAN}
    made = run(
        [
            *(row(f"r{k}", Label.ANSWER, intensity=low) for k in range(7)),
            *(
                row(f"u{k}", Label.ANSWER, intensity=low, numbers=ungraded)
                for k in range(15)
            ),
            row("n", None, intensity=low),
            row("f", Label.MISSING, intensity=low),
        ]
    )
    assert "7 to 23 of 24 answerable rows right" in told_bounds(made)
