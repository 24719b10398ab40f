"""Which records a run collects, of which topics: what solver and scorer read from a
sample's metadata.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from inspect_ai.dataset import Sample
from pydantic import AfterValidator, BaseModel, Field

from refusalbench_tasks.bounded_reading import (
    data_yaml,
    file_at,
    in_layout,
    read_text,
    yaml_value,
)
from refusalbench_tasks.datasets.draw import rank, take_turns
from refusalbench_tasks.datasets.item import remembered


class PlannedRecord(BaseModel, frozen=True):
    """A record to be made: its id as released (`topic_001`), its topic, and the field
    of it.

    `place` (from 0) is its place among the `of` records of its field. `planned` is the
    number of records in the whole plan.
    """

    id: str
    topic: str
    field: str
    place: int = 0
    of: int = 1
    planned: int = 1

    def to_sample(self, settings: Mapping[str, object] | None = None) -> Sample:
        """Return the Inspect sample: topic and field as input, the plan and the
        settings of its run as metadata.
        """
        return Sample(
            id=self.id,
            input=f"{self.topic}: {self.field} ({self.place + 1} of {self.of})",
            target="",
            metadata=self.model_dump(mode="json") | remembered(settings),
        )


def plan_records(
    topics: Mapping[str, Sequence[str]],
    n: int,
    seed: int,
) -> list[PlannedRecord]:
    """Return n planned records: topics take turns, and within a topic its fields do,
    both in an order by seed.

    So no two topics, and no two fields of a topic, differ by more than one record.
    """
    names = sorted(topics, key=lambda name: rank(name, seed))
    plans = []
    for position, topic in enumerate(names):
        share = n // len(names) + (position < n % len(names))
        ranks = {field: rank(f"{topic}|{field}", seed) for field in topics[topic]}
        fields = sorted(ranks, key=ranks.__getitem__)
        plans.append(
            _of_topic(
                topic,
                fields,
                share,
                n,
            )
        )
    return take_turns(plans)


def _of_topic(
    topic: str,
    fields: Sequence[str],
    number: int,
    planned: int,
) -> list[PlannedRecord]:
    rounds, left = divmod(number, len(fields))
    records = []
    for k in range(number):
        place, at = divmod(k, len(fields))
        records.append(
            PlannedRecord(
                id=f"{topic}_{k + 1:03d}",
                topic=topic,
                field=fields[at],
                place=place,
                of=rounds + (at < left),
                planned=planned,
            )
        )
    return records


def _each_once(texts: tuple[str, ...]) -> tuple[str, ...]:
    plain = tuple(" ".join(text.split()) for text in texts)
    if not all(plain) or len(set(plain)) < len(plain):
        raise ValueError("expected texts, each once; quote what YAML reads otherwise")
    return plain


_Texts = Annotated[tuple[str, ...], Field(min_length=1), AfterValidator(_each_once)]
_Name = Annotated[str, Field(pattern=r"^[\w-]+$")]


class Topics(BaseModel):
    """Fields by topic, whose name is a part of ids; and what is added to queries to
    find sources of a kind.

    Suffixes that are left out are the bundled ones.
    """

    topics: Annotated[dict[_Name, _Texts], Field(min_length=1)]
    suffixes: dict[Literal["reliable", "unreliable"], tuple[str, ...]] | None = None


def load_topics(path: str | None = None) -> Topics:
    """Return the topics of a YAML file, the bundled ones without a path.

    Raises DataError, naming the field.
    """
    ours = Topics.model_validate(data_yaml("collect", "topics.yaml"))
    if path is None:
        return ours
    value = yaml_value(read_text(file_at(path, "topics"), path), path)
    topics = in_layout(Topics, value, f"topics: {path}")
    if topics.suffixes is None:
        return topics.model_copy(update={"suffixes": ours.suffixes})
    return topics
