"""Which chunks a run asks about: what solver and scorer read from a sample's metadata."""

from collections import defaultdict
from collections.abc import Sequence

from inspect_ai.dataset import Sample
from pydantic import BaseModel, ConfigDict

from refusalbench_tasks.datasets.shard import Shard, part_of
from refusalbench_tasks.datasets.turns import rank, take_turns
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.kinds import ASKED, Kind, planned_kinds
from refusalbench_tasks.own.questions.passage import heading_of

_SHOWN = 200


class ChunkSlot(BaseModel):
    """A chunk to ask about, up to how many questions, and of which kinds first.

    `only` says that other kinds are not wanted. `planned` is the number of chunks in the plan of its shard.
    `shard` counts from 1; 0 is a plan that is whole.
    """

    model_config = ConfigDict(frozen=True)

    chunk: Chunk
    questions: int
    kinds: tuple[Kind, ...]
    only: tuple[Kind, ...] = ()
    planned: int | None = None
    shard: int = 0

    @property
    def several(self) -> bool:
        """Whether a kind may come more than once, as there are fewer kinds than questions."""
        return self.questions > len(self.only or ASKED)

    def to_sample(self) -> Sample:
        """Return the Inspect sample: where the chunk stands as input, the chunk itself as metadata."""
        where = f"{self.chunk.source}, from {self.chunk.start}"
        begins = " ".join(self.chunk.text[:_SHOWN].split())
        return Sample(
            id=self.chunk.id,
            input=": ".join(part for part in (where, heading_of(self.chunk), begins) if part),
            target="",
            metadata=self.model_dump(mode="json"),
        )


def draw_chunks(chunks: Sequence[Chunk], n: int | None, per_document: int | None, seed: int) -> list[Chunk]:
    """Return a seeded draw of at most n chunks, of each document at most `per_document`; None draws all.

    The documents take turns, so that a short run sees as many of them as it can. The draw depends on the ids and the
    seed, not on the order of the corpus.
    """
    documents: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        documents[chunk.doc_id].append(chunk)
    groups = [
        sorted(documents[name], key=lambda chunk: rank(chunk.id, seed))[:per_document]
        for name in sorted(documents, key=lambda name: rank(name, seed))
    ]
    return take_turns(groups)[:n]


def plan_chunks(chunks: Sequence[Chunk], questions: int, kinds: Sequence[Kind] = ()) -> list[ChunkSlot]:
    """Return a slot for each chunk, with the kinds to be preferred taking turns; `kinds` are the only ones wanted."""
    wanted = tuple(kinds) or ASKED
    return [
        ChunkSlot(
            chunk=chunk,
            questions=questions,
            kinds=planned_kinds(position, questions, wanted),
            only=tuple(kinds),
            planned=len(chunks),
        )
        for position, chunk in enumerate(chunks)
    ]


def shard_chunks(plan: Sequence[ChunkSlot], shard: Shard | None, seed: int) -> list[ChunkSlot]:
    """Return the slots of one part of a plan; each knows how many its part holds.

    A document's chunks are spread over the parts. Kinds took turns over the whole plan, so the parts together are the
    plan. Errors as in `part_of`.
    """
    if shard is None:
        return list(plan)
    part = part_of(plan, shard, seed, lambda slot: slot.chunk.id, lambda slot: slot.chunk.doc_id)
    return [slot.model_copy(update={"planned": len(part), "shard": shard.shard}) for slot in part]
