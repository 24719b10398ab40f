"""The workflow that checks each change: what it runs exists, and what may fail."""

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
CHECKS = ROOT / ".github" / "workflows" / "checks.yml"
JOBS: dict[str, Any] = yaml.safe_load(CHECKS.read_text(encoding="utf-8"))["jobs"]


def made_by(job: str) -> list[str]:
    """Return the targets that a job makes."""
    commands = [step.get("run", "") for step in JOBS[job]["steps"]]
    return re.findall(r"\bmake ([\w-]+)", "\n".join(commands))


def test_every_job_makes_targets_that_exist() -> None:
    targets = set(re.findall(r"^([\w-]+):", MAKEFILE, re.MULTILINE))
    made = {target for job in JOBS for target in made_by(job)}
    assert made
    assert made <= targets


def test_the_site_coverage_and_what_no_lock_holds_are_checked() -> None:
    assert made_by("docs") == ["docs"]
    assert made_by("coverage") == ["coverage"]
    assert made_by("rl") == ["test-rl"]
    assert made_by("lm-eval") == ["test-lm-eval"]


def test_only_the_job_on_the_newest_inspect_ai_may_fail() -> None:
    may_fail = [name for name, job in JOBS.items() if job.get("continue-on-error")]
    assert may_fail == ["canary"]
    assert made_by("canary") == ["test-newest"]
