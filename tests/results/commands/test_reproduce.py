"""`refusalbench reproduce`: what is printed, and the run configs."""

import re
from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.tasks.perturb import perturb
from tests.results.published.published_runs import (
    BLUFF_ARGS,
    NQ_ARGS,
    PAPERS,
    bluff_rows,
    of_bluff,
    samples,
)
from tests.results.synthetic import write_log


def test_the_paper_s_run_config_of_bluff_is_accepted() -> None:
    import yaml

    path = (
        CliRunner()
        .invoke(main, ["reproduce", "--config", "bluff-paper"])
        .output.strip()
    )
    config = yaml.safe_load(Path(path).read_text())
    found = bluff_rows(of_bluff(BLUFF_ARGS | config["task"]["args"]))
    assert found["vui"].differences == ()
    assert config["generate_config"]["temperature"] == 0.3


def shown(folder: Path, **args: Any) -> str:
    """Return what `reproduce` prints of a run of nq with some arguments."""
    task_args = NQ_ARGS | args
    write_log(folder, "openai/gpt-4o", samples(), task_args=task_args)
    return CliRunner().invoke(main, ["reproduce", str(folder)]).output


def test_each_row_has_its_own_reasons_and_the_caption_what_all_share(
    tmp_path: Path,
) -> None:
    lines = shown(tmp_path, prompt="official").splitlines()
    caption = next(line for line in lines if "Measured in" in line)
    assert "(data=sample; number of rows unknown)." in caption
    rate = next(line for line in lines if "F.3 (LOW rows" in line)
    assert rate.endswith("not comparable  temperature=None; judge_prompt=ours")
    level = next(line for line in lines if " lowest VERY_CONFIDENT/share" in line)
    assert "not asked       no confidence was asked for; 1 of 9 models;" in level
    # no prompt changes a number about the rows
    rows = next(line for line in lines if "  rows  " in line)
    assert rows.endswith("not comparable")


def test_without_logs_it_lists_what_each_number_needs() -> None:
    result = CliRunner().invoke(main, ["reproduce"])
    counts = [
        result.output.count(reading) for reading in ("needs a log", "needs a sheet")
    ]
    assert counts == [sum(len(paper.rows) for paper in PAPERS) - 14, 14]
    assert "no ambiguous arm" in result.output
    assert CliRunner().invoke(main, ["reproduce", "--as", "x"]).exit_code == 1


def test_numbers_are_printed_whole_where_they_are_counts() -> None:
    text = (
        CliRunner()
        .invoke(main, ["reproduce", "--format", "latex"])
        .stdout.replace("\\_", "_")
    )
    cells = [
        tuple(line.split(" & ")[1:4:2])
        for line in text.splitlines()
        if line.count(" & ") > 3
    ]
    counts = {
        told
        for name, told in cells
        if re.search(r"(^|/)rows$|_n$|^n_|^refusal_count|^models below", name)
    }
    # 0 refusals, 5 models, 400 rows a generator, 1,000 questions
    assert {"0", "5", "400", "1,000"} <= counts
    assert not [told for told in counts if "." in told]
    assert {told for name, told in cells if name == "lexical_overconfidence"} == {
        "0.000"
    }


def test_the_papers_generation_run_asks_for_every_lever_and_every_vote() -> None:
    text = (
        resources.files("refusalbench_tasks") / "run_configs" / "perturb-paper.yaml"
    ).read_text(encoding="utf-8")
    config = yaml.safe_load(text)
    task = perturb(bases="nq_sample", **config["task"]["args"])
    noted = task.metadata or {}
    # 176 levers for each of 18 base questions
    assert noted["planned"] == 176 * 18
    told = [
        noted[name]
        for name in (
            "write",
            "verify",
            "self_votes",
            "reading",
            "intensity",
            "checks",
            "ground",
        )
    ]
    assert told == ["whole", "all", True, "off", "veto", "record", False]
    assert config["generate_config"] == {"temperature": 1.0, "top_p": 1.0}
