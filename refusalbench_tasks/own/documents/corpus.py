"""Corpus files: one chunk a line."""

from collections.abc import Iterable
from importlib import resources
from pathlib import Path

from pydantic import ValidationError

from refusalbench_tasks.bounded_reading import file_at, json_value, lone_surrogate, not_utf8
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.safe_writing import write_rows

SAMPLE = "sample"
_INSTEAD = "make one with: refusalbench documents FOLDER -o corpus.jsonl"


def load_corpus(name: str) -> tuple[Chunk, ...]:
    """Return the chunks of a corpus file; of `sample` twelve bundled ones, of four documents of an invented company.

    Raises DataError for what is no corpus.
    """
    if name == SAMPLE and not Path(name).exists():
        with resources.as_file(resources.files("refusalbench_tasks.own.documents") / "data" / "sample.jsonl") as path:
            return read_corpus(path)
    try:
        return read_corpus(name)
    except DataError as error:
        raise DataError(f"{error}; '{SAMPLE}' is a small bundled one") from None


def read_corpus(path: str | Path) -> tuple[Chunk, ...]:
    """Return the chunks of a corpus file, in its order.

    Raises DataError that names file, line and field for a file that is missing, empty, or no corpus, and for an id
    that is there twice.
    """
    file = file_at(path, "corpus", _INSTEAD)
    chunks: list[Chunk] = []
    places: dict[str, int] = {}
    try:
        with file.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    chunk = _chunk(line, f"{file.name}, line {number}")
                    if chunk.id in places:
                        raise DataError(f"{file.name}, line {number}: '{chunk.id}' is also at line {places[chunk.id]}")
                    places[chunk.id] = number
                    chunks.append(chunk)
    except UnicodeDecodeError as error:
        raise not_utf8(str(file), error) from None
    except OSError as error:
        raise DataError(f"{file}: cannot be read ({error.strerror})") from None
    if not chunks:
        raise DataError(f"{file}: the corpus has no chunks; {_INSTEAD}")
    return tuple(chunks)


def write_corpus(path: Path, chunks: Iterable[Chunk]) -> None:
    """Write chunks as JSON lines, whole or not at all; they are taken one by one. Raises DataError."""
    if path.suffix.lower() != ".jsonl":
        raise DataError(f"{path}: a corpus is a .jsonl file")
    write_rows(path, (chunk.model_dump(mode="json") for chunk in chunks))


def _chunk(line: str, place: str) -> Chunk:
    source, _, where = place.rpartition(", ")
    value = json_value(line, source, where)
    if lone_surrogate(value):
        raise DataError(f"{place}: half of a surrogate pair (U+D800 to U+DFFF); repair the text")
    try:
        return Chunk.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        named = f", field '{field}'" if field else ""
        raise DataError(f"{place}{named}: {first['msg']}; {_INSTEAD}") from None
