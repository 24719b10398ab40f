"""Which records a run collects: what solver and scorer read from a sample's metadata."""

from collections.abc import Mapping, Sequence

from inspect_ai.dataset import Sample
from pydantic import BaseModel, ConfigDict

from refusalbench_tasks.datasets.turns import rank, take_turns


class PlannedRecord(BaseModel):
    """A record to be made: its id as released (`topic_001`), its topic, and the field of it.

    `place` (from 0) is its place among the `of` records of its field, which share one list of queries. Where sources
    are written, `place` is the row of the made world. `planned` is the number of records in the whole plan.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    topic: str
    field: str = ""
    place: int = 0
    of: int = 1
    planned: int = 1

    def to_sample(self) -> Sample:
        """Return the Inspect sample: topic and field as input, the plan as metadata."""
        input = f"{self.topic}: {self.field or 'an invented fact'} ({self.place + 1} of {self.of})"
        return Sample(id=self.id, input=input, target="", metadata=self.model_dump(mode="json"))


def plan_records(topics: Mapping[str, Sequence[str]], n: int, seed: int = 0) -> list[PlannedRecord]:
    """Return n planned records: topics take turns, and within a topic its fields do, both in an order by seed.

    So no two topics, and no two fields of a topic, differ by more than one record.
    """
    names = sorted(topics, key=lambda name: rank(name, seed))
    share = {name: n // len(names) + (place < n % len(names)) for place, name in enumerate(names)}
    return take_turns([_of_topic(name, topics[name], share[name], n, seed) for name in names])


def _of_topic(topic: str, fields: Sequence[str], number: int, planned: int, seed: int) -> list[PlannedRecord]:
    order = sorted(fields, key=lambda field: rank(f"{topic}|{field}", seed))
    return [
        PlannedRecord(
            id=f"{topic}_{k + 1:03d}",
            topic=topic,
            field=order[k % len(order)],
            place=k // len(order),
            of=number // len(order) + (k % len(order) < number % len(order)),
            planned=planned,
        )
        for k in range(number)
    ]
