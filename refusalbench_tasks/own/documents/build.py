"""A folder of documents to a corpus file, with bounded memory."""

import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from refusalbench_tasks.generators.kit.near import Folding
from refusalbench_tasks.generators.kit.search import MissingLibrary, missing
from refusalbench_tasks.own.documents.card import Card
from refusalbench_tasks.own.documents.chunk import Chunk, Twin
from refusalbench_tasks.own.documents.corpus import write_corpus
from refusalbench_tasks.own.documents.reading import Job, ReadDocument, read_document
from refusalbench_tasks.own.documents.split import Lengths
from refusalbench_tasks.own.documents.walk import LeftOut, documents_in
from refusalbench_tasks.own.documents.workers import LIBRARIES, Failed, each_apart
from refusalbench_tasks.safe_writing import write_whole


@dataclass(frozen=True)
class Settings:
    """How documents are read."""

    lengths: Lengths = field(default_factory=Lengths)
    licence: str = ""
    """Of documents that name none themselves."""
    most_bytes: int = 50_000_000
    seconds: float = 120.0
    """How long one document may take."""
    processes: int = 1


def build_corpus(folder: Path, output: Path, settings: Settings) -> Card:
    """Write the chunks of a folder's documents to a file, a card beside it (`.json`), and return the card.

    The result does not depend on the number of processes. Nothing is written if there is no chunk. Texts go through a
    temporary file; held in memory are a few documents and half a kilobyte or so for each chunk. Raises DataError.
    """
    settings.lengths.check()
    for name in LIBRARIES:
        if find_spec(name) is None:
            raise missing(name)
    sources, left_out = documents_in(folder, settings.most_bytes)
    card = Card(left_out=left_out)
    with tempfile.TemporaryFile() as file:
        store = _Store(file)
        jobs = [Job(folder, one, settings.lengths, settings.licence, settings.most_bytes) for one in sources]
        results = each_apart(read_document, jobs, settings.processes, settings.seconds)
        for source, result in zip(sources, results, strict=True):
            if isinstance(result, MissingLibrary):
                raise result
            _take(card, store, source, result)
        card.left_out.sort(key=lambda one: one.source.split("/"))
        if card.chunks:
            write_corpus(output, store.chunks())
            record = card.as_record() | {"words_of_a_passage": asdict(settings.lengths)}
            write_whole(output.with_suffix(".json"), json.dumps(record, ensure_ascii=False, indent=1) + "\n")
    return card


def _take(card: Card, store: "_Store", source: str, result: ReadDocument | Failed) -> None:
    if isinstance(result, Failed):
        card.left_out.append(LeftOut(source, result.reason))
        return
    card.documents += 1
    card.kinds[result.kind] += 1
    card.licences[result.licence or "unknown"] += 1
    card.pages += result.pages
    card.dropped.update(result.dropped)
    if result.note:
        card.notes.append(LeftOut(source, result.note))
    for chunk, known in result.chunks:
        if store.keep(chunk, known):
            card.chunks += 1
            card.words += chunk.words
        else:
            card.folded += 1


class _Store:
    """Kept chunks in a file, and what was folded into each."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._ends = [0]
        self._also: dict[int, list[Twin]] = defaultdict(list)
        self._folding = Folding(lambda place: self._at(place).text)

    def keep(self, chunk: Chunk, known: bytes) -> bool:
        """Keep a chunk and return True, or fold it into the one that it repeats."""
        place = len(self._ends) - 1
        original = self._folding.original(place, chunk.text, known)
        if original is not None:
            self._also[original].append(Twin(id=chunk.id, source=chunk.source))
            return False
        self._file.seek(self._ends[-1])
        self._ends.append(self._ends[-1] + self._file.write(chunk.model_dump_json().encode()))
        return True

    def chunks(self) -> Iterator[Chunk]:
        """Yield the kept chunks with their near duplicates, in order."""
        for place in range(len(self._ends) - 1):
            yield self._at(place).model_copy(update={"also": tuple(self._also.get(place, ()))})

    def _at(self, place: int) -> Chunk:
        self._file.seek(self._ends[place])
        return Chunk.model_validate_json(self._file.read(self._ends[place + 1] - self._ends[place]))
