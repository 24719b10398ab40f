"""Tables in every form: what is unknown, and text that tries to be more than text."""

import csv
import io
import json
import math
import re
from typing import get_args

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from refusalbench_tasks.cli import main
from refusalbench_tasks.sheets import plain_cell
from refusalbench_tasks.tables import Format, Table, tables_text

TEXT = st.text(st.characters(exclude_categories=["Cs"])) | st.text(
    "\\|`<>&{}$#%_^~[]*-=+@\r\n\t1a"
)
NUMBER = st.none() | st.floats() | st.integers()
ROWS = st.lists(
    st.fixed_dictionaries({"name": TEXT, "value": NUMBER, "other": TEXT}),
    min_size=1,
    max_size=5,
)
HOSTILE = "\\|`<b>&{}$#%_^~"


def table(rows: list[dict[str, object]]) -> Table:
    return Table("k", "t", rows)


@given(ROWS)
def test_csv_is_read_back_and_holds_no_formula(rows: list[dict[str, object]]) -> None:
    made = list(csv.DictReader(io.StringIO(table(rows).as_csv(), newline="")))
    assert [line["name"] for line in made] == [
        plain_cell(str(row["name"])) for row in rows
    ]
    assert not any(
        line[name].startswith(("=", "+", "-", "@", "\t", "\r"))
        for line in made
        for name in ("name", "other")
    )
    assert all(
        "nan" not in line["value"] and "inf" not in line["value"] for line in made
    )


def test_a_bare_carriage_return_begins_no_line() -> None:
    made = Table("k", "t", [{"name": "a\r=1+1"}]).as_csv()
    assert list(csv.reader(io.StringIO(made, newline=""))) == [["name"], ["a\r=1+1"]]


@given(ROWS)
def test_json_has_null_for_what_is_unknown(rows: list[dict[str, object]]) -> None:
    for line, row in zip(
        json.loads(tables_text([table(rows)], "json"))["k"], rows, strict=True
    ):
        value = row["value"]
        known = not isinstance(value, float) or math.isfinite(value)
        assert line == row | {"value": value if known else None}


@given(ROWS, TEXT)
def test_markdown_lines_have_equal_numbers_of_cells(
    rows: list[dict[str, object]], head: str
) -> None:
    made = Table(
        "k", "t", [{f"x{head}": row["other"], **row} for row in rows]
    ).as_markdown()
    lines = made.splitlines()
    assert len(lines) == len(rows) + 2
    assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in lines} == {
        len(rows[0]) + 2
    }
    assert not re.search(r"<|(?<!\\)(?:\\\\)*`", made)


@given(ROWS)
def test_latex_has_no_unescaped_special(rows: list[dict[str, object]]) -> None:
    lines = table(rows).as_latex().splitlines()
    assert len(lines) == len(rows) + 6
    for line in lines[4:-2]:
        body = line.removesuffix(r" \\")
        assert len(re.findall(r"(?<!\\)&", body)) == 2
        bare = re.sub(r"\\(?:[{}$&#%_]|text[a-z]+\{\})|-\{\}|^\{\}", "", body).replace(
            " & ", ""
        )
        assert not re.search(r"[\\{}$#%&_^~<>|`]", bare)


def test_unknown_is_told_in_each_form() -> None:
    made = table(
        [{"name": HOSTILE, "value": math.nan}, {"name": "b\x1b[2J", "value": -0.5}]
    )
    assert "undefined" in made.as_text()
    assert "\x1b" not in made.as_text()
    assert made.as_markdown().splitlines()[1:] == [
        "| --- | ---: |",
        r"| \\\|\`&lt;b&gt;&amp;{}\$#%\_^\~ | – |",
        r"| b \[2J | -0.500 |",
    ]
    latex = made.as_latex()
    assert latex.startswith("\\begin{tabular}{lr}\n\\toprule\n")
    assert "– \\\\\nb [2J & \\textminus{}0.500 \\\\\n\\bottomrule" in latex


def test_a_caption_makes_a_float() -> None:
    made = Table("k", "t", [{"name": "a", "value": 1}], caption="c").as_latex()
    assert made.startswith(
        "\\begin{table}\n\\centering\n\\caption{c}\n\\begin{tabular}{lr}\n\\toprule\n"
    )
    assert made.endswith("\\bottomrule\n\\end{tabular}\n\\end{table}\n")


@pytest.mark.parametrize("form", [form for form in get_args(Format) if form != "text"])
def test_tables_stand_alone_on_stdout(form: Format) -> None:
    done = CliRunner().invoke(main, ["plan", "--levers", "--format", form])
    assert done.exit_code == 0, done.output
    assert "levers\n" not in done.stdout
    assert done.stderr
    starts = {
        "csv": ("class,",),
        "json": ("{",),
        "markdown": ("|",),
        "latex": (r"\begin{tabular}",),
    }
    assert done.stdout.startswith(starts[form])
