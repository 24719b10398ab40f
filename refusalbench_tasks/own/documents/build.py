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
from refusalbench_tasks.libraries import missing
from refusalbench_tasks.replies.outside_text import beginning, one_line
from refusalbench_tasks.safe_writing import write_whole

from .corpus import Chunk, chunk_id, document_id, write_corpus
from .extracted import Unusable
from .folder import LeftOut, documents_in
from .formats import KINDS, document_of
from .passages import DocumentSettings, passages
from .workers import LIBRARIES, each_apart

MOST_BYTES = 50_000_000
"""How long one document may be."""
SECONDS = 120.0
"""How long one document may take."""
_SHOWN = 60


@dataclass
class CorpusCard:
    """The numbers of a corpus, and by name whatever is not in it."""

    documents: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    """Documents per licence; `unknown` where neither the document nor the caller named
    one.
    """
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

    chunks: list[Chunk]
    dropped: list[LeftOut]
    note: str


def build_corpus(folder: Path, output: Path, settings: DocumentSettings) -> CorpusCard:
    """Write the chunks of a folder's documents to a file, a card beside it (`.json`),
    and return the card.

    Nothing is written if there is no chunk. Raises DataError.
    """
    settings.check()
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
            key = word_key(" ".join((chunk.title, *chunk.headings, chunk.text)))
            first = kept.setdefault(key, chunk)
            if first is not chunk:
                repeats = f"repeats {first.source}"
                card.dropped.append(
                    LeftOut(source, repeats, beginning(chunk.text, _SHOWN))
                )
    card.left_out.sort(key=lambda left_out: left_out.source.split("/"))
    card.chunks = len(kept)
    card.words = sum(chunk.words for chunk in kept.values())
    if kept:
        write_corpus(output, kept.values())
        words = asdict(settings)
        del words["licence"]
        facts = {**vars(card), "words_of_a_passage": words}
        text = json.dumps(
            facts,
            ensure_ascii=False,
            indent=1,
            default=asdict,
        )
        write_whole(output.with_suffix(".json"), text + "\n")
    return card


def read_document(
    folder: Path, settings: DocumentSettings, source: str
) -> ReadDocument:
    """Return the chunks of a document. Raises Unusable if there are none."""
    path = folder / source
    content = path.read_bytes()
    document = document_of(content, path.suffix)
    seen = Counter[str]()
    chunks = []
    dropped = []
    for span in passages(document, settings):
        text = document.text[span.start : span.end]
        if span.dropped:
            dropped.append(LeftOut(source, span.dropped, beginning(text, _SHOWN)))
            continue
        chunks.append(
            Chunk(
                id=chunk_id(source, text, seen[text]),
                doc_id=document_id(source),
                source=source,
                # the name of a file is outside text too: a line break in it must not
                # reach a prompt
                title=document.title or one_line(path.stem),
                headings=span.headings,
                page=document.page_at(span.start),
                start=span.start,
                end=span.end,
                text=text,
                licence=document.licence or settings.licence.strip(),
                sha256=hashlib.sha256(content).hexdigest(),
            )
        )
        seen[text] += 1
    if not chunks:
        reasons = sorted({passage.reason for passage in dropped})
        raise Unusable(
            f"no passage ({', '.join(reasons)})" if reasons else "empty: no text"
        )
    return ReadDocument(chunks, dropped, document.note)


def _noted(
    card: CorpusCard, source: str, result: ReadDocument | Unusable
) -> Iterator[Chunk]:
    """Put a document on the card, and yield its chunks."""
    if isinstance(result, Unusable):
        card.left_out.append(LeftOut(source, str(result)))
        return
    card.documents += 1
    card.kinds[KINDS[Path(source).suffix.lower()]] += 1
    card.licences[result.chunks[0].licence or "unknown"] += 1
    card.dropped += result.dropped
    if result.note:
        card.notes.append(LeftOut(source, result.note))
    yield from result.chunks
