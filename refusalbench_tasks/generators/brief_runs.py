"""Generation runs read as briefs: what tables count of their candidates, without a text."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from inspect_ai.log import EvalLog

from refusalbench_tasks.generators.brief import Brief, Briefs
from refusalbench_tasks.generators.generation_logs import Generated, candidate_in, check_found
from refusalbench_tasks.generators.kit.chosen_logs import Chosen
from refusalbench_tasks.generators.kit.log_samples import Unreadable
from refusalbench_tasks.generators.kit.run_logs import FoundRuns, Read, found_runs, read_noted
from refusalbench_tasks.generators.known_bases import KnownBases

Given = TypeVar("Given")
Done = TypeVar("Done")
Numbered = tuple[int, EvalLog]
Part = tuple[tuple[Brief, ...], int]
"""The candidates of a run, and how many slots it took up."""


@dataclass(frozen=True)
class BriefRun:
    """A generation log: its header, its candidates (every attempt at every slot), and how many slots it took up."""

    header: EvalLog
    items: tuple[Brief, ...]
    slots: int


class Each(Protocol):
    """How the work on many things is done: `logs.parallel.each_of`, or one after another."""

    def __call__(
        self, function: Callable[[Given, Numbered], Done], given: Given, items: list[Numbered], what: str,
        worth_it: bool, /,
    ) -> list[Done]:  # fmt: skip
        """Return the function's value for what is given and each item."""


def one_by_one(
    function: Callable[[Given, Numbered], Done], given: Given, items: list[Numbered], what: str, worth_it: bool
) -> list[Done]:
    """Return the function's value for what is given and each item, in this process."""
    return [function(given, item) for item in items]


def runs_of(chosen: Chosen, parts: Iterable[Read[Part]]) -> FoundRuns[BriefRun]:
    """Return the runs of the chosen logs by what was read of each. Raises DataError if there is none."""
    runs: list[Read[BriefRun]] = [
        (None if part is None else BriefRun(header, *part), reasons)
        for header, (part, reasons) in zip(chosen.headers, parts, strict=True)
    ]
    found = found_runs(chosen, runs)
    check_found(found)
    return found


def read_part(number: int, header: EvalLog, keep: Callable[[Generated], int]) -> tuple[Part | None, list[Unreadable]]:
    """Return what a log holds, None if nothing of it can be read, and what of it cannot.

    `keep` is asked where the texts of each accepted candidate were kept.
    """
    briefs, bases = Briefs(number), KnownBases()

    def noted(sample: Mapping[str, Any]) -> tuple[str, Brief | None]:
        slot = bases.slot_of(sample["metadata"])
        item = candidate_in(header, slot, sample)
        if item is None:
            return slot.slot_id, None
        brief = briefs.of(item, keep(item) if item.accepted else -1)
        return brief.slot_id, brief

    found, unread = read_noted(header.location, noted)
    items = tuple(item for _, item in found if item is not None)
    part = items, len({slot_id for slot_id, _ in found})
    return part if items or not unread else None, unread
