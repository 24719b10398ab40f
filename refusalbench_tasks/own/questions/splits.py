"""A split by document: what one part asks about is answered by no document of the other."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from refusalbench_tasks.datasets.turns import rank
from refusalbench_tasks.own.documents.chunk import Chunk, document_id
from refusalbench_tasks.own.questions.question_logs import Accepted

TRAIN, DEV = "train", "dev"


def splits_of(items: Sequence[Accepted], dev: float, seed: int) -> dict[str, str]:
    """Return the part of each question by its id: `dev` for about this share of them, else `train`.

    Documents stay whole, and those that answer one question together (near duplicates that were folded, passages with
    the same answer) stay in one part. `dev` is never larger than its share: in few documents it may be empty.
    """
    groups = _groups([answering_documents(item) for item in items])
    sizes: dict[str, list[str]] = defaultdict(list)
    for item in items:
        sizes[groups[item.chunk.doc_id]].append(item.question.id)
    room, parts = round(dev * len(items)), {item.question.id: TRAIN for item in items}
    for name in sorted(sizes, key=lambda group: rank(group, seed)):
        if len(sizes[name]) <= room:
            room -= len(sizes[name])
            parts |= dict.fromkeys(sizes[name], DEV)
    return parts


def answering_documents(item: Accepted) -> frozenset[str]:
    """Return the ids of the documents that answer a question, as far as that is known; its own among them."""
    chunks = [item.chunk]
    if item.shown is not None:
        chunks += [item.shown.chunks[position] for position in item.shown.signal]
    return frozenset(name for chunk in chunks for name in _documents(chunk))


def strangers(items: Sequence[Accepted], parts: Mapping[str, str]) -> int:
    """Return how many questions show a passage of a document that another part asks about."""
    part_of = {item.chunk.doc_id: parts[item.question.id] for item in items}
    return sum(
        item.shown is not None
        and any(
            part_of.get(one.doc_id, parts[item.question.id]) != parts[item.question.id] for one in item.shown.chunks
        )
        for item in items
    )


def _documents(chunk: Chunk) -> tuple[str, ...]:
    return (chunk.doc_id, *(document_id(twin.source) for twin in chunk.also))


def _groups(sets: Sequence[frozenset[str]]) -> dict[str, str]:
    """Return for each name the least name that it is joined with by overlapping sets."""
    parent = {name: name for names in sets for name in names}

    def root(name: str) -> str:
        while parent[name] != name:
            name = parent[name]
        return name

    for names in sets:
        roots = {root(name) for name in names}
        least = min(roots)
        for name in roots:
            parent[name] = least
    return {name: root(name) for name in parent}
