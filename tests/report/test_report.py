"""`refusalbench report`: what is written, for which logs."""

import csv
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from refusalbench_tasks.cli import main
from refusalbench_tasks.taxonomy import Label
from tests.results.synthetic import hedging_sample, row, write_log

SCRIPT = "<script>alert(1)</script>"


def report(*logs: Path, to: Path) -> Result:
    return CliRunner().invoke(main, ["report", *map(str, logs), "-o", str(to)])


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of nq, one of bluff; the first has unscored rows and an error, and
    hostile text everywhere.
    """
    logs = tmp_path_factory.mktemp("mixed")
    lost = row("9", Label.MISSING)
    lost.scores = None
    bad = [
        row(
            str(k),
            None if k < 2 else Label.ANSWER,
            reply=f"{SCRIPT} $x$ {k}",
            query=f"{SCRIPT} {k}",
        )
        for k in range(9)
    ]
    write_log(logs, f"evil {SCRIPT}\x00$x_1$", [*bad, lost])
    write_log(logs, "good", [row(str(k), Label.MISSING) for k in range(10)])
    pairs = [
        hedging_sample(f"q{k}", arm, correctness=0.0)
        for k in range(3)
        for arm in ("clear", "ambiguous")
    ]
    write_log(logs, "b", pairs, task="bluff", scorer="hedging_scores")
    return logs


@pytest.fixture(scope="module")
def written(mixed: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The report of these runs, and what the command printed."""
    out = tmp_path_factory.mktemp("written") / "out"
    result = report(mixed, to=out)
    assert result.exit_code == 0, result.output
    return out, result.output


def test_every_figure_is_a_picture_for_the_screen_one_for_print_and_a_table(
    written: tuple[Path, str],
) -> None:
    out, printed = written
    assert re.search(r"3 runs, \d+ figures, \d+ tables", printed)
    page = (out / "index.html").read_text()
    figures = sorted(path.stem for path in (out / "figures").glob("*.svg"))
    assert len(figures) > 8
    assert figures == sorted(path.stem for path in (out / "figures").glob("*.pdf"))
    for name in figures:
        assert (out / f"figures/{name}.pdf").read_bytes().startswith(b"%PDF")
        assert (out / f"tables/{name}.csv").is_file()
    links = re.findall(r'href="((?:figures|tables)/[^"]+)"', page)
    assert len(links) > 3 * len(figures)
    assert all((out / link).is_file() for link in links)


def test_the_overview_has_intervals_n_and_the_models_that_treat_all_alike(
    written: tuple[Path, str],
) -> None:
    rows = {one["system"]: one for one in table(written[0], "nq-overview")}
    assert (rows["good"]["refusal accuracy"], rows["good"]["refusal accuracy n"]) == (
        "1.0",
        "10",
    )
    # ten questions that are all right: Wilson's interval, not a point
    assert 0.6 < float(rows["good"]["refusal accuracy low"]) < 0.8
    assert rows["(always answers)"]["missed refusal rate"] == "1.0"
    assert rows["(always refuses: info missing)"]["refusal accuracy"] == "1.0"
    assert rows["(always answers)"]["answer accuracy"] == ""


def test_what_was_found_says_how_much_is_unscored_and_why(
    written: tuple[Path, str],
) -> None:
    out, printed = written
    found = {"x_1" in one["system"]: one for one in table(out, "nq-findings")}
    assert found[True]["unscored"] == "30\u00a0%"
    assert found[True]["reasons"] == "3 of 10: error 1, undecided offline 2"
    assert found[True]["missed refusals"] == "1.0"
    assert found[False]["unscored"] == "0\u00a0%"
    assert "answers 0\u00a0% of unanswerable rows" in found[False]["in words"]
    assert "3 of 10 replies are unscored, ungraded or lost" in printed


def test_what_is_not_known_is_bounded(written: tuple[Path, str]) -> None:
    bounds = {one["metric"]: one for one in table(written[0], "nq-bounds")}
    missed = bounds["missed refusal rate"]
    assert [
        missed[name] for name in ("measured", "lowest", "highest", "not known")
    ] == ["1.0", "0.7", "1.0", "3"]


def test_outside_text_is_escaped_everywhere(written: tuple[Path, str]) -> None:
    out, _ = written
    page = (out / "index.html").read_text()
    assert SCRIPT not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert re.findall(r"<script[^>]*>", page) == [
        '<script type="application/json" id="replies-data">',
        "<script>",
    ]
    for svg in (out / "figures").glob("*.svg"):
        assert SCRIPT not in svg.read_text()


def test_the_page_says_why_a_figure_that_logs_do_not_allow_is_missing(
    written: tuple[Path, str],
) -> None:
    out, _ = written
    page = (out / "index.html").read_text()
    assert (
        "reliability diagram (RefusalBench, Figure 7, 19): no run has stated confidence"
        in page
    )
    assert not (out / "figures/nq-reliability.svg").exists()
    assert (
        "thinking tokens (RefusalBench, Figure 32): no model with two budgets" in page
    )


def test_a_report_is_replaced_by_an_equal_one_and_other_files_are_kept(
    mixed: Path, written: tuple[Path, str]
) -> None:
    out, _ = written
    before = {p.relative_to(out): p.read_bytes() for p in out.rglob("*.*")}
    stale = out / "figures/nq-old.svg"
    notes = out / "notes.md"
    mine = out / "figures/mine.svg"
    for path in (stale, notes, mine):
        path.write_text("mine")
    with (out / "report-files.txt").open("a") as manifest:
        manifest.write("figures/nq-old.svg\n../written/out/notes.md\n")
    assert report(mixed, to=out).exit_code == 0
    assert not stale.exists()
    assert notes.read_text() == mine.read_text() == "mine"
    notes.unlink()
    mine.unlink()
    assert {p.relative_to(out): p.read_bytes() for p in out.rglob("*.*")} == before


def test_a_folder_with_anything_else_is_refused(mixed: Path, tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text(
        'my own page about <meta name="generator" content="refusalbench report">'
    )
    result = report(mixed, to=tmp_path)
    assert result.exit_code != 0
    assert "holds no report" in result.output
    assert page.read_text().startswith("my own page")
    assert "is a file" in report(mixed, to=page).output


def test_nothing_to_report_is_one_line(tmp_path: Path) -> None:
    result = report(tmp_path, to=tmp_path / "out")
    assert result.exit_code != 0
    assert f"{tmp_path}: no log with scored samples" in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("missing", ["matplotlib", "jinja2"])
def test_a_missing_extra_says_how_to_install_it(
    missing: str, mixed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    result = report(mixed, to=tmp_path / "out")
    assert result.exit_code != 0
    assert "refusalbench-tasks[report]" in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_the_log_table_says_which_file_a_name_stands_for_and_what_was_left_out(
    mixed: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.eval"
    broken.write_bytes(b"PK\x03\x04 no archive")
    report(mixed, broken, to=tmp_path / "out")
    rows = {
        one["log"]: (one["shown as"], one["used"])
        for one in table(tmp_path / "out", "report-logs")
    }
    assert (rows["1.eval"], rows["2.eval"]) == (
        ("nq: good", "yes"),
        ("bluff: b", "yes"),
    )
    assert rows["broken.eval"][1].startswith("no: not a readable log")
