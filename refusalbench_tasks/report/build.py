"""A report in a folder: page, figures, tables."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.command_output import left_out_lines
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.report.drawing import Picture, draw
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.generation_sections import made_sections
from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.report.logs_table import logs_table
from refusalbench_tasks.report.page.render import Page, render
from refusalbench_tasks.report.replies import browsable
from refusalbench_tasks.report.section import Section, section_of
from refusalbench_tasks.report.styles import Look
from refusalbench_tasks.results.parallel import each
from refusalbench_tasks.results.table import Logs, read_logs
from refusalbench_tasks.safe_writing import write_folder
from refusalbench_tasks.tables import Table

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
    warnings: tuple[str, ...]


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
    logs = read_logs(paths, texts=True)
    groups = groups_of(logs.runs)
    sections = [*map(section_of, groups), *made_sections(logs.makers)]
    table = logs_table(logs, groups)
    files: dict[str, str | bytes] = {
        f"tables/{key}-{one.key}.csv": one.as_csv()
        for key, one in _tables(sections, table)
    }
    pictures = _pictures(sections)
    for (key, name), picture in pictures.items():
        files |= {
            f"figures/{key}-{name}.svg": picture.svg,
            f"figures/{key}-{name}.pdf": picture.pdf,
        }
    replies = browsable(groups) if groups else None
    files[PAGE] = render(
        Page(title, _runs_text(logs), sections, pictures, replies, table)
    )
    # a lone surrogate, which a reply may have, is no text that a file can hold
    texts = {
        name: one.encode("utf-8", "replace")
        for name, one in files.items()
        if isinstance(one, str)
    }
    _replace(folder, {**files, **texts})
    warnings = [
        f"{section.key}: {warning}"
        for section in sections
        for warning in section.warnings
    ]
    left_out = left_out_lines(
        [
            (name.rstrip("/").rpartition("/")[2], reason)
            for name, reason in logs.left_out
        ]
    )
    tables = sum(name.startswith("tables/") for name in files)
    return Report(
        folder / PAGE,
        len(logs.runs) + len(logs.makers),
        len(pictures),
        tables,
        (*warnings, *left_out),
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
    if folder.exists() and not folder.is_dir():
        raise DataError(f"{folder}: is a file; name a folder")
    if folder.exists() and any(folder.iterdir()) and not (folder / MANIFEST).is_file():
        raise DataError(
            f"{folder}: is not empty and holds no report; name another folder"
        )


def _replace(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write the files in place of those that an earlier report wrote; whatever else is
    there stays.
    """
    manifest = folder / MANIFEST
    written = (
        manifest.read_text(encoding="utf-8").splitlines() if manifest.is_file() else []
    )
    listed = {MANIFEST: "".join(f"{name}\n" for name in sorted(files))}
    write_folder(
        folder, {**files, **listed}, [name for name in written if _OURS.fullmatch(name)]
    )


def _pictures(sections: Sequence[Section]) -> dict[tuple[str, str], Picture]:
    every = [(section, figure) for section in sections for figure in section.figures]
    pictures = each(
        _drawn, [(figure, section.looks or {}) for section, figure in every], "figures"
    )
    return {
        (section.key, figure.key): one
        for (section, figure), one in zip(every, pictures, strict=True)
    }


def _drawn(given: tuple[Figure, Mapping[str, Look]]) -> Picture:
    figure, looks = given
    return draw(figure.chart, looks, figure.title)


def _tables(sections: Sequence[Section], logs: Table) -> Iterable[tuple[str, Table]]:
    yield "report", logs
    for section in sections:
        yield from (
            (section.key, table) for table in (*section.tables, *section.details)
        )
        yield from (
            (section.key, Table(one.key, one.title, one.chart.table()))
            for one in section.figures
        )
        if section.findings:
            yield section.key, section.findings.table()


def _runs_text(logs: Logs) -> str:
    """Return how many runs there are of each task."""
    counts = Counter(run.task for run in logs.runs) + Counter(
        log.eval.task.rpartition("/")[2] for log in logs.makers
    )
    return "Runs: " + ", ".join(f"{n} of {name}" for name, n in counts.items())
