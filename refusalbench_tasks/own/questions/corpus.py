"""The chunks that questions are asked about: a corpus file, or the sample that is bundled."""

from importlib import resources
from pathlib import Path

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.documents.corpus import read_corpus

SAMPLE = "sample"


def load_corpus(name: str) -> tuple[Chunk, ...]:
    """Return the chunks of a corpus file; of `sample` twelve bundled ones, of four documents of an invented company.

    Raises DataError for what is no corpus.
    """
    if name == SAMPLE and not Path(name).exists():
        with resources.as_file(resources.files("refusalbench_tasks.own.questions") / "data" / "sample.jsonl") as path:
            return read_corpus(path)
    try:
        return read_corpus(name)
    except DataError as error:
        raise DataError(f"{error}; '{SAMPLE}' is a small bundled one") from None
