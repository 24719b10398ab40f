"""`refusalbench tasks` names what there is to run."""

from pathlib import Path

from click.testing import CliRunner

import refusalbench_tasks
from refusalbench_tasks.cli import main


def test_it_lists_the_tasks_as_inspect_names_them() -> None:
    listed = CliRunner().invoke(main, ["tasks"]).stdout.split()
    assert {f"refusalbench_tasks/{name}" for name in refusalbench_tasks.__all__} < {
        *listed
    }


def test_it_prints_the_folder_of_another_harness() -> None:
    printed = CliRunner().invoke(main, ["tasks", "--lm-eval"]).stdout
    assert (Path(printed.removesuffix("\n")) / "refusalbench_nq.yaml").exists()
