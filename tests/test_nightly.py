"""docs/nightly.md: its files and commands as they stand, against a local server."""

import re
import runpy
import time
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pytest
import yaml
from inspect_ai.log import read_eval_log

import refusalbench_tasks
from tests.commands import forked, run, start
from tests.provider import Server
from tests.provider.plausible import plausible

PAGE = Path(__file__).parents[1] / "docs" / "nightly.md"
BLOCKS = re.compile(r"<!-- (run|file: (\S+)) -->\n```(\w+)\n(.*?)```", re.DOTALL)
MODELS = 12
WAIT = 200


def blocks() -> list[tuple[str, str, str, str]]:
    """Return the kind, the file, the language and the text of each block."""
    return BLOCKS.findall(PAGE.read_text("utf-8"))


def environment(server: Server) -> dict[str, str]:
    return {
        "OPENAI_API_KEY": "none",
        "ANTHROPIC_API_KEY": "none",
        "OPENAI_BASE_URL": server.openai_url,
        "ANTHROPIC_BASE_URL": server.anthropic_url,
        "INSPECT_EVAL_LIMIT": "2",
        "INSPECT_DISPLAY": "none",
    }


def killed(line: str, server: Server, folder: Path, keys: Mapping[str, str]) -> None:
    """Start a set and kill it when it has begun to ask."""
    begun = start(line, folder, **keys)
    deadline = time.monotonic() + WAIT
    while len(server.calls) < MODELS and time.monotonic() < deadline:
        time.sleep(0.05)
    begun.kill()


def test_the_files_of_the_page_are_arguments_of_their_tasks() -> None:
    files = {Path(name): text for _, name, _, text in blocks() if name}
    tasks = {path.stem: text for path, text in files.items() if path.suffix == ".yaml"}
    assert [*tasks] == ["nq", "garage", "bluff"]
    for name, text in tasks.items():
        task = getattr(refusalbench_tasks, name)(**yaml.safe_load(text))
        assert 30 < len(task.dataset) <= 96
    (models,) = (text for path, text in files.items() if path.name == ".env")
    assert len(models.split(",")) == MODELS


@pytest.mark.slow
def test_the_page_runs_as_it_stands(tmp_path: Path) -> None:
    said: dict[str, str] = {}
    with Server(plausible(), latency=0.02) as server:
        keys = environment(server)
        for kind, name, language, text in blocks():
            if name:
                file = tmp_path / name
                file.parent.mkdir(exist_ok=True)
                file.write_text(text, encoding="utf-8")
                continue
            assert kind == "run"
            if language == "python":
                (tmp_path / "dashboard.py").write_text(text, encoding="utf-8")
                status, said[text] = forked(
                    lambda: runpy.run_path("dashboard.py"), tmp_path
                ).ended()
                assert status == 0, said[text]
                continue
            for line in text.splitlines():
                if "eval-set refusalbench_tasks/nq" in line:
                    killed(line, server, tmp_path, keys)
                log = next((tmp_path / "logs" / "night" / "nq").glob("*.eval"), None)
                command = line.replace("LOG", log.name) if log else line
                said[line] = run(command, tmp_path, **keys)
    logs = sorted((tmp_path / "logs" / "night").rglob("*.eval"))
    finished = [
        header
        for header in (read_eval_log(str(log), header_only=True) for log in logs)
        if header.status == "success"
    ]
    assert len({(log.eval.task, log.eval.model) for log in finished}) == 3 * MODELS
    assert len(finished) == 3 * MODELS
    shown = next(text for line, text in said.items() if "show logs/night" in line)
    assert shown.count("a later log continues this run") <= 1
    table = pd.read_csv(tmp_path / "night.csv")
    assert table["task_name"].nunique() == 3
    (graded,) = (tmp_path / "graded").glob("*.eval")
    header = read_eval_log(str(graded), header_only=True)
    assert header.results
    assert [score.name for score in header.results.scores] == ["refusal_scores"]
