"""`--format`: what every command that prints tables gives other programs, read back by
their own rules.
"""

import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from refusalbench_tasks.cli import main
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.synthetic import row, write_log

pytestmark = pytest.mark.xdist_group("formats")
FIRST = "org/a_1&2%"
SECOND = "org/b|{c}$"
"""Names that mean something to every format."""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two runs of nq and two judged copies of a third."""
    folder = tmp_path_factory.mktemp("formats")
    for k, model in enumerate((FIRST, SECOND)):
        rows = [
            row(
                f"{n}",
                Label.ANSWER if n % 3 == k else Label.MISSING,
                level="CONFIDENT",
                decided_by="judge",
            )
            for n in range(6)
        ]
        clear = [
            row(
                f"a{n}", Label.ANSWER, PerturbationClass.AMBIGUITY, Intensity.LOW, n > k
            )
            for n in range(4)
        ]
        write_log(folder / model.replace("/", "_"), model, [*rows, *clear])
        write_log(folder / f"copy{k}", FIRST, rows)
    return folder


COMMANDS = {
    "show": ["org_a_1&2%", "org_b|{c}$"],
    "compare": ["org_a_1&2%", "org_b|{c}$"],
    "audit": ["copy0", "copy1"],
    "reproduce": ["org_a_1&2%"],
}
every_command = pytest.mark.parametrize("command", COMMANDS)


def run(logs: Path, command: str, form: str) -> str:
    done: Result = CliRunner().invoke(
        main,
        [
            *command.split(),
            *(str(logs / name) for name in COMMANDS[command]),
            "--format",
            form,
        ],
    )
    assert done.exit_code == 0, done.output
    return done.stdout


def blocks(text: str) -> list[list[str]]:
    """Return the lines of each table, without its caption and, in LaTeX, what it floats
    in.
    """
    parts = [
        part.splitlines()
        for part in re.split(r"\n\n+", text.strip("\n"))
        if not part.startswith("*")
    ]
    parts = [
        part[1:-1] if part[0].startswith(r"\begingroup") else part for part in parts
    ]
    return [part[3:-1] if part[:1] == [r"\begin{table}"] else part for part in parts]


def as_json(logs: Path, command: str) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads(run(logs, command, "json"))
    return found


@every_command
def test_json_is_one_object_of_tables_with_equal_keys(logs: Path, command: str) -> None:
    found = as_json(logs, command)
    assert any(found.values())
    for rows in found.values():
        assert len({tuple(one) for one in rows}) <= 1


@every_command
def test_csv_has_the_numbers_of_json(logs: Path, command: str) -> None:
    found = [rows for rows in as_json(logs, command).values() if rows]
    tables = [
        list(csv.DictReader(io.StringIO("\n".join(block))))
        for block in blocks(run(logs, command, "csv"))
    ]
    tables = [table for table in tables if table]
    assert [len(table) for table in tables] == [len(rows) for rows in found]
    for table, rows in zip(tables, found, strict=True):
        for line, one in zip(table, rows, strict=True):
            # one cell a column, and what is unknown is blank
            assert None not in line
            assert None not in line.values()
            numbers = {
                name: value
                for name, value in one.items()
                if isinstance(value, int | float)
            }
            assert {name: float(line[name]) for name in numbers} == pytest.approx(
                numbers
            )
            assert all(line[name] == "" for name, value in one.items() if value is None)


@every_command
def test_markdown_has_as_many_cells_in_every_line(logs: Path, command: str) -> None:
    for block in blocks(run(logs, command, "markdown")):
        cells = [len(re.findall(r"(?<!\\)\|", line)) for line in block]
        assert len(set(cells)) == 1
        assert re.fullmatch(r"\|(?: -{3}:? \|)+", block[1])
        assert all(line[0] == line[-1] == "|" for line in block)


@every_command
def test_latex_is_balanced_and_escaped(logs: Path, command: str) -> None:
    text = run(logs, command, "latex")
    bare = re.sub(r"\\[{}$&#%_\\]", "", text)
    assert bare.count("{") == bare.count("}") > 0
    begin = re.compile(r"\\begin\{tabular\}\{([lr]+)\}")
    assert not re.search(r"[$#%_^~<>|`]", begin.sub("", bare))
    assert bare.count(r"\begin{table}") == bare.count(r"\end{table}")
    assert bare.count(r"\begin{table}") == bare.count(r"\caption{")
    for block in blocks(text):
        (columns,) = begin.findall(block[0])
        assert (block[1], block[3], block[-2], block[-1]) == (
            r"\toprule",
            r"\midrule",
            r"\bottomrule",
            r"\end{tabular}",
        )
        for line in (block[2], *block[4:-2]):
            assert line.endswith(r" \\")
            assert len(re.findall(r"(?<!\\)&", line)) == len(columns) - 1


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="needs pdflatex")
@pytest.mark.parametrize("of_logs", [True, False], ids=["with-logs", "without"])
def test_published_numbers_are_set_by_latex(
    logs: Path, tmp_path: Path, of_logs: bool
) -> None:
    given = [str(logs / FIRST.replace("/", "_"))] * of_logs
    done = CliRunner().invoke(main, ["reproduce", *given, "--format", "latex"])
    head = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
    (tmp_path / "paper.tex").write_text(
        f"{head}{done.stdout}\\end{{document}}\n", encoding="utf-8"
    )
    command = ["pdflatex", "-no-shell-escape", "-halt-on-error", "paper.tex"]
    subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True
    )
    captions = [
        line for line in done.stdout.splitlines() if line.startswith(r"\caption{")
    ]
    assert captions[0].startswith(
        r"\caption{Published and measured numbers: BLUFF-1000, bluff"
    )
    assert len(captions) >= 5
    assert any("Measured in: 0.eval" in line for line in captions) == of_logs


def test_runs_have_short_names(logs: Path) -> None:
    for form, name in (
        ("csv", "a_1&2%"),
        ("markdown", "a_1&amp;2%"),
        ("latex", r"a\_1\&2\%"),
    ):
        text = run(logs, "compare", form)
        assert name in text
        assert str(logs) not in text.replace("\\_", "_")
        assert "org" not in text


@pytest.mark.parametrize(
    ("command", "n"), [("show", "n: 10 "), ("compare", "10 samples decided in both")]
)
def test_a_table_for_a_paper_says_what_it_rests_on(
    logs: Path, command: str, n: str
) -> None:
    for form in ("latex", "markdown"):
        text = run(logs, command, form)
        assert n in text
        assert "rows f" in text or "data sample (f)" in text
    for form in ("csv", "text"):
        assert "CIs resample" not in run(logs, command, form)


def test_a_column_for_a_paper_has_confidence_intervals_of_one_form(logs: Path) -> None:
    table = run(logs, "show", "latex")
    assert "±" not in table
    assert re.search(r"\d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\]", table)
