"""The data of BLUFF-1000: where its questions come from, and which
of them a run uses.
"""

import logging
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Self, get_args

from pydantic import AfterValidator, BeforeValidator, model_validator

from refusalbench_tasks.arguments import Count, Names, Switch, names_of
from refusalbench_tasks.errors import DataError

from .bluff_item import PUBLISHED, Arm, BluffItem, items_of
from .draw import (
    fingerprint,
    grouped,
    rank,
    take_turns,
    warn_of_small,
)
from .quick import QUICK, tell_quick
from .remote import PinnedFile, fetch, git_blob
from .rows import (
    BUNDLED_LICENCE,
    Row,
    bundled_rows,
    read_rows,
)
from .worlds import WORLDS, RowArguments, worlds_rows

Provenance = dict[str, Any]

logger = logging.getLogger(__name__)

RELEASED = PinnedFile(
    "rzharzhavsky/Bluff-1000",
    "028a84b",
    "bluffrag_dataset.json",
    "01b763d74bb69c55a61f59991453247d2cbd7218",
)


def _in_order(arms: tuple[Arm, ...]) -> tuple[Arm, ...]:
    if not arms:
        raise ValueError(f"expected at least one of {', '.join(get_args(Arm))}")
    return tuple(arm for arm in get_args(Arm) if arm in arms)


class BluffSelection(RowArguments):
    """Which questions a run of `bluff` uses, with which sets of sources, and in which
    order.
    """

    topics: Names = ()
    per_topic: Count | None = None
    arms: Annotated[
        tuple[Arm, ...],
        BeforeValidator(names_of, json_schema_input_type=str),
        AfterValidator(_in_order),
    ] = PUBLISHED
    shuffle_sources: Switch = False

    @model_validator(mode="after")
    def _worlds_alone_have_domains(self) -> Self:
        if self.domains and self.data != WORLDS:
            raise DataError(
                f"domains: only data=worlds has domains, not data={self.data}; use"
                " topics"
            )
        return self


def load_bluff(
    data: str,
    arms: Sequence[Arm] = PUBLISHED,
    row_args: RowArguments | None = None,
) -> tuple[list[BluffItem], Provenance]:
    """Return the items of `hub`, `sample`, `worlds` (what `row_args` say) or a file in
    these arms, and their origin.

    Questions without one of the arms and sets of another composition are reported.
    Raises DataError for bad data.
    """
    rows, provenance = _rows(data, row_args or RowArguments())
    items = items_of(rows, arms)
    if "gold" in arms and not any(item.arm == "gold" for item in items):
        raise DataError(f"{data}: no row has a gold_passage, which arms=gold needs")
    arms_of = Counter(item.source_id for item in items if item.arm in PUBLISHED)
    single = []
    if set(PUBLISHED) <= set(arms):
        single = sorted(name for name, number in arms_of.items() if number == 1)
    unusual = [item.item_id for item in items if not item.as_intended]
    _warn(
        data,
        "questions have sources for one arm only",
        single,
    )
    _warn(
        data,
        "sets have another composition than intended",
        unusual,
    )
    return items, {
        **provenance,
        "rows": len(rows),
        "fingerprint": fingerprint(items),
        "questions_with_one_arm": single,
        "sets_not_as_intended": unusual,
    }


def _warn(
    data: str,
    problem: str,
    names: Sequence[str],
) -> None:
    if names:
        logger.warning(
            "%s: %d %s, e.g. %s",
            data,
            len(names),
            problem,
            names[0],
        )


def select_bluff(
    items: Sequence[BluffItem],
    selection: BluffSelection,
) -> list[BluffItem]:
    """Return the items of a run: the arms of a question together, the topics taking
    turns, in a seeded order.

    So a prefix of even length holds whole pairs. Raises DataError for an unknown topic,
    and if nothing is left.
    """
    by_topic = grouped(items, lambda item: item.topic)
    for topic in selection.topics:
        if topic not in by_topic:
            raise DataError(
                f"topics: unknown name '{topic}'; known: {', '.join(sorted(by_topic))}"
            )
    topics = list(dict.fromkeys(selection.topics)) or sorted(by_topic)
    drawn = []
    sizes = {}
    for topic in topics:
        questions = grouped(by_topic[topic], lambda item: item.question)
        names = sorted(questions, key=lambda name: rank(name, selection.seed))
        drawn.append([questions[name] for name in names[: selection.per_topic]])
        sizes[topic] = len(names)
    if selection.per_topic is not None:
        warn_of_small("per_topic", selection.per_topic, sizes)
    chosen = [item for question in take_turns(drawn) for item in question]
    if selection.quick and len(chosen) > QUICK:
        tell_quick(chosen[:QUICK], chosen, lambda item: item.arm)
        chosen = chosen[:QUICK]
    if not chosen:
        raise DataError("no questions are left after the filters; loosen the filters")
    if not selection.shuffle_sources:
        return chosen
    return [_shuffled(item, selection.seed) for item in chosen]


def _shuffled(item: BluffItem, seed: int) -> BluffItem:
    order = list(item.sources)
    # the sets of a design differ in one thing, and not in the order of the sources as
    # well
    random.Random(rank(item.question_id or item.item_id, seed)).shuffle(order)
    return item.model_copy(update={"sources": tuple(order)})


def _rows(
    data: str,
    row_args: RowArguments,
) -> tuple[list[Row], Provenance]:
    if data == WORLDS:
        return worlds_rows(row_args, "sources")
    if data == "hub":
        logger.warning(
            "%s states no licence: its data and sources are not ours to pass on",
            RELEASED.repo,
        )
        return read_rows(fetch(RELEASED)), {
            "data": data,
            "repo": RELEASED.repo,
            "revision": RELEASED.commit,
            "blob": RELEASED.blob,
            "licence": "none stated",
        }
    if data == "sample":
        provenance = {"data": data, "licence": BUNDLED_LICENCE}
        return bundled_rows("bluff_sample.json"), provenance
    rows = read_rows(data)
    # the blob tells the released file, wherever it lies
    return rows, {"data": data, "blob": git_blob(Path(data).expanduser().read_bytes())}
