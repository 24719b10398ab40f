"""A corpus: passages of documents with the places where they stand, one a line of a
file.
"""

from collections.abc import Iterable
from importlib import resources
from pathlib import Path

from pydantic import BaseModel, Field, model_validator

from refusalbench_tasks.corpus.words import word_count
from refusalbench_tasks.datasets.fields import validated
from refusalbench_tasks.datasets.rows import Row, entries_by, read_rows
from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.generators.kit.calls import text_digest
from refusalbench_tasks.safe_writing import write_rows

SAMPLE = "sample"
_INSTEAD = "make one with: refusalbench documents FOLDER -o corpus.jsonl"


class Chunk(BaseModel, frozen=True, extra="forbid"):
    """A passage of a document; one line of a corpus file."""

    id: str = Field(min_length=1)
    """Depends on the document's path and the passage's text alone."""
    doc_id: str = Field(min_length=1)
    """Depends on the document's path alone."""
    source: str = Field(min_length=1)
    """The document's path relative to its folder, with `/`."""
    title: str = ""
    headings: tuple[str, ...] = ()
    """The headings that the passage stands under, outermost first.

    They are not in its text.
    """
    page: int | None = Field(default=None, ge=1)
    """The page on which it begins, where the format has pages."""
    start: int = Field(ge=0)
    end: int
    """Offsets in the text that was taken from the document: `text` is
    `document_text[start:end]`.
    """
    text: str = Field(min_length=1)
    licence: str = ""
    """Empty if unknown."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """Of the document's bytes."""

    @model_validator(mode="after")
    def _offsets_span_the_text(self) -> "Chunk":
        if self.end - self.start != len(self.text):
            raise ValueError(
                f"start and end span {self.end - self.start} characters, text has"
                f" {len(self.text)}"
            )
        return self

    @property
    def words(self) -> int:
        """Return the number of words."""
        return word_count(self.text)


def document_id(source: str) -> str:
    """Return the id of the document at a path."""
    return f"doc-{text_digest(source)}"


def chunk_id(source: str, text: str, occurrence: int = 0) -> str:
    """Return the id of a passage; `occurrence` counts, from 0, the passages of one
    document with this very text.
    """
    repeated = [str(occurrence)] if occurrence else []
    return f"chunk-{text_digest(source, text, *repeated)}"


def load_corpus(name: str) -> tuple[Chunk, ...]:
    """Return the chunks of a corpus file; of `sample` twelve bundled ones, of four
    documents of an invented company.

    Raises DataError for what is no corpus.
    """
    if name == SAMPLE and not Path(name).exists():
        folder = resources.files("refusalbench_tasks.own.documents") / "data"
        name = str(folder / "sample.jsonl")
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
