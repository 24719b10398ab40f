"""What was found of each system, with what is not known."""

from pathlib import Path

from refusalbench_tasks.report.findings import findings, findings_table
from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.report.sentences import refusal_sentence
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.report.reporting import table
from tests.results.synthetic import row, run

LOW = Intensity.LOW


def test_bounds_stand_beside_what_is_withheld() -> None:
    made = run(
        [row("a", None, intensity=LOW, reply="[3]"), row("b", None, reply="[3]")]
    )
    lines = findings(groups_of([made])[0], refusal_sentence)
    assert (
        "0 to 1 of 1 answerable rows right; undecided most often: 2 times `[3]`"
        in lines[0].bounds
    )
    assert findings_table(lines).rows[0]["bounds"] == lines[0].bounds


def test_baselines_come_last() -> None:
    baseline, model = (
        run([row("a", Label.MISSING)], name) for name in ("none/none", "m")
    )
    lines = findings(groups_of([baseline, model])[0], refusal_sentence)
    assert [line.system.run.baseline for line in lines] == [False, True]


def test_what_is_not_known_is_told_as_the_warning_tells_it(
    written: tuple[Path, str],
) -> None:
    out, printed = written
    found = {"x_1" in one["system"]: one for one in table(out, "nq-findings")}
    split = "3 of 10: 2 undecided, 1 ended in error"
    assert found[True]["not known"] == "30\u00a0%"
    assert found[True]["reasons"] == f"{split} (undecided: 2 undecided offline)"
    assert found[False]["not known"] == "0\u00a0%"
    page = (out / "index.html").read_text()
    assert "of unanswerable rows answers 0\u00a0%" in page
    assert f"not everything is known of {split}; read the bounds" in printed


def test_the_page_says_what_the_readings_own_errors_are(
    written: tuple[Path, str],
) -> None:
    page = (written[0] / "index.html").read_text()
    assert "The reading's own errors" not in page
