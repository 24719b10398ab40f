"""docs/compare.md: the workflow's steps as a build would run them, the pytest example,
and what the page quotes.
"""

import os
import shlex
import subprocess
from pathlib import Path
from shutil import copy, rmtree
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from examples.walk_through import blocks
from refusalbench_tasks.results.gate.rules import read_rules
from tests.test_package import path

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "examples"
PAGE = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8")
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


@pytest.mark.slow
def test_the_workflow_keeps_mains_log_and_fails_a_pull_request_that_is_worse(
    tmp_path: Path,
) -> None:
    copy(EXAMPLES / "rules.yaml", tmp_path)
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


@pytest.mark.parametrize("name", ["gate.yml", "rules.yaml"])
def test_the_page_quotes_the_examples_as_they_are(name: str) -> None:
    assert f"\n{(EXAMPLES / name).read_text(encoding='utf-8')}```" in PAGE


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


def test_the_rules_of_the_example_are_rules() -> None:
    assert (
        len(
            read_rules(
                (EXAMPLES / "rules.yaml").read_text(encoding="utf-8"), "rules.yaml"
            ).rules
        )
        == 4
    )
