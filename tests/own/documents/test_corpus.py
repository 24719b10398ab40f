import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.documents.corpus import (
    Chunk,
    chunk_id,
    document_id,
    read_corpus,
    write_corpus,
)


def chunk(
    text: str = "The mill was built in 1820.",
    source: str = "a/mill.md",
    **fields: object,
) -> Chunk:
    values: dict[str, object] = {
        "id": chunk_id(source, text),
        "doc_id": document_id(source),
        "source": source,
        "start": 3,
        "end": 3 + len(text),
        "text": text,
        "sha256": "0" * 64,
    }
    return Chunk.model_validate(values | fields)


def test_a_corpus_reads_back_as_it_was_written(tmp_path: Path) -> None:
    chunks = (
        chunk(headings=("Mills", "History"), page=2, licence="CC0-1.0"),
        chunk("水車は古い。"),
    )
    write_corpus(tmp_path / "corpus.jsonl", iter(chunks))
    assert read_corpus(tmp_path / "corpus.jsonl") == chunks


def test_offsets_must_span_the_text() -> None:
    with pytest.raises(ValidationError, match="span 5 characters, text has 27"):
        chunk(end=8)


@pytest.mark.parametrize(
    "line, named",
    [
        ('{"id": "x"}', "line 2, field 'doc_id'"),
        ("SAME", "line 2, field 'id': 'chunk-1' is also at line 1"),
        ("PAGE", "line 2, field 'page'"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, named: str) -> None:
    good = chunk(id="chunk-1").model_dump(mode="json")
    made = {
        "SAME": json.dumps(good),
        "PAGE": json.dumps(good | {"id": "chunk-2", "page": 0}),
    }
    (tmp_path / "corpus.jsonl").write_text(
        f"{json.dumps(good)}\n{made.get(line, line)}\n"
    )
    with pytest.raises(DataError) as error:
        read_corpus(tmp_path / "corpus.jsonl")
    assert named in error.value.message


def test_an_empty_or_missing_corpus_is_named_and_says_how_to_make_one(
    tmp_path: Path,
) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(DataError, match="empty.jsonl: the file has no rows"):
        read_corpus(tmp_path / "empty.jsonl")
    with pytest.raises(DataError, match="refusalbench documents FOLDER"):
        read_corpus(tmp_path / "none.jsonl")


def test_a_corpus_is_written_to_jsonl_alone(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"\.jsonl"):
        write_corpus(tmp_path / "corpus.parquet", [chunk()])
    assert not list(tmp_path.iterdir())
