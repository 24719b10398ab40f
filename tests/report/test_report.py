"""`refusalbench report`: what is written, for which logs."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from refusalbench_tasks.cli import main
from refusalbench_tasks.taxonomy import Label
from tests.results.logs.synthetic import hedging_sample, row, write_log

pytestmark = pytest.mark.xdist_group("report")
SCRIPT = "<script>alert(1)</script>"


def report(*logs: Path, to: Path) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, logs), "-o", str(to)])


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "tables" / f"{name}.json").read_text())
    return found


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of nq, one of bluff; the first has undecided rows and an error, and hostile text everywhere."""
    logs = tmp_path_factory.mktemp("mixed")
    lost = row("9", Label.MISSING)
    lost.scores = None
    bad = [
        row(str(k), None if k < 2 else Label.ANSWER, reply=f"{SCRIPT} $x$ {k}", query=f"{SCRIPT} {k}") for k in range(9)
    ]
    write_log(logs, f"evil {SCRIPT}\x00$x_1$", [*bad, lost])
    write_log(logs, "good", [row(str(k), Label.MISSING) for k in range(10)])
    pairs = [hedging_sample(f"q{k}", arm, correctness=0.0) for k in range(3) for arm in ("clear", "ambiguous")]
    write_log(logs, "b", pairs, task="bluff", scorer="hedging_scores")
    return logs


@pytest.fixture(scope="module")
def written(mixed: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The report of these runs, and what the command printed."""
    out = tmp_path_factory.mktemp("written") / "out"
    result = report(mixed, to=out)
    assert result.exit_code == 0, result.output
    return out, result.output


def test_everything_is_written(written: tuple[Path, str]) -> None:
    out, printed = written
    assert re.search(r"3 runs, \d+ figures, \d+ tables", printed)
    page = (out / "index.html").read_text()
    figures = sorted(path.stem for path in (out / "figures").glob("*.svg"))
    assert len(figures) > 15
    assert figures == sorted(path.stem for path in (out / "figures").glob("*.png"))
    for name in figures:
        assert f'href="figures/{name}.png"' in page
        assert (out / f"tables/{name}.csv").is_file()
    assert sorted(p.stem for p in (out / "tables").glob("*.csv")) == sorted(
        p.stem for p in (out / "tables").glob("*.json")
    )
    for link in re.findall(r'href="((?:figures|tables)/[^"]+)"', page):
        assert (out / link).is_file()


def test_the_overview_has_intervals_n_and_the_models_that_treat_all_alike(written: tuple[Path, str]) -> None:
    out, _ = written
    rows = {one["model"]: one for one in table(out, "nq-overview")}
    assert rows["good"]["refusal accuracy"] == 1.0
    assert rows["good"]["refusal accuracy n"] == 10
    assert rows["(always answers)"]["missed refusal rate"] == 1.0
    assert rows["(always refuses: info missing)"]["refusal accuracy"] == 1.0
    assert rows["(always answers)"]["answer accuracy"] is None


def test_what_is_not_known_is_counted_and_bounded(written: tuple[Path, str]) -> None:
    out, printed = written
    assert "3 of 10 rows are undecided, ungraded or lost" in printed
    bounds = {("$x_1$" in one["model"], one["metric"]): one for one in table(out, "nq-bounds")}
    evil = bounds[True, "missed refusal rate"]
    assert (evil["measured"], evil["lowest"], evil["highest"], evil["not known"]) == (1.0, 0.7, 1.0, 3)
    complete = {"$x_1$" in one["model"]: one for one in table(out, "nq-completeness")}
    assert (complete[True]["undecided"], complete[True]["errors"]) == (2, 1)
    assert complete[True]["why"] == "undecided_offline 2"


def test_replies_to_read_come_with_their_text(written: tuple[Path, str]) -> None:
    out, _ = written
    rows = table(out, "nq-to-read")
    assert len(rows) == 7
    assert all(one["kind"] == "missed refusal" and one["reply"].startswith(SCRIPT) for one in rows)
    assert all("ANSWER_CORRECTLY 1" in one["all models"] for one in rows)
    hedged = table(out, "bluff-to-read")
    assert len(hedged) == 6


def test_outside_text_is_escaped_everywhere(written: tuple[Path, str]) -> None:
    out, _ = written
    page = (out / "index.html").read_text()
    assert SCRIPT not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert page.count("<script") == 1
    for svg in (out / "figures").glob("*.svg"):
        assert SCRIPT not in svg.read_text()


def test_figures_that_logs_do_not_allow_are_listed_with_reasons(written: tuple[Path, str]) -> None:
    out, _ = written
    absent = {(one["paper"], one["figures"]): one["reason"] for one in table(out, "report-absent")}
    assert absent["RefusalBench", "3, 4, 14 to 17"] == "needs a run of perturb"
    assert absent["RefusalBench", "25"] == "needs a run of garage"
    assert "confidence=true" in absent["RefusalBench", "7, 19"]
    listed = [figures for paper, figures in absent if paper == "RefusalBench"]
    assert listed == [
        "3, 4, 14 to 17", "5", "7, 19", "9", "10", "11, 30, 31", "12", "13", "25", "27", "28", "32",
        "text of 4.2, F.7 and F.8",
    ]  # fmt: skip
    assert [figures for paper, figures in absent if paper == "BLUFF-1000"] == ["6"]


def test_a_report_is_replaced_by_an_equal_one_and_other_files_are_kept(mixed: Path, written: tuple[Path, str]) -> None:
    out, _ = written
    before = {p.relative_to(out): p.read_bytes() for p in out.rglob("*.*")}
    stale, notes, mine = out / "figures/nq-old.png", out / "notes.md", out / "figures/mine.png"
    for path in (stale, notes, mine):
        path.write_text("mine")
    with (out / "report-files.txt").open("a") as manifest:
        manifest.write("figures/nq-old.png\n../written/out/notes.md\n")
    assert report(mixed, to=out).exit_code == 0
    assert not stale.exists()
    assert notes.read_text() == mine.read_text() == "mine"
    notes.unlink()
    mine.unlink()
    assert {p.relative_to(out): p.read_bytes() for p in out.rglob("*.*")} == before


def test_a_folder_with_anything_else_is_refused(mixed: Path, tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text('my own page about <meta name="generator" content="refusalbench report">')
    result = report(mixed, to=tmp_path)
    assert result.exit_code == 1
    assert "holds no report" in result.output
    assert page.read_text().startswith("my own page")
    assert "is a file" in report(mixed, to=page).output


def test_nothing_to_report_is_one_line(tmp_path: Path) -> None:
    result = report(tmp_path, to=tmp_path / "out")
    assert result.exit_code == 1
    assert f"{tmp_path}: no log with scored samples" in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("missing", ["matplotlib", "PIL", "jinja2"])
def test_a_missing_extra_says_how_to_install_it(
    missing: str, mixed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    result = report(mixed, to=tmp_path / "out")
    assert result.exit_code == 1
    assert "refusalbench-tasks[report]" in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_the_log_table_says_which_file_a_name_stands_for(written: tuple[Path, str]) -> None:
    rows = table(written[0], "report-logs")
    assert {(one["shown as"], one["log"]) for one in rows} >= {("nq: good", "1.eval"), ("bluff: b", "2.eval")}
