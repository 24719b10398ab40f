"""What rows and rewards of worlds import: no heavy library that a trainer waits for."""

import subprocess
import sys

import pytest

HEAVY = ("datasets", "anthropic", "scipy", "pandas")
ROWS_AND_REWARDS = """
from refusalbench_tasks.worlds.quad_rows import row
from refusalbench_tasks.worlds.reward import reward
for layout in ("context", "grounding"):
    item = row(1, 0, layout=layout)
    for reply in ("£40", "REFUSE_OTHER", "There is a gap in the table.", "Which one?"):
        reward(item, reply)
"""
PROMPTS = """
from refusalbench_tasks.datasets.benchmarks import NQ
from refusalbench_tasks.prompting.refusal_template import filled_prompt, prompt_text
filled_prompt(prompt_text(base=NQ.prompt, ask=False), "When?", ["In 1987."], False)
"""
"""What the environment for trainers needs beside its library."""


def loaded(program: str, names: tuple[str, ...]) -> str:
    shown = f"import sys; print(sorted(set({names!r}) & set(sys.modules)))"
    process = subprocess.run(
        [sys.executable, "-c", f"{program}\n{shown}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return process.stdout.strip()


def test_rows_and_rewards_import_neither_heavy_libraries_nor_inspect() -> None:
    assert loaded(ROWS_AND_REWARDS, (*HEAVY, "inspect_ai", "verifiers")) == "[]"


def test_prompts_import_neither_heavy_libraries_nor_inspect() -> None:
    assert loaded(PROMPTS, (*HEAVY, "inspect_ai")) == "[]"


def test_the_measure_sees_what_is_loaded() -> None:
    pytest.importorskip("pandas")
    assert loaded("import pandas", HEAVY) == "['pandas']"
