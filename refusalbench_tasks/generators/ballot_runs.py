"""Generation runs read as ballots: of each candidate a few bytes, whatever it says."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from inspect_ai.log import EvalLog

from refusalbench_tasks.generators.ballots import Ballots, GrowingBallots, Part
from refusalbench_tasks.generators.brief_runs import Each, Numbered, one_by_one
from refusalbench_tasks.generators.generation_logs import candidate_in, check_found
from refusalbench_tasks.generators.kit.chosen_logs import LeftOut, choose_logs
from refusalbench_tasks.generators.kit.log_samples import Unreadable
from refusalbench_tasks.generators.kit.run_logs import Read, found_runs, read_noted, read_or_why
from refusalbench_tasks.generators.known_bases import KnownBases


@dataclass(frozen=True)
class FoundBallots:
    """The candidates that files and folders hold, in the order of the logs, and what was left out, by log."""

    ballots: Ballots
    left_out: tuple[LeftOut, ...]


def read_ballots(paths: Iterable[str], each: Each = one_by_one) -> FoundBallots:
    """Return the candidates of finished generation runs; what cannot be read is left out and named.

    Raises DataError, which says why, if there is no run.
    """
    chosen = choose_logs(paths, ("perturb",))
    found = found_runs(chosen, each(_read, None, list(enumerate(chosen.headers)), "logs", len(chosen.headers) > 1))
    check_found(found)
    growing = GrowingBallots()
    for part in found.runs:
        growing.extend(part)
    return FoundBallots(growing.ballots(), found.left_out)


def _read(nothing: None, numbered: Numbered) -> Read[Part]:
    return read_or_why(_part, numbered[1])


def _part(header: EvalLog) -> tuple[Part | None, list[Unreadable]]:
    growing, bases = GrowingBallots(), KnownBases()

    def noted(sample: Mapping[str, Any]) -> bool:
        item = candidate_in(header, bases.slot_of(sample["metadata"]), sample)
        if item is not None:
            growing.add(item)
        return item is not None

    found, unread = read_noted(header.location, noted)
    return growing.part() if any(found) or not unread else None, unread
