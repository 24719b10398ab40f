"""A folder of documents to a corpus file and its card."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from refusalbench_tasks.generators.kit.answers import word_key
from refusalbench_tasks.generators.kit.search import MissingLibrary, missing
from refusalbench_tasks.own.documents.chunk import Chunk, chunk_id, document_id
from refusalbench_tasks.own.documents.corpus import write_corpus
from refusalbench_tasks.own.documents.extracted import Extracted, Unusable
from refusalbench_tasks.own.documents.folder import LeftOut, documents_in
from refusalbench_tasks.own.documents.formats import KINDS, document_of
from refusalbench_tasks.own.documents.passages import Lengths, passages
from refusalbench_tasks.own.documents.workers import LIBRARIES, Failed, each_apart
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.safe_writing import write_whole

MOST_BYTES = 50_000_000
MOST_CHARACTERS = 100_000_000
"""How long one document and its text may be."""
SECONDS = 120.0
"""How long one document may take."""
_SHOWN = 60


@dataclass(frozen=True)
class DocumentSettings:
    """How documents are read."""

    lengths: Lengths = field(default_factory=Lengths)
    licence: str = ""
    """Of documents that name none themselves."""


@dataclass
class CorpusCard:
    """The numbers of a corpus, and by name whatever is not in it."""

    documents: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    """Documents per licence; `unknown` where neither the document nor the caller named
    one.
    """
    pages: int = 0
    """Of the formats that have pages."""
    chunks: int = 0
    words: int = 0
    left_out: list[LeftOut] = field(default_factory=list)
    dropped: list[LeftOut] = field(default_factory=list)
    """Passages of used documents without a sentence, or the same as another one."""
    notes: list[LeftOut] = field(default_factory=list)
    """Documents that were used, with what a reader should know of them."""


@dataclass(frozen=True)
class ReadDocument:
    """What one document gave."""

    kind: str
    pages: int
    chunks: tuple[Chunk, ...]
    dropped: tuple[LeftOut, ...]
    licence: str
    note: str


def build_corpus(folder: Path, output: Path, settings: DocumentSettings) -> CorpusCard:
    """Write the chunks of a folder's documents to a file, a card beside it (`.json`),
    and return the card.

    Nothing is written if there is no chunk. Raises DataError.
    """
    settings.lengths.check()
    for name in LIBRARIES:
        if find_spec(name) is None:
            raise missing(name)
    sources, left_out = documents_in(folder, MOST_BYTES)
    card = CorpusCard(left_out=left_out)
    kept = dict[str, Chunk]()
    results = each_apart(partial(read_document, folder, settings), sources, SECONDS)
    for source, result in zip(sources, results, strict=True):
        for chunk in _noted(card, source, result):
            # under other headings the same words say something else
            first = kept.setdefault(
                word_key(" ".join((chunk.title, *chunk.headings, chunk.text))), chunk
            )
            if first is not chunk:
                card.dropped.append(
                    LeftOut(
                        chunk.source, f"repeats {first.source}", _beginning(chunk.text)
                    )
                )
    card.left_out.sort(key=lambda left_out: left_out.source.split("/"))
    card.chunks, card.words = len(kept), sum(chunk.words for chunk in kept.values())
    if kept:
        write_corpus(output, kept.values())
        record = dict(vars(card))
        for name, value in vars(card).items():
            if isinstance(value, list):
                record[name] = [asdict(left_out) for left_out in value]
        record["words_of_a_passage"] = asdict(settings.lengths)
        write_whole(
            output.with_suffix(".json"),
            json.dumps(record, ensure_ascii=False, indent=1) + "\n",
        )
    return card


def read_document(
    folder: Path, settings: DocumentSettings, source: str
) -> ReadDocument | Failed | MissingLibrary:
    """Return the chunks of a document, or why there are none; a missing library is no
    fault of the document.
    """
    path = folder / source
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise Unusable(f"huge: more than {MOST_BYTES:,} bytes")
        document = document_of(content, path.suffix)
        if len(document.text) > MOST_CHARACTERS:
            raise Unusable(f"huge: {len(document.text):,} characters of text")
        return _read(source, settings, document, hashlib.sha256(content).hexdigest())
    except Unusable as error:
        return Failed(str(error))
    except MissingLibrary as error:
        return error
    except OSError as error:
        return Failed(f"cannot be read ({error.strerror or error})")


def _read(
    source: str, settings: DocumentSettings, document: Extracted, sha256: str
) -> ReadDocument:
    spans = passages(document, settings.lengths)
    if all(span.dropped for span in spans):
        reasons = sorted({span.dropped for span in spans})
        raise Unusable(
            f"no passage ({', '.join(reasons)})" if reasons else "empty: no text"
        )
    licence = document.licence or settings.licence
    seen = Counter[str]()
    chunks = []
    for passage in spans:
        if passage.dropped:
            continue
        text = document.text[passage.start : passage.end]
        chunk = Chunk(
            id=chunk_id(source, text, seen[text]),
            doc_id=document_id(source),
            source=source,
            # the name of a file is outside text too: a line break in it must not reach
            # a prompt
            title=document.title or one_line(Path(source).stem),
            headings=passage.headings,
            page=document.page_at(passage.start),
            start=passage.start,
            end=passage.end,
            text=text,
            licence=licence,
            sha256=sha256,
        )
        seen[text] += 1
        chunks.append(chunk)
    dropped = tuple(
        LeftOut(source, span.dropped, _beginning(document.text[span.start : span.end]))
        for span in spans
        if span.dropped
    )
    kind = KINDS[Path(source).suffix.lower()]
    return ReadDocument(
        kind, len(document.page_starts), tuple(chunks), dropped, licence, document.note
    )


def _noted(
    card: CorpusCard, source: str, result: ReadDocument | Failed | MissingLibrary
) -> Iterator[Chunk]:
    """Put a document on the card, and yield its chunks."""
    if isinstance(result, MissingLibrary):
        raise result
    if isinstance(result, Failed):
        card.left_out.append(LeftOut(source, result.reason))
        return
    card.documents += 1
    card.kinds[result.kind] += 1
    card.licences[result.licence or "unknown"] += 1
    card.pages += result.pages
    card.dropped += result.dropped
    if result.note:
        card.notes.append(LeftOut(source, result.note))
    yield from result.chunks


def _beginning(text: str) -> str:
    return " ".join(text[: 4 * _SHOWN].split())[:_SHOWN]
