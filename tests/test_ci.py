"""docs/compare.md: the workflow's steps as a build would run them, the pytest example,
and what the page quotes.
"""

import json
import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path
from shutil import copy, rmtree
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from examples.walk_through import blocks
from refusalbench_tasks.results.gate.rules import read_rules
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.taxonomy import Label
from tests.test_package import path

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "examples"
PAGE = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8")
DECLINES = "I don't know."
WORKFLOW: Any = yaml.safe_load((EXAMPLES / "gate.yml").read_text(encoding="utf-8"))


def build(folder: Path, event: str, **environment: str) -> tuple[str, int]:
    """Run the steps of the workflow that are commands, in order; return the one that
    failed, and its status.
    """
    env = os.environ | WORKFLOW["env"] | environment
    env |= {"PATH": path(), "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    for step in WORKFLOW["jobs"]["gate"]["steps"]:
        # the suite is installed already; what other people's actions do, this test does
        # by hand
        if "run" not in step or step["name"] == "Install":
            continue
        if step.get("if") not in (None, f"github.event_name == '{event}'"):
            continue
        done = subprocess.run(
            ["bash", "-e", "-c", step["run"]],
            cwd=folder,
            env=env,
            capture_output=True,
            timeout=300,
        )
        if done.returncode:
            return step["name"], done.returncode
    return "", 0


APPLICATION = """
import json
from pathlib import Path

REPLIES = json.loads(Path("replies.json").read_text())


def answer(question, passages):
    reply = REPLIES[question + passages[0]]
    if reply == "broken":
        raise ConnectionError("no index")
    usage = {"input_tokens": 50, "output_tokens": 5}
    return {"reply": reply, "usage": usage}
"""
CALLED = (
    "--model none --solver refusalbench_tasks/callable -S function=app:answer"
    " -T codes=false -T judge=offline --no-fail-on-error"
)


def pull_request(folder: Path, replies: Mapping[str, str]) -> tuple[str, str, int]:
    """Build a pull request whose application gives these replies; return the summary,
    the step that failed, and its status.
    """
    rmtree(folder / "logs" / "gate", ignore_errors=True)
    (folder / "summary.md").unlink(missing_ok=True)
    (folder / "replies.json").write_text(json.dumps(replies))
    failed = build(folder, "pull_request", SYSTEM=CALLED)
    return (folder / "summary.md").read_text(encoding="utf-8"), *failed


@pytest.mark.slow
def test_the_workflow_judges_pull_requests_of_an_application_by_latency_and_tokens_too(
    tmp_path: Path,
) -> None:
    rules = (ROOT / "examples" / "gate.yaml").read_text(encoding="utf-8")
    tokens = "  - {metric: tokens_per_row, max: 100}\n"
    (tmp_path / "rules.yaml").write_text(rules + tokens)
    (tmp_path / "app.py").write_text(APPLICATION)
    right = {}
    for sample in nq(data="sample").dataset:
        about = sample.metadata or {}
        gold = about["answers"][0] if about["expected"] == Label.ANSWER else DECLINES
        right[about["query"] + about["passages"][0]] = gold
    declined = [key for key, reply in right.items() if reply == DECLINES]
    main = right | dict.fromkeys(declined[:3], "Paris.")
    (tmp_path / "replies.json").write_text(json.dumps(main))
    assert build(tmp_path, "push", SYSTEM=CALLED) == ("", 0)
    summary, *failed = pull_request(tmp_path, right)
    assert failed == ["", 0]
    assert "tokens\\_per\\_row ≤ 100 | 55.000" in summary.replace("_", "\\_")
    assert "left out by no" in summary
    summary, *failed = pull_request(tmp_path, dict.fromkeys(right, DECLINES))
    assert failed == ["Gate", 1]
    assert "❌ fail | false_refusal_rate - baseline ≤ 0.2 | 1.000" in summary
    summary, *failed = pull_request(tmp_path, dict.fromkeys(right, "broken"))
    assert failed == ["Gate", 1]
    assert "72 of 72 failed: " in summary
    assert "no index" in (tmp_path / "gate.xml").read_text(encoding="utf-8")
    summary, *failed = pull_request(tmp_path, dict.fromkeys(right, ""))
    assert failed == ["Gate", 1]
    assert "gives no answer to 72 of 72" in summary


@pytest.mark.slow
def test_the_workflow_keeps_mains_log_and_fails_a_pull_request_that_is_worse(
    tmp_path: Path,
) -> None:
    copy(ROOT / "examples" / "gate.yaml", tmp_path / "rules.yaml")
    assert build(tmp_path, "push") == ("", 0)
    assert len(list((tmp_path / "logs" / "main").glob("*.eval"))) == 1
    assert "baseline" not in (tmp_path / "summary.md").read_text(encoding="utf-8")
    rmtree(tmp_path / "logs" / "gate")
    refusing = WORKFLOW["env"]["SYSTEM"].replace("oracle", "always_refuse")
    assert build(tmp_path, "pull_request", SYSTEM=refusing) == ("Gate", 1)
    assert "false_refusal_rate - baseline ≤ 0.2" in (tmp_path / "summary.md").read_text(
        encoding="utf-8"
    )
    assert "❌ fail | false_refusal_rate ≤ 0.25 | 1.000" in (
        tmp_path / "summary.md"
    ).read_text(encoding="utf-8")
    root = ElementTree.parse(tmp_path / "gate.xml").getroot()
    assert int(root.get("failures", "0")) >= 2


@pytest.mark.parametrize(
    "file", [EXAMPLES / "gate.yml", ROOT / "examples" / "gate.yaml"]
)
def test_the_page_quotes_the_examples_as_they_are(file: Path) -> None:
    assert f"\n{file.read_text(encoding='utf-8')}```" in PAGE


def test_the_step_for_ones_own_assistant_asks_it_as_the_walk_through_does() -> None:
    _, _, rest = PAGE.partition("```yaml\n      - name: Evaluate")
    (step,) = yaml.safe_load(
        "- name: Evaluate" + rest.partition("```")[0].replace("\n      ", "\n")
    )
    walked = next(
        text for _, text in blocks() if "data=own/questions/index.jsonl" in text
    )
    texts = step["run"].partition("done\n")[2], walked
    ours, theirs = (shlex.split(text.replace("\\\n", " ")) for text in texts)
    assert ours[-4:] == ["--log-dir", "logs/gate", "--display", "plain"]
    assert ours[:-4] == theirs[:-2]


def test_the_rules_of_the_example_are_those_that_a_team_keeps() -> None:
    text = (ROOT / "examples" / "gate.yaml").read_text(encoding="utf-8")
    assert [rule.metric for rule in read_rules(text, "gate.yaml").rules] == [
        "false_refusal_rate",
        "missed_refusal_rate",
        "answer_accuracy",
        "latency_p50",
    ]
