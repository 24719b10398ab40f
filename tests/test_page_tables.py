"""What the pages print of the baselines is what the commands print."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from inspect_ai import eval
from inspect_ai.solver import Solver

from benchmarks.models_table import recordings
from refusalbench_tasks.cli import main
from refusalbench_tasks.solvers.baselines import always_refuse, extractive, oracle
from refusalbench_tasks.solvers.replay import replay
from refusalbench_tasks.tasks.nq import nq

ROOT = Path(__file__).parents[1]
BASELINES: dict[str, Callable[[], Solver]] = {
    "oracle": oracle,
    "always_refuse": always_refuse,
    "extractive": extractive,
}


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a folder of logs for each baseline; logs of one second are
    shown in the order of paths.
    """
    place = tmp_path_factory.mktemp("baselines")
    for turn, (name, solver) in enumerate(BASELINES.items()):
        task = nq(data="sample", judge="offline")
        eval(
            task,
            solver=solver(),
            model="none",
            log_dir=str(place / str(turn) / name),
            display="none",
        )
    return place


def logs_of(ran: Path, name: str) -> str:
    (folder,) = ran.glob(f"*/{name}")
    return str(folder)


def told(*arguments: str) -> Result:
    # as wide as where there is no terminal: workers of the test runner have 80 columns
    return CliRunner(env={"COLUMNS": "120"}).invoke(main, list(arguments))


def test_the_table_of_the_readme_is_that_of_the_demo(tmp_path: Path) -> None:
    """The demo replays the recorded models behind the baseline that always refuses."""
    task = nq(data="sample", judge="offline")
    eval(
        task,
        solver=always_refuse(),
        model="none",
        log_dir=str(tmp_path / "0"),
        display="none",
    )
    models = [recording for recording in recordings() if recording.rows == "nq"]
    for turn, recording in enumerate(models, 1):
        recorded = replay(
            str(recording.path), name=recording.path.stem.removesuffix("-nq")
        )
        task = nq(data="sample", judge="offline")
        eval(
            task,
            solver=recorded,
            model="none",
            log_dir=str(tmp_path / str(turn)),
            display="none",
        )
    shown = told("show", *(str(folder) for folder in sorted(tmp_path.iterdir()))).output
    (table,) = re.findall(
        r"```\n( +calibrated.*?)```",
        (ROOT / "README.md").read_text(encoding="utf-8"),
        re.DOTALL,
    )
    assert table in shown


def test_the_comparison_on_its_page_is_what_compare_prints(ran: Path) -> None:
    page = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8")
    ((first, second, said),) = re.findall(
        r"--solver refusalbench_tasks/(\w+) .* logs/a\n.*--solver"
        r" refusalbench_tasks/(\w+) .* logs/b\n"
        r"refusalbench compare logs/a logs/b\n```\n\n```\n(.*?)```",
        page,
        re.DOTALL,
    )
    shown = told("compare", logs_of(ran, first), logs_of(ran, second)).output
    assert re.sub(r"\(file://.*\)", "(…)", shown).strip() == said.strip()


def test_the_report_on_its_page_has_the_tables_and_figures_that_it_says(
    ran: Path, tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"^(Warning: .*)\nthree/index.html: (.*)$", page, re.MULTILINE)
    shown = told(
        "report",
        *(logs_of(ran, name) for name in BASELINES),
        "-o",
        str(tmp_path / "three"),
    )
    assert shown.exit_code == 0
    assert said[0] in shown.output
    assert shown.output.rstrip().endswith(f"index.html: {said[1]}")
    assert "Runs: 3 of nq." in (tmp_path / "three" / "index.html").read_text(
        encoding="utf-8"
    )


def test_the_gate_on_its_page_is_what_gate_prints(ran: Path) -> None:
    page = (ROOT / "docs" / "compare.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"```\n(nq on sample: oracle\n.*?)```", page, re.DOTALL)
    shown = told(
        "gate",
        logs_of(ran, "oracle"),
        "--max",
        "false_refusal_rate=0.1",
        "--min",
        "refusal_accuracy=0.6",
    ).output
    assert (
        re.sub(r"log: .*", "log: …", shown).strip()
        == re.sub(r"log: .*", "log: …", said).strip()
    )
