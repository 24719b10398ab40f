"""What runs are called and how they look beside each other."""

from pathlib import Path

from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.taxonomy import Label
from tests.results.synthetic import row, write_log


def test_runs_of_other_rows_stand_apart_and_runs_of_one_model_have_two_names(
    tmp_path: Path,
) -> None:
    for fingerprint in ("f", "f", "g"):
        write_log(
            tmp_path,
            "prov/m",
            [row("1", Label.MISSING)],
            selected_fingerprint=fingerprint,
        )
    first, second = groups_of(read_logs([str(tmp_path)]).runs)
    assert [one.label for one in first.systems] == [
        "m (no grader) #1",
        "m (no grader) #2",
    ]
    assert (first.key, second.key) == ("nq.1", "nq.2")
    assert "(2 runs), rows f" in first.title
    looks = [one.look for one in first.systems]
    assert len(set(looks)) == 2
    assert second.systems[0].look == looks[0]
    assert [one.run.name[-6:] for one in first.models] == ["1.eval"]


def test_a_reply_that_the_model_failed_to_give_is_no_unreadable_confidence(
    tmp_path: Path,
) -> None:
    unread = row("1", Label.MISSING, level="")
    none = row("2", None, reason="no_response", level="")
    write_log(tmp_path, "m", [row("0", Label.MISSING, level="CONFIDENT"), unread, none])
    (group,) = groups_of(read_logs([str(tmp_path)]).runs)
    assert group.systems[0].without_level == (1, 2)
    assert "m: 1 of 2 replies state no readable confidence." in group.warnings
