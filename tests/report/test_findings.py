"""What was found: the first table of the page, with what is withheld."""

from pathlib import Path

from refusalbench_tasks.report.findings import (
    GRADED,
    Findings,
    note_of,
    refusal_findings,
)
from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.report.reporting import table
from tests.results.synthetic import NAN, row, run

LOW = Intensity.LOW
UNGRADED = {"right": NAN}


def found(*runs: Run) -> Findings:
    [group] = groups_of(runs)
    return refusal_findings(group)


def test_right_among_graded_answers_is_withheld_where_answer_accuracy_is() -> None:
    """Three of ten answers are known to be right and none to be wrong: that is no 100
    %.
    """
    refused = [row(f"u{k}", Label.MISSING) for k in range(10)]
    right = [row(f"a{k}", Label.ANSWER, intensity=LOW) for k in range(3)]
    ungraded = [
        row(f"b{k}", Label.ANSWER, intensity=LOW, numbers=UNGRADED) for k in range(7)
    ]
    wrong = [row(f"b{k}", Label.ANSWER, intensity=LOW, correct=False) for k in range(7)]
    offline = run([*refused, *right, *ungraded], "offline")
    graded = run([*refused, *right, *wrong], "graded")
    lines = {line.system.label: line for line in found(offline, graded).lines}
    withheld = lines["offline"].values[GRADED]
    share = lines["graded"].values[GRADED]
    assert (withheld.known, withheld.n) == (False, 3)
    assert (share.value, share.n) == (0.3, 10)
    assert GRADED not in found(offline).columns


def test_bounds_stand_beside_what_is_withheld() -> None:
    made = run(
        [row("a", None, intensity=LOW, reply="[3]"), row("b", None, reply="[3]")]
    )
    [line] = found(made).lines
    assert (
        "0 to 1 of 1 answerable rows right; undecided most often: 2 times `[3]`"
        in line.bounds
    )
    assert found(made).table().rows[0]["bounds"] == line.bounds


def test_the_note_says_what_the_readings_own_errors_are() -> None:
    read = run([row("a", Label.OTHER, decided_by="reading")])
    assert "The reading's own errors: of " in note_of([found(read)])
    coded = run([row("a", Label.MISSING)])
    assert "own errors" not in note_of([found(coded)])


def test_what_was_found_says_how_much_is_unscored_and_why(
    written: tuple[Path, str],
) -> None:
    out, printed = written
    found = {"x_1" in one["system"]: one for one in table(out, "nq-findings")}
    assert found[True]["unscored"] == "30\u00a0%"
    assert found[True]["reasons"] == "3 of 10: error 1, undecided offline 2"
    assert found[True]["missed refusals"] == "1.0"
    assert found[False]["unscored"] == "0\u00a0%"
    assert "answers 0\u00a0% of unanswerable rows" in found[False]["in words"]
    assert "3 of 10 replies are unscored, ungraded or lost" in printed
