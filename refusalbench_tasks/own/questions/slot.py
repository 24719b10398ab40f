"""Which chunks a run asks about: what solver and scorer read from a
sample's metadata.
"""

from collections.abc import Mapping, Sequence
from itertools import cycle, islice

from inspect_ai.dataset import Sample

from refusalbench_tasks.datasets.draw import Shard, grouped, rank, take_turns
from refusalbench_tasks.datasets.item import remembered
from refusalbench_tasks.generators.kit.maker import MakerSlot, shard_slots
from refusalbench_tasks.own.documents.corpus import Chunk
from refusalbench_tasks.replies.outside_text import beginning

from .chunk_text import heading_of
from .draft import OUTSIDE, QuestionKind

_SHOWN = 200


class ChunkSlot(MakerSlot):
    """A chunk to ask about, up to how many questions that it answers, and of which
    kinds such that nothing answers.
    """

    chunk: Chunk
    questions: int
    outside: tuple[QuestionKind, ...] = ()

    def to_sample(self, settings: Mapping[str, object] | None = None) -> Sample:
        """Return the Inspect sample: where the chunk stands as input, the chunk itself
        and the settings of its run as metadata.
        """
        parts = (
            f"{self.chunk.source}, from {self.chunk.start}",
            heading_of(self.chunk),
            beginning(self.chunk.text, _SHOWN),
        )
        return Sample(
            id=self.chunk.id,
            input=": ".join(filter(None, parts)),
            target="",
            metadata=self.model_dump(mode="json") | remembered(settings),
        )


def draw_chunks(chunks: Sequence[Chunk], n: int | None, seed: int) -> list[Chunk]:
    """Return a seeded draw of at most n chunks; None draws all.

    The documents take turns, so that a short run sees as many of them as it can. The
    draw depends on the ids and the seed, not on the order of the corpus.
    """
    documents = grouped(
        sorted(chunks, key=lambda chunk: rank(chunk.id, seed)),
        lambda chunk: chunk.doc_id,
    )
    names = sorted(documents, key=lambda name: rank(name, seed))
    return take_turns([documents[name] for name in names])[:n]


def plan_chunks(
    chunks: Sequence[Chunk],
    questions: int,
    outside: int,
    shard: Shard | None,
    seed: int,
) -> tuple[list[ChunkSlot], list[ChunkSlot]]:
    """Return a slot for each chunk of a plan, and those of the part that this process
    takes.

    The kinds of questions that nothing answers take turns over the whole plan. A
    document's chunks are spread over the parts. Errors as in `shard_entries`.
    """
    kinds = cycle(OUTSIDE)
    whole = []
    for chunk in chunks:
        whole.append(
            ChunkSlot(
                chunk=chunk,
                questions=questions,
                outside=tuple(islice(kinds, outside)),
            )
        )
    return whole, shard_slots(
        whole,
        shard,
        seed,
        lambda slot: slot.chunk.id,
        lambda slot: slot.chunk.doc_id,
    )
