"""A report in a folder: page, figures, tables."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.command_output import left_out_lines
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import file_name, task_of
from refusalbench_tasks.results.parallel import each
from refusalbench_tasks.results.table import NO_SCORE, Logs, read_logs
from refusalbench_tasks.safe_writing import write_folder
from refusalbench_tasks.tables import Table

from .charts import Figure
from .drawing import Picture, draw_chart
from .findings import findings_table
from .generation_sections import generation_sections
from .groups import groups_of
from .logs_table import logs_table
from .page.render import Page, render
from .replies import browsable
from .section import Section, sections_of
from .styles import Looks

PAGE = "index.html"
MANIFEST = "report-files.txt"
_OURS = re.compile(r"(figures|tables)/[\w.-]+\.(pdf|svg|csv)")
"""What a report writes: a changed list must not delete anything else."""


@dataclass(frozen=True)
class Report:
    """What was written: the page, and the numbers of runs, figures and tables."""

    page: Path
    runs: int
    figures: int
    tables: int
    warnings: Sequence[str]


def write_report(
    paths: Iterable[str], folder: Path, title: str = "Refusal and hedging report"
) -> Report:
    """Write the report of the logs in files and folders, and return what was written.

    `folder` holds `index.html`, `figures/` (SVG and PDF) and `tables/` (CSV); equal
    logs give equal files. An earlier report there is replaced, whole or not at all.
    Raises DataError if there is nothing to report, if the folder holds anything else
    than a report, or if matplotlib or jinja2 is missing.
    """
    _check_extra()
    _check_folder(folder)
    logs = read_logs(paths, texts=True, makers=True)
    groups = groups_of(logs.runs)
    sections = [*sections_of(groups), *generation_sections(logs.makers)]
    table = logs_table(logs, groups)
    pictures = _pictures(sections)
    files: dict[str, str | bytes] = {}
    for (key, name), picture in pictures.items():
        files[f"figures/{key}-{name}.svg"] = picture.svg
        files[f"figures/{key}-{name}.pdf"] = picture.pdf
    tables = {}
    for key, shown in _tables(sections, table):
        tables[f"tables/{key}-{shown.key}.csv"] = shown.as_csv()
    replies = browsable(groups) if groups else None
    left_out = [(file_name(name), reason) for name, reason in logs.left_out]
    failed = [pair for pair in left_out if pair[1].startswith(NO_SCORE)]
    page = Page(
        title,
        _runs_text(logs),
        left_out_lines(failed),
        sections,
        pictures,
        replies,
        table,
    )
    _replace(
        folder,
        {
            **files,
            **tables,
            PAGE: render(page),
        },
    )
    warnings = []
    for section in sections:
        warnings += [f"{section.key}: {warning}" for warning in section.warnings]
    return Report(
        folder / PAGE,
        len(logs.runs) + len(logs.makers),
        len(pictures),
        len(tables),
        warnings + left_out_lines(left_out),
    )


def _check_extra() -> None:
    """Raise before the work, not after it."""
    try:
        import jinja2  # noqa: F401
        import matplotlib.backends.backend_pdf  # noqa: F401
        import matplotlib.backends.backend_svg  # noqa: F401
    except ImportError as error:
        raise DataError(
            f"report: needs {error.name}; pip install 'refusalbench-tasks[report]'"
        ) from None


def _check_folder(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise DataError(f"{folder}: is a file; name a folder")
    if any(folder.iterdir()) and not (folder / MANIFEST).is_file():
        raise DataError(
            f"{folder}: is not empty and holds no report; name another folder"
        )


def _replace(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write the files in place of those that an earlier report wrote; whatever else is
    there stays.
    """
    manifest = folder / MANIFEST
    earlier = []
    if manifest.is_file():
        earlier = manifest.read_text(encoding="utf-8").splitlines()
    contents = dict(files)
    for name, content in files.items():
        # a lone surrogate, which a reply may have, is no text that a file can hold
        if isinstance(content, str):
            contents[name] = content.encode("utf-8", "replace")
    listed = "".join(f"{name}\n" for name in sorted(files))
    write_folder(
        folder,
        {**contents, MANIFEST: listed},
        [name for name in earlier if _OURS.fullmatch(name)],
    )


def _pictures(sections: Sequence[Section]) -> dict[tuple[str, str], Picture]:
    """Return the pictures by the keys of section and figure."""
    figures = {}
    for section in sections:
        for figure in section.figures:
            figures[section.key, figure.key] = (figure, section.looks)
    pictures = each(
        _picture,
        list(figures.values()),
        "figures",
    )
    return dict(zip(figures, pictures, strict=True))


def _picture(drawn: tuple[Figure, Looks]) -> Picture:
    figure, looks = drawn
    return draw_chart(figure.chart, looks, figure.title)


def _tables(sections: Sequence[Section], logs: Table) -> Iterable[tuple[str, Table]]:
    """Yield each table with the key of its section."""
    yield "report", logs
    for section in sections:
        for table in (*section.tables, *section.details):
            yield section.key, table
        for figure in section.figures:
            yield section.key, figure.table()
        if section.findings:
            yield section.key, findings_table(section.findings)


def _runs_text(logs: Logs) -> str:
    """Return how many runs there are of each task."""
    counts = Counter(run.task for run in logs.runs)
    counts.update(map(task_of, logs.makers))
    return "Runs: " + ", ".join(f"{n} of {task}" for task, n in counts.items())
