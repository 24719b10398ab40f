"""Corpus files: one chunk a line."""

from collections.abc import Iterable
from importlib import resources
from pathlib import Path

from refusalbench_tasks.datasets.fields import validated
from refusalbench_tasks.datasets.rows import Row, entries_by, read_rows
from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.safe_writing import write_rows

SAMPLE = "sample"
_INSTEAD = "make one with: refusalbench documents FOLDER -o corpus.jsonl"


def load_corpus(name: str) -> tuple[Chunk, ...]:
    """Return the chunks of a corpus file; of `sample` twelve bundled ones, of four
    documents of an invented company.

    Raises DataError for what is no corpus.
    """
    if name == SAMPLE and not Path(name).exists():
        with resources.as_file(
            resources.files("refusalbench_tasks.own.documents")
            / "data"
            / "sample.jsonl"
        ) as path:
            return read_corpus(path)
    return read_corpus(name)


def read_corpus(path: str | Path) -> tuple[Chunk, ...]:
    """Return the chunks of a corpus file, in its order.

    Raises DataError that names file, line and field for a file that is missing, empty,
    or no corpus, and for an id that is there twice.
    """
    rows = read_rows(path, "corpus", f"{_INSTEAD}, or give")
    return tuple(entries_by(_chunk, rows, lambda chunk: chunk.id))


def write_corpus(path: Path, chunks: Iterable[Chunk]) -> None:
    """Write chunks as JSON lines, whole or not at all; they are taken one by one.

    Raises DataError.
    """
    if path.suffix.lower() != ".jsonl":
        raise DataError(f"{path}: a corpus is a .jsonl file")
    write_rows(path, (chunk.model_dump(mode="json") for chunk in chunks))


def _chunk(row: Row) -> Chunk:
    try:
        return validated(Chunk, row)
    except RowError as error:
        raise DataError(f"{error}; {_INSTEAD}") from None
