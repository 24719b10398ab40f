"""A report in a folder: page, figures, tables."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.report.absences import absent_figures
from refusalbench_tasks.report.first_screen import findings_table
from refusalbench_tasks.report.log_facts import log_facts
from refusalbench_tasks.report.page.findings import shown_task
from refusalbench_tasks.report.page.render import ShownSection, render, shown_figure
from refusalbench_tasks.report.page.shown_table import ShownTable, shown_table
from refusalbench_tasks.report.pictures import Pictures
from refusalbench_tasks.report.replies import Browsable, Packed, packed, replies_note
from refusalbench_tasks.report.section import Section, sections
from refusalbench_tasks.results.logs.find import Logs, read_logs
from refusalbench_tasks.results.logs.parallel import Helpers, one_thread_each
from refusalbench_tasks.results.logs.run import AnyRun
from refusalbench_tasks.results.logs.stored import many_objects
from refusalbench_tasks.safe_writing import write_folder
from refusalbench_tasks.tables import Table, TableRow

LARGEST_PAGE = 6_000_000
"""In bytes. Texts in the browser of replies are cut until the page is no larger."""
_COMPLETE = ("completeness", "bounds")
"""The tables that stand apart from results, behind them."""
PAGE, MANIFEST = "index.html", "report-files.txt"
_OURS = re.compile(r"(figures|tables)/[\w.-]+\.(png|svg|csv|json)")
"""What a report writes: a changed list must not delete anything else."""


@dataclass(frozen=True)
class Report:
    """What was written: the page, and the numbers of runs, figures and tables."""

    page: Path
    runs: int
    figures: int
    tables: int
    warnings: tuple[str, ...]


def write_report(paths: Iterable[str], folder: Path, title: str = "Refusal and hedging report") -> Report:
    """Write the report of the logs in files and folders, and return what was written.

    `folder` holds `index.html`, `figures/` (PNG and SVG) and `tables/` (CSV and JSON); equal logs give equal files. An
    earlier report there is replaced, whole or not at all. Raises DataError if there is nothing to report, if the folder
    holds anything else than a report, or if matplotlib or jinja2 is missing.
    """
    _check_extra()
    _check_folder(folder)
    with one_thread_each(), many_objects(), Helpers() as helpers:
        logs = read_logs(paths)
        pictures = Pictures(helpers)
        parts = sections(logs, helpers, pictures.begin)
        pictures.begin_all(parts)
        files = _files(parts, pictures, _log_table(logs, parts), title, logs)
    _replace(folder, files)
    return Report(
        folder / PAGE,
        len(logs.refusal) + len(logs.hedging) + len(logs.generation) + len(logs.makers),
        sum(len(section.figures) for section in parts),
        sum(name.endswith(".csv") for name in files),
        (
            *(f"{section.key}: {warning}" for section in parts for warning in section.warnings),
            *(f"left out: {_file(name)}: {reason}" for name, reason in logs.left_out),
        ),
    )


def _check_extra() -> None:
    """Raise before the work, not after it; what draws is loaded once, for all processes that are forked later."""
    try:
        import jinja2  # noqa: F401
        import matplotlib.backends.backend_agg  # noqa: F401
        from PIL import Image, ImageDraw, ImageFont, PngImagePlugin  # noqa: F401
    except ImportError as error:
        raise DataError(f"report: needs {error.name}; pip install 'refusalbench-tasks[report]'") from None


def _check_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise DataError(f"{folder}: is a file; name a folder")
    if folder.exists() and any(folder.iterdir()) and not (folder / MANIFEST).is_file():
        raise DataError(f"{folder}: is not empty and holds no report; name another folder")


def _replace(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write the files in place of those that an earlier report wrote; whatever else is there stays."""
    manifest = folder / MANIFEST
    written = manifest.read_text(encoding="utf-8").splitlines() if manifest.is_file() else []
    listed = {MANIFEST: "".join(f"{name}\n" for name in sorted(files))}
    write_folder(folder, {**files, **listed}, [name for name in written if _OURS.fullmatch(name)])


def _files(parts: Sequence[Section], pictures: Pictures, log_table: Table, title: str, logs: Logs
           ) -> dict[str, str | bytes]:  # fmt: skip
    absent, found = absent_figures(parts), findings_table(one for section in parts for one in section.findings)
    files = _table_files([found, absent, log_table], "report")
    # tables come first: meanwhile figures are drawn
    for section in parts:
        tables = [*section.tables, *section.reading, *(Table(f.key, f.title, f.chart.table()) for f in section.figures)]
        files |= _table_files([*tables, *([section.comparisons] if section.comparisons else [])], section.key)
    undrawn = [_shown_section(section) for section in parts]
    shown: list[ShownSection] = []
    for section, without in zip(parts, undrawn, strict=True):
        figures = []
        for figure, empty in zip(section.figures, without.figures, strict=True):
            image = pictures.of(section, figure)
            files |= {f"figures/{empty.file}.png": image.png, f"figures/{empty.file}.svg": image.svg}
            figures.append(empty.drawn(image.on_page))
        shown.append(replace(without, figures=figures))
    runs = _runs_text(logs)
    parts_of_page = (title, runs, shown, found.note, shown_table(absent, "report"), shown_table(log_table, "report"))
    without_replies = len(render(*parts_of_page).encode())
    replies = _replies(parts, LARGEST_PAGE - without_replies)
    told = replies_note(replies) if any(section.runs for section in parts) else ""
    files[PAGE] = render(*parts_of_page, replies, told)
    return files


def _runs_text(logs: Logs) -> str:
    """Return how many runs there are of each task."""
    counts = dict(sorted(Counter(run.task for run in logs.refusal).items(), reverse=True))
    counts |= {"bluff": len(logs.hedging), "perturb": len(logs.generation)}
    counts |= Counter(made.task for _, made in logs.makers)
    return "Runs: " + ", ".join(f"{n} of {name}" for name, n in counts.items() if n)


def _replies(parts: Sequence[Section], budget: int) -> list[Packed]:
    """Return the replies of all sections, as far as they fit into the bytes of `budget`."""
    browsable = [
        Browsable(section.key, section.runs, {one.label: one.look for one in section.findings})
        for section in parts
        if section.runs
    ]
    return packed(browsable, budget)


def _shown_section(section: Section) -> ShownSection:
    """Return a section for the page, its figures without their pictures."""

    def shown(tables: Iterable[Table]) -> list[ShownTable]:
        return [shown_table(table, section.key, section.models) for table in tables]

    return ShownSection(
        section.key,
        section.title,
        section.warnings,
        shown(table for table in section.tables if table.key not in _COMPLETE),
        [shown_figure(figure, section.key, section.models) for figure in section.figures],
        shown(section.reading),
        next(iter(shown([section.comparisons] if section.comparisons else [])), None),
        shown(_where_unknown(table) for table in section.tables if table.key in _COMPLETE),
        shown_task(section.key, section.title, section.findings) if section.findings else None,
    )


def _where_unknown(table: Table) -> Table:
    """Return the table of bounds without the lines in which everything is known; any other as it is."""
    rows = [row for row in table.rows if row.get("not known", 1)]
    return replace(table, rows=rows, names=table.columns)


def _table_files(tables: Iterable[Table], prefix: str) -> dict[str, str | bytes]:
    files: dict[str, str | bytes] = {}
    for table in tables:
        files[f"tables/{prefix}-{table.key}.csv"] = table.as_csv()
        files[f"tables/{prefix}-{table.key}.json"] = table.as_json()
    return files


def _log_table(logs: Logs, parts: Sequence[Section]) -> Table:
    names = {name: f"{section.key}: {label}" for section in parts for name, label in section.names.items()}
    rows = [_log_row(run, names.get(run.name, "")) for run in logs.refusal]
    rows += [_log_row(run, names.get(run.name, "")) for run in logs.hedging]
    blank = dict.fromkeys(
        rows[0] if rows else ("shown as", "log", "model", "task", "status", "samples", "created", "used"), ""
    )
    for made_in in logs.generation:
        about = {"samples": len(made_in.items), "created": made_in.header.eval.created, "status": made_in.header.status}
        rows.append(blank | {"log": _file(made_in.header.location), "task": "perturb", "used": "yes"} | about)
    for name, made in logs.makers:
        about = {"model": made.name, "task": made.task, "status": made.status, "samples": made.completed}
        rows.append(blank | {"log": _file(name), "used": "yes"} | about)
    rows += [blank | {"log": _file(name), "used": f"no: {reason}"} for name, reason in logs.left_out]
    return Table("logs", "Logs", rows)


def _log_row(run: AnyRun, name: str) -> TableRow:
    return {
        "shown as": name,
        "log": _file(run.name),
        "model": run.model,
        "task": run.task,
        "status": run.status,
        "samples": len(run.rows),
        "errors": len(run.lost),
        "rows": run.fingerprint,
        "graders": " + ".join(sorted(run.graders)),
        "protocol": run.protocol,
        "settings": run.settings,
        **log_facts(run.name),
        "created": run.created,
        "used": "yes",
    }


def _file(name: str) -> str:
    return name.rstrip("/").rpartition("/")[2]
