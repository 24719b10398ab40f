"""Generation runs read for an export: briefs in memory, texts in files."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from inspect_ai.log import EvalLog

from refusalbench_tasks.generators.brief import Brief, Briefs
from refusalbench_tasks.generators.chosen_logs import choose_logs
from refusalbench_tasks.generators.generation_logs import candidate_in, check_found
from refusalbench_tasks.generators.kept_texts import KeptTexts, Places, TextKeeper
from refusalbench_tasks.generators.known_bases import KnownBases
from refusalbench_tasks.generators.log_samples import SCORED, Unreadable
from refusalbench_tasks.generators.run_logs import FoundRuns, Read, found_runs, read_noted, read_or_why


@dataclass(frozen=True)
class KeptRun:
    """A generation log: its header, its candidates (every attempt at every slot), and how many slots it took up."""

    header: EvalLog
    items: tuple[Brief, ...]
    slots: int


@dataclass(frozen=True)
class KeptRuns(FoundRuns[KeptRun]):
    """The runs that files and folders hold, the texts of what they accepted, and what was left out."""

    texts: KeptTexts


_Part = tuple[tuple[Brief, ...], int, Places]
_Numbered = tuple[int, EvalLog]
_Done = Read[_Part]
_Work = Callable[[Path, _Numbered], _Done]


class Each(Protocol):
    """How the work on many things is done: `logs.parallel.each_of`, or one after another."""

    def __call__(
        self, function: _Work, given: Path, items: list[_Numbered], what: str, worth_it: bool, /
    ) -> list[_Done]:
        """Return the function's value for what is given and each item."""


def one_by_one(function: _Work, given: Path, items: list[_Numbered], what: str, worth_it: bool) -> list[_Done]:
    """Return the function's value for what is given and each item, in this process."""
    return [function(given, item) for item in items]


def keep_runs(paths: Iterable[str], folder: Path, each: Each = one_by_one) -> KeptRuns:
    """Return the finished generation runs in files and folders; the texts of what they accepted go to a folder.

    What cannot be read is left out and named. Raises DataError, which says why, if there is
    no run.
    """
    chosen = choose_logs(paths, ("perturb",))
    read_each = each(_read, folder, list(enumerate(chosen.headers)), "logs", len(chosen.headers) > 1)
    kept = {run: part[2] for run, (part, _) in enumerate(read_each) if part is not None}
    runs: list[Read[KeptRun]] = [
        (None if part is None else KeptRun(header, part[0], part[1]), reasons)
        for header, (part, reasons) in zip(chosen.headers, read_each, strict=True)
    ]
    found = found_runs(chosen, runs)
    check_found(found)
    return KeptRuns(found.runs, found.left_out, KeptTexts.of(folder, kept))


def _read(folder: Path, numbered: _Numbered) -> _Done:
    number, header = numbered
    return read_or_why(partial(_run, folder, number), header)


def _run(folder: Path, number: int, header: EvalLog) -> tuple[_Part | None, list[Unreadable]]:
    briefs, bases, texts = Briefs(number), KnownBases(), TextKeeper(folder, number)

    def noted(sample: Mapping[str, Any]) -> tuple[str, Brief | None]:
        slot = bases.slot_of(sample["metadata"])
        item = candidate_in(header, slot, sample)
        if item is None:
            return slot.slot_id, None
        brief = briefs.of(item, texts.keep(item) if item.accepted else -1)
        return brief.slot_id, brief

    found, unread = read_noted(header.location, noted, SCORED)
    places = texts.close()
    items = tuple(item for _, item in found if item is not None)
    part = items, len({slot_id for slot_id, _ in found}), places
    return part if items or not unread else None, unread
