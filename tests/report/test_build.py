"""`refusalbench report`: what is written, for which logs."""

import re
from pathlib import Path

from inspect_ai.log import EvalError

from refusalbench_tasks.taxonomy import Label
from tests.report.reporting import SCRIPT, report
from tests.results.synthetic import row, write_log


def test_every_figure_is_a_picture_for_the_screen_one_for_print_and_a_table(
    written: tuple[Path, str],
) -> None:
    out, printed = written
    assert re.search(r"3 runs, \d+ figures, \d+ tables", printed)
    page = (out / "index.html").read_text()
    figures = sorted(path.stem for path in (out / "figures").glob("*.svg"))
    assert len(figures) > 7
    assert figures == sorted(path.stem for path in (out / "figures").glob("*.pdf"))
    for name in figures:
        assert (out / f"figures/{name}.pdf").read_bytes().startswith(b"%PDF")
        assert (out / f"tables/{name}.csv").is_file()
    links = re.findall(r'href="((?:figures|tables)/[^"]+)"', page)
    assert len(links) > 3 * len(figures)
    assert all((out / link).is_file() for link in links)


def test_a_run_of_which_every_sample_failed_is_named_at_the_top(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    write_log(logs, "m", [row("1", Label.MISSING)])
    failed = row("1", None)
    failed.scores = None
    failed.error = EvalError(
        message="no connection to <host>",
        traceback="",
        traceback_ansi="",
    )
    write_log(logs, "m", [failed])
    done = report(logs, to=tmp_path / "out")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "out" / "index.html").read_text()
    top, _, _ = page.partition("</header>")
    assert re.search("left out: 1.eval: no scored sample.*no connection to &lt;", top)


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
