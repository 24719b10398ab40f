"""One document read to its chunks: the work of one process."""

import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.generators.kit.near import Signature, signature
from refusalbench_tasks.generators.kit.search import MissingLibrary
from refusalbench_tasks.own.documents.chunk import Chunk, chunk_id, document_id
from refusalbench_tasks.own.documents.extracted import Extracted, Unusable, one_line
from refusalbench_tasks.own.documents.kinds import KINDS, document_of
from refusalbench_tasks.own.documents.split import Lengths, passages
from refusalbench_tasks.own.documents.workers import Failed

MOST_CHARACTERS = 100_000_000
"""How long the text of one document may be."""


@dataclass(frozen=True)
class Job:
    """A document to read: its folder, its path in it, and how."""

    folder: Path
    source: str
    lengths: Lengths
    licence: str
    most_bytes: int


@dataclass(frozen=True)
class ReadDocument:
    """What one document gave."""

    kind: str
    pages: int
    chunks: tuple[tuple[Chunk, Signature], ...]
    dropped: dict[str, int]
    licence: str
    note: str


def read_document(job: Job) -> ReadDocument | Failed | MissingLibrary:
    """Return the chunks of a document, or why there are none; a missing library is no fault of the document."""
    path = job.folder / job.source
    try:
        with path.open("rb") as file:
            content = file.read(job.most_bytes + 1)
        if len(content) > job.most_bytes:
            raise Unusable(f"huge: more than {job.most_bytes:,} bytes")
        document = document_of(content, path.suffix)
        if len(document.text) > MOST_CHARACTERS:
            raise Unusable(f"huge: {len(document.text):,} characters of text")
        return _read(job, document, hashlib.sha256(content).hexdigest())
    except Unusable as error:
        return Failed(str(error))
    except MissingLibrary as error:
        return error
    except OSError as error:
        return Failed(f"cannot be read ({error.strerror or error})")


def _read(job: Job, document: Extracted, sha256: str) -> ReadDocument:
    kept, dropped = passages(document, job.lengths)
    if not kept:
        if not document.text[document.body :].strip():
            raise Unusable("empty: no text")
        reasons = ", ".join(f"{number} {reason}" for reason, number in sorted(dropped.items()))
        raise Unusable(f"no passage of {job.lengths.shortest} words or more ({reasons or 'headings alone'})")
    seen: Counter[str] = Counter()
    chunks = []
    for passage in kept:
        text = document.text[passage.start : passage.end]
        chunk = Chunk(
            id=chunk_id(job.source, text, seen[text]),
            doc_id=document_id(job.source),
            source=job.source,
            # the name of a file is outside text too: a line break in it must not reach a prompt
            title=document.title or one_line(Path(job.source).stem),
            headings=passage.headings,
            page=document.page_at(passage.start),
            start=passage.start,
            end=passage.end,
            text=text,
            licence=document.licence or job.licence,
            sha256=sha256,
        )
        seen[text] += 1
        chunks.append((chunk, signature(text)))
    return ReadDocument(
        kind=KINDS[Path(job.source).suffix.lower()],
        pages=len(document.page_starts),
        chunks=tuple(chunks),
        dropped=dict(dropped),
        licence=document.licence or job.licence,
        note=document.note,
    )
