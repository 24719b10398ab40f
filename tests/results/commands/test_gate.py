"""`refusalbench gate`: exit statuses, and what each form says, read back by its own
rules.
"""

import json
from pathlib import Path

import pytest

from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.gate.gated_logs import LIMIT, bluff, log, only_line, run
from tests.results.synthetic import row, write_log


@pytest.mark.parametrize(
    "refused, options, status",
    [
        (0, [], 0),
        (3, [], 3),
        (3, ["--undecided", "pass"], 0),
        (3, ["--undecided", "fail"], 1),
        (20, [], 1),
        (20, ["--undecided", "pass"], 1),
    ],
)
def test_the_exit_status_is_the_verdict(
    tmp_path: Path, refused: int, options: list[str], status: int
) -> None:
    result = run(log(tmp_path, refused), LIMIT, *options)
    assert result.exit_code == status, result.output


def test_hedging_logs_have_groups_and_differences(tmp_path: Path) -> None:
    log_file = write_log(
        tmp_path / "logs", "m", bluff(), task="bluff", scorer="hedging_scores"
    )
    rules = tmp_path / "gate.yaml"
    rules.write_text(
        "rules:\n- {metric: answer_correctness, min: 0.5, no_worse_than: 0.2}\n"
        "- {metric: refusal_sensitivity, min: 0.2}\n- {metric: asi, min: -3}\n"
    )
    found = json.loads(
        run(
            log_file, "--rules", rules, "--against", log_file, "--format", "json"
        ).stdout
    )
    checks = {check["rule"]: check for check in found["runs"][0]["checks"]}
    assert checks["answer_correctness ≥ 0.5"]["verdict"] == "pass"
    # 0 of 40 questions changed: 3.8415 / 43.8415
    assert checks["answer_correctness - baseline ≥ -0.2"]["95 % low"] == pytest.approx(
        -0.0876, abs=1e-4
    )
    assert checks["refusal_sensitivity ≥ 0.2"]["value"] == 0.5
    assert checks["refusal_sensitivity ≥ 0.2"]["verdict"] == "pass"
    # all pairs are alike, and an index has no bound
    assert checks["asi ≥ -3"]["verdict"] == "undecided"
    assert (
        checks["asi ≥ -3"]["remark"] == "no CI: n is too small, or all values are equal"
    )
    rules.write_text("rules: [{metric: refusal_rate, max: 0.9, where: {topic: law}}]")
    assert "field 'where.topic': no row of 'law'; there are: none" in only_line(
        run(log_file, "--rules", rules)
    )


def test_grounded_answers_have_their_composite_and_their_quality_gated(
    tmp_path: Path,
) -> None:
    cited = dict.fromkeys(
        ("factual_all", "citations", "citations_existing", "citations_signal"), 1.0
    )
    numbers = {"eligible": 1.0} | cited
    rows = [
        row(
            f"a{k}",
            Label.ANSWER,
            PerturbationClass.AMBIGUITY,
            Intensity.LOW,
            k % 5 > 0,
            numbers=numbers,
        )
        for k in range(60)
    ]
    file = write_log(tmp_path, "m", rows, task="garage")
    limits = (
        "--min=hybrid_score=0.6",
        "--min=answer_quality=0.6",
        "--max=kind_good_answer=0.5",
    )
    found = json.loads(run(file, *limits, "--format", "json").stdout)
    checks = {
        check["rule"]: (check["value"], check["n"], check["verdict"])
        for check in found["runs"][0]["checks"]
    }
    # 48 of 60 answers are right
    assert checks["hybrid_score ≥ 0.6"] == (0.8, 60, "pass")
    assert checks["answer_quality ≥ 0.6"] == (0.8, 60, "pass")
    assert checks["kind_good_answer ≤ 0.5"] == (0.8, 60, "fail")


@pytest.mark.parametrize(
    "words, told",
    [
        ([], "no rules; give --rules FILE"),
        (["--max", "false_refusal_rate"], "--max: expected METRIC=LIMIT"),
        (["--rules", "absent.yaml"], "--rules: no such file 'absent.yaml'"),
        ([LIMIT, "--against", "absent"], "gate: no rule is about a difference"),
        (
            [LIMIT, "--against", "absent", "--no-worse-than", "0.1"],
            "absent: no such file or folder",
        ),
        (
            [LIMIT, "--no-worse-than", "-1"],
            "--no-worse-than: expected a number of 0 or more, got '-1'",
        ),
    ],
)
def test_what_cannot_be_used_ends_in_one_line_and_status_2(
    tmp_path: Path, words: list[str], told: str
) -> None:
    assert told in only_line(run(log(tmp_path, 0), *words))


def test_logs_that_cannot_be_used_end_in_status_2(tmp_path: Path) -> None:
    assert "absent: no such file or folder" in only_line(
        run(tmp_path / "absent", LIMIT)
    )
    (tmp_path / "empty").mkdir()
    assert "no log with scored samples" in only_line(run(tmp_path / "empty", LIMIT))
    good = log(tmp_path / "good", 0)
    bluffs = tmp_path / "bluff"
    write_log(bluffs, "m", bluff(2), task="bluff", scorer="hedging_scores")
    told = only_line(run(good, LIMIT, "--against", bluffs, "--no-worse-than", "0.1"))
    assert "--against: 0 runs of nq there" in told
    # an older log must not stand for one that is broken
    (good.parent / "9.eval").write_bytes(b"garbage")
    assert "9.eval: not a readable log" in only_line(run(good.parent, LIMIT))
