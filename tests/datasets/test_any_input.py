"""Whatever a file holds, a reader gives rows or one error line: never a traceback,
never a silent wrong answer.
"""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refusalbench_tasks.bounded_reading import yaml_value
from refusalbench_tasks.datasets import bluff_item
from refusalbench_tasks.datasets.benchmarks import GARAGE, NQ
from refusalbench_tasks.datasets.bluff import load_bluff
from refusalbench_tasks.datasets.rows import checked_row, read_rows
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.levers import load_levers
from refusalbench_tasks.generators.validation_sheet import filled_rows
from refusalbench_tasks.prompting import from_file
from refusalbench_tasks.replies.lexicon_file import load_lexicon

ROWS = (".jsonl", ".json", ".csv", ".parquet")
DEEP = "[" * 200_000
HUGE = "1" * 5_000
SURROGATE = '"\\ud83d"'


def nq(name: str) -> object:
    rows = read_rows(name)
    return NQ.items_of(rows), NQ.originals_of(rows)


def garage(name: str) -> object:
    rows = read_rows(name)
    return GARAGE.items_of(rows), GARAGE.originals_of(rows)


READERS: list[tuple[Callable[[str], object], tuple[str, ...]]] = [
    (nq, ROWS),
    (garage, ROWS),
    (load_bluff, ROWS),
    (curate, ROWS),
    (load_levers, (".yaml", ".json")),
    (load_lexicon, (".txt",)),
    (lambda name: from_file(name, frozenset({"query", "context"})), (".txt",)),
    (lambda name: filled_rows(Path(name)), (".csv",)),
]
EACH = [(reader, suffix) for reader, suffixes in READERS for suffix in suffixes]


def read(reader: Callable[[str], object], suffix: str, content: bytes) -> None:
    """Read a file with the content; anything but a value or a DataError of one line
    fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"f{suffix}"
        path.write_bytes(content)
        try:
            reader(str(path))
        except DataError as error:
            assert str(error).isprintable()
            assert len(str(error)) < 5_000


names = st.sampled_from(
    [
        *(
            "id",
            "query",
            "question",
            "context",
            "contexts",
            "answers",
            "answer",
            "class",
            "intensity",
            "source_id",
        ),
        *(
            "original_query",
            "original_context",
            "original_grounding",
            "grounding",
            "signal_indices",
            "answer_generate",
        ),
        *(
            "evidence_correct",
            "evidence_cited",
            "answer_validate",
            "question_complexity",
            "reference_answer",
            "topic",
        ),
        *(
            "gold_answer",
            "source_sets",
            "clear",
            "category",
            "text",
            "data",
            "passage_mapping",
            "dimensions",
            "name",
        ),
        *(
            "input",
            "output",
            "instruction",
            "single",
            "multi",
            "example",
            "not_terms",
            "ok_lever",
            "perturbed_query",
        ),
    ]
)
words = st.text(max_size=6) | st.sampled_from(
    [
        "CLEAN",
        "LOW",
        "P-Ambiguity",
        "YES",
        "simple",
        "ANSWER-THE-QUESTION",
        "['a', 'b']",
        '["a"',
        "[[",
        "  ",
        "\ud800",
    ]
)
plain = st.none() | st.booleans() | st.integers() | st.floats() | words
json_like = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=12) | st.dictionaries(names | words, inner, max_size=8)
    ),
    max_leaves=12,
)
documents = json_like | st.lists(
    st.dictionaries(names, json_like, max_size=12), min_size=1, max_size=3
)


@settings(max_examples=60)
@given(
    st.sampled_from(EACH),
    st.binary(max_size=200) | st.text(max_size=100).map(lambda t: t.encode("utf-8")),
)
def test_any_bytes(at: tuple[Callable[[str], object], str], content: bytes) -> None:
    read(*at, content)


@settings(max_examples=150)
@given(st.sampled_from(EACH), documents)
def test_anything_like_json(
    at: tuple[Callable[[str], object], str], value: Any
) -> None:
    reader, suffix = at
    if suffix == ".jsonl":
        entries = value if isinstance(value, list) else [value]
        text = "\n".join(json.dumps(entry) for entry in entries)
    elif suffix == ".csv":
        entries = (
            [entry for entry in value if isinstance(entry, dict)]
            if isinstance(value, list)
            else []
        )
        head = list(entries[0]) if entries else ["query"]
        cells = [
            [json.dumps(entry.get(name)).replace('"', '""') for name in head]
            for entry in entries
        ]
        text = "\n".join(
            [
                ",".join(head),
                *(",".join(f'"{cell}"' for cell in line) for line in cells),
            ]
        )
    else:
        text = json.dumps(value)
    read(reader, suffix, text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("at", EACH)
def test_deep_huge_foreign_and_broken_content(
    at: tuple[Callable[[str], object], str],
) -> None:
    row = {"query": "q", "context": "c", "answers": ["a"], "intensity": "CLEAN"}
    parts = [
        DEEP,
        HUGE,
        SURROGATE,
        '{"a":' * 200_000,
        '{"input": 1, "input": 2}',
        "NaN",
        "1e999",
        "&a [*a]",
        "\x00",
    ]
    for part in parts:
        read(*at, part.encode())
        read(*at, b"[" + part.encode() + b"]")
        read(
            *at,
            json.dumps(
                row | {"answers": 0, "grounding": part[:9_999], "id": part[:9_999]}
            ).encode(),
        )
        read(*at, json.dumps(row).encode().replace(b'"q"', part.encode()))
    read(*at, "Maß".encode("latin-1"))
    read(*at, "a,b\n".encode("utf-16"))


@pytest.mark.parametrize(
    "cell",
    ["x" * 11_000_000, '"never closed', 'a" b"c'],
    ids=["longer than a cell may be", "a quote that is not closed", "quotes within"],
)
def test_a_csv_cell_that_cannot_be_read_names_its_row(
    tmp_path: Path, cell: str
) -> None:
    (tmp_path / "f.csv").write_text(f'query,context\nq,c\nq,"{cell}\n')
    with pytest.raises(DataError, match="f.csv, row 2: not valid CSV"):
        read_rows(tmp_path / "f.csv")


def test_a_column_or_key_that_is_there_twice_is_an_error_that_names_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "f.csv").write_text("query,context,query\na,b,c\n")
    with pytest.raises(DataError, match="f.csv: the column 'query' is there 2 times"):
        read_rows(tmp_path / "f.csv")
    table = pa.Table.from_arrays(
        [pa.array(["a"]), pa.array(["b"])], names=["query", "query"]
    )
    pq.write_table(table, tmp_path / "f.parquet")
    with pytest.raises(
        DataError, match="f.parquet: the column 'query' is there 2 times"
    ):
        read_rows(tmp_path / "f.parquet")
    (tmp_path / "f.jsonl").write_text('{"query": "a", "query": "b"}')
    with pytest.raises(
        DataError,
        match="f.jsonl, line 1: not valid JSON .the key 'query' is there twice",
    ):
        read_rows(tmp_path / "f.jsonl")
    with pytest.raises(
        DataError, match="p.yaml: not valid YAML .line 1: a key is there twice"
    ):
        yaml_value("m: 1\nm: 2\n", "p.yaml")


@pytest.mark.parametrize("field", ["query", "context", "answers"])
def test_half_of_a_surrogate_pair_names_row_and_field(
    tmp_path: Path, field: str
) -> None:
    row = {"query": "q", "context": "c", "answers": ["a"], "intensity": "CLEAN"} | {
        field: ["\ud83d"]
    }
    (tmp_path / "f.jsonl").write_text(json.dumps(row))
    with pytest.raises(
        DataError, match=f"f.jsonl, line 1, field '{field}': half of a surrogate pair"
    ):
        nq(str(tmp_path / "f.jsonl"))


def test_a_bluff_row_says_what_the_layout_is_and_needs_a_source() -> None:
    with pytest.raises(
        DataError, match="row 1, field 'topic': missing; add a column 'topic'"
    ):
        bluff_item.items_of([checked_row("f", "row 1", {"id": "1"})])
    row = {
        "id": "1",
        "topic": "t",
        "question": "q",
        "gold_answer": "a",
        "source_sets": {},
    }
    with pytest.raises(DataError, match="row 1, field 'source_sets': no sources"):
        bluff_item.items_of([checked_row("f", "row 1", row)])


@pytest.mark.parametrize(
    "name",
    ["", ".", "no\x00file", "x" * 5_000, "~nobody-of-that-name/f", "new\nline.jsonl"],
)
def test_any_name_of_a_file_that_is_none_is_one_line(name: str) -> None:
    for reader, _ in READERS:
        with pytest.raises(DataError) as caught:
            reader(name)
        assert str(caught.value).isprintable()
