"""`refusalbench gate`: exit statuses, and what each form says, read back by its own
rules.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from inspect_ai.log import EvalSample, read_eval_log, write_eval_log

from refusalbench_tasks.cli import main
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.synthetic import hedging_sample, row, write_log

HOSTILE = 'org/<b>&"|`\x1b[31m\ud800\uffff]]>'
LIMIT = "--max=false_refusal_rate=0.1"


def answerable(refused: int, n: int = 40, unscored: int = 0) -> list[EvalSample]:
    """Return answerable rows of as many questions: first those that are refused."""
    clear: Any = (PerturbationClass.AMBIGUITY, Intensity.LOW)
    made = [
        row(f"a{k:03d}", Label.MISSING if k < refused else Label.ANSWER, *clear)
        for k in range(n)
    ]
    return [*made, *(row(f"u{k}", None, *clear) for k in range(unscored))]


def bluff(n: int = 40) -> list[EvalSample]:
    return [
        hedging_sample(f"q{k}", arm, refused=float(arm == "ambiguous" and k % 2))
        for k in range(n)
        for arm in ("clear", "ambiguous")
    ]


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["gate", *map(str, words)])


def log(folder: Path, refused: int, model: str = "m", **options: Any) -> Path:
    return write_log(folder, model, answerable(refused, **options))


def only_line(result: Result) -> str:
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.strip().splitlines()
    assert not result.stdout
    return line


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


def test_the_newest_run_of_each_task_and_model_is_held_against_its_rules(
    tmp_path: Path,
) -> None:
    for refused, model in ((20, "m"), (0, "m"), (0, "other")):
        log(tmp_path, refused, model)
    write_log(tmp_path, "m", bluff(), task="bluff", scorer="hedging_scores")
    rules = tmp_path / "gate.yaml"
    rules.write_text(
        "rules:\n- {metric: false_refusal_rate, max: 0.1}\n"
        "- {metric: refusal_rate_ambiguous, min: 0.2, max: 0.8, task: bluff}\n"
    )
    result = run(tmp_path, "--rules", rules, "--format", "json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert {(one["task"], one["model"], one["log"][-6:]) for one in found["runs"]} == {
        ("nq", "m", "1.eval"),
        ("nq", "other", "2.eval"),
        ("bluff", "m", "3.eval"),
    }
    assert "stands for" in result.stderr
    assert "0.eval" in result.stderr


def test_runs_on_other_data_are_gated_and_fresh_rows_replace_older_ones(
    tmp_path: Path,
) -> None:
    for refused, data, rows in (
        (20, "app", "old"),
        (0, "app", "new"),
        (20, "index", "new"),
    ):
        write_log(
            tmp_path,
            "m",
            answerable(refused),
            data=f"{data}.jsonl",
            selected_fingerprint=rows,
        )
    result = run(tmp_path, LIMIT, "--format", "json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)["runs"]
    assert [(one["data"], one["log"][-6:], one["verdict"]) for one in found] == [
        ("app.jsonl", "1.eval", "pass"),
        ("index.jsonl", "2.eval", "fail"),
    ]
    assert "0.eval" in result.stderr
    # each is held against the baseline on its own data
    result = run(
        tmp_path,
        LIMIT,
        "--against",
        tmp_path,
        "--no-worse-than",
        "0.2",
        "--format",
        "json",
    )
    assert [one["against"][-6:] for one in json.loads(result.stdout)["runs"]] == [
        "1.eval",
        "2.eval",
    ]


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
            "--against: no such file or folder 'absent'",
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
    assert "LOGS: no such file or folder" in only_line(run(tmp_path / "absent", LIMIT))
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


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Return a log with a failed, an undecided and a held rule, whose names mean
    something to every format.
    """
    return write_log(
        tmp_path / "hostile",
        HOSTILE.replace("\ud800", ""),
        answerable(3),
        data=HOSTILE[:9],
    )


RULES = (
    "--max=false_refusal_rate=0.1",
    "--max=refusal_rate=0.9",
    "--min=refusal_rate=0.5",
    "--max-unscored=0",
)


def test_junit_has_a_case_for_each_rule(hostile: Path) -> None:
    result = run(hostile, *RULES, "--format", "junit")
    assert result.exit_code == 1
    root = ElementTree.fromstring(result.stdout.encode())
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == (
        "4",
        "1",
        "1",
    )
    (suite,) = root
    assert '<b>&"|`' in str(suite.get("name"))
    assert "\x1b" not in result.stdout
    kinds = {case.get("name"): [part.tag for part in case] for case in suite}
    assert kinds == {
        "unscored ≤ 0": ["system-out"],
        "false_refusal_rate ≤ 0.1": ["skipped", "system-out"],
        "refusal_rate ≥ 0.5": ["failure", "system-out"],
        "refusal_rate ≤ 0.9": ["system-out"],
    }
    assert str(suite[3][0].get("message")).startswith("fail: 0.075 [")
    as_failure = ElementTree.fromstring(
        run(hostile, *RULES, "--format", "junit", "--undecided", "fail").stdout.encode()
    )
    assert (as_failure.get("failures"), as_failure.get("skipped")) == ("2", "0")
    as_pass = ElementTree.fromstring(
        run(hostile, *RULES, "--format", "junit", "--undecided", "pass").stdout.encode()
    )
    assert (as_pass.get("failures"), as_pass.get("skipped")) == ("1", "0")


def test_json_has_the_verdicts_the_status_and_no_nan(hostile: Path) -> None:
    def no_constant(name: str) -> None:
        raise AssertionError(name)

    result = run(hostile, *RULES, "--format", "json")
    found = json.loads(result.stdout, parse_constant=no_constant)
    assert (found["verdict"], found["status"], result.exit_code) == ("fail", 1, 1)
    verdicts = [check["verdict"] for check in found["runs"][0]["checks"]]
    assert verdicts == ["pass", "undecided", "pass", "fail"]


def cells(lines: Iterable[str]) -> list[list[str]]:
    return [
        re.split(r"(?<!\\)\|", line)[1:-1] for line in lines if line.startswith("|")
    ]


def test_markdown_is_a_summary_for_a_pull_request(hostile: Path) -> None:
    text = run(hostile, *RULES, "--format", "markdown").stdout
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


@pytest.mark.parametrize("status", ["started", "cancelled", "error"])
def test_a_run_that_did_not_end_well_cannot_pass(tmp_path: Path, status: str) -> None:
    write_log(tmp_path, "m", answerable(0), status=status)
    assert "finish or remove it" in only_line(run(tmp_path, LIMIT))


def test_a_run_with_invalidated_samples_cannot_pass(tmp_path: Path) -> None:
    path = log(tmp_path, 0)
    made = read_eval_log(str(path))
    made.invalidated = True
    write_eval_log(made, str(path))
    assert "marked as invalid" in only_line(run(tmp_path, LIMIT))
