"""Published numbers beside those of a user's logs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Literal

from inspect_ai.log import EvalLog

from refusalbench_tasks.datasets.benchmarks import tasks_text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import LeftOut, task_of
from refusalbench_tasks.results.table import Run, first_reason, read_logs
from refusalbench_tasks.results.verifier_panel import VotedLog, read_votes
from refusalbench_tasks.stats.estimate import Estimate

from .comparability import other_prompts, released_by, run_differences
from .numbers import OF_TWO, Numbers, over_models
from .papers import DATA_SET, PEOPLE, Published, PublishedRow
from .writers import ALL as ALL_WRITERS
from .writers import Writers

Reading = Literal[
    "consistent",
    "consistent (other prompt)",
    "not consistent",
    "no interval",
    "not asked",
    "undefined",
    "not comparable",
    "needs a log",
    "needs a sheet",
]
WITHOUT = ("undefined", "needs a log", "needs a sheet")
"""The readings of numbers that the given logs say nothing about."""


@dataclass(frozen=True)
class Reproduced:
    """One published number and what a log says: NaN where there is no log, or the log
    has no such number.

    `differences` are what keeps the log from reproducing the number, a few words each,
    `not_asked` is what the number rests on and the run was not asked for, and
    `other_prompts` are those of this package. A number over several models names the
    newest of their logs.
    """

    paper: str
    row: PublishedRow
    measured: Estimate = field(default_factory=Estimate)
    header: EvalLog | None = None
    differences: tuple[str, ...] = ()
    not_asked: str = ""
    other_prompts: tuple[str, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return what a reader of the row has to know, a few words each."""
        every = (self.not_asked, *self.differences, *self.other_prompts)
        return tuple(filter(None, every))

    @property
    def log(self) -> str:
        """Return the file name of the log; empty without one."""
        return self.header.location.rpartition("/")[2] if self.header else ""

    @property
    def reading(self) -> Reading:
        """Return what the log says of the number.

        `consistent`: the number lies in the log's 95 % CI, or the CI does not lie
        beyond a printed bound; for numbers about the rows, the log has the printed
        number; by this package's prompt it is `consistent (other prompt)`. A log with
        other data, rows or settings than the published ones is `not comparable`.
        """
        row = self.row
        measured = self.measured
        if self.header is None:
            return "needs a sheet" if row.model == PEOPLE else "needs a log"
        if self.not_asked:
            return "not asked"
        if not measured.known:
            return "undefined"
        if self.differences:
            return "not comparable"
        value = row.value
        if row.model == DATA_SET:
            digits = len(str(value).partition(".")[2])
            same = round(measured.value, digits) == value
        elif math.isnan(measured.low):
            return "no interval"
        else:
            above = row.sign == ">" or measured.low <= value
            below = row.sign == "<" or value <= measured.high
            same = above and below
        if not same:
            return "not consistent"
        return "consistent (other prompt)" if self.other_prompts else "consistent"


@dataclass(frozen=True)
class PublishedLogs:
    """The finished runs that published numbers can be set beside, the generation runs,
    and what was left out.

    `names` says which published model an evaluated one stands for, where its id does
    not tell.
    """

    runs: Sequence[Run]
    generation: Sequence[VotedLog] = ()
    left_out: Sequence[LeftOut] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    def stands_for(self, paper: Published, model: str) -> str | None:
        """Return the published model that an evaluated one is."""
        return self.names.get(model) or paper.model_of(model)

    def unknown(self, papers: Sequence[Published]) -> list[str]:
        """Return the models that are none of the published ones, each with its task."""
        unknown = set()
        for run in self.runs:
            if not any(self.stands_for(paper, run.model) for paper in papers):
                unknown.add(f"{run.model} ({run.task})")
        return sorted(unknown)


def beside_published(
    papers: Sequence[Published],
    logs: PublishedLogs,
) -> list[Reproduced]:
    """Return every published number with the newest log of its task and model, where
    there is one.

    Raises DataError for an unknown published model in the names.
    """
    known = {model for paper in papers for model in paper.models}
    for model in logs.names.values():
        if model not in known:
            raise DataError(
                f"reproduce: unknown published model '{model}'; known:"
                f" {', '.join(sorted(known))}"
            )
    reproduced = []
    for paper in papers:
        beside = _Beside(paper, logs)
        reproduced += [beside.row(row) for row in paper.rows]
    return reproduced


class _Beside:
    """One paper's numbers beside the logs that are of its models."""

    def __init__(self, paper: Published, logs: PublishedLogs) -> None:
        self._paper = paper
        self._released = released_by(logs.runs)
        self._newest: dict[tuple[str, str, int], Numbers] = {}
        for run in sorted(logs.runs, key=lambda run: run.created):
            numbers = Numbers(run)
            for model in (logs.stands_for(paper, run.model), DATA_SET):
                if model:
                    self._newest[run.task, model, run.thinking_tokens] = numbers
        self._writers = {}
        for base in ("nq", "garage"):
            of_base = [log for log in logs.generation if log.multi == (base != "nq")]
            self._writers[base] = Writers(
                of_base,
                partial(logs.stands_for, paper),
                len(paper.groups.get(ALL_WRITERS, ())),
            )

    def row(self, row: PublishedRow) -> Reproduced:
        """Return one of the paper's numbers."""
        kind, _, base = row.task.partition(" ")
        if kind == "perturb" and (writers := self._writers[base]).logs:
            return Reproduced(
                self._paper.paper,
                row,
                writers.measure(row),
                writers.log,
                writers.differences,
            )
        reproduced = self._over(row) if row.across else self._single(row, row.model)
        return reproduced or Reproduced(self._paper.paper, row)

    def _log(
        self,
        row: PublishedRow,
        model: str,
        tokens: int,
    ) -> Numbers | None:
        """Return the numbers of the newest log of a task and model with a budget of
        thinking tokens.

        Where a number names no budget, a log that was given one stands in for a log
        that was given none.
        """
        of_model = {
            budget: numbers
            for (task, name, budget), numbers in self._newest.items()
            if (task, name) == (row.task, model)
        }
        if tokens in of_model or row.tokens is not None:
            return of_model.get(tokens)
        logs = of_model.values()
        return max(logs, key=lambda numbers: numbers.run.created, default=None)

    def _single(self, row: PublishedRow, model: str) -> Reproduced | None:
        numbers = self._log(row, model, row.tokens or 0)
        if numbers is None:
            return None
        differing = run_differences(
            self._paper,
            row,
            model,
            numbers.run,
            self._released,
        )
        not_asked = numbers.not_asked(row.metric, row.subset)
        measured = numbers.number(row.metric, row.subset)
        by_others = () if row.model == DATA_SET else other_prompts(numbers.run)
        return Reproduced(
            self._paper.paper,
            row,
            Estimate() if not_asked else measured,
            numbers.run.header,
            differing,
            not_asked,
            by_others,
        )

    def _over(self, row: PublishedRow) -> Reproduced | None:
        """Return a number over models, from the logs of those that have one; of two
        runs, only from both.
        """
        across = row.across
        assert across is not None
        if across == "gain":
            budgets = [row.model_copy(update={"tokens": n}) for n in (0, row.tokens)]
            asked = [(budget, row.model) for budget in budgets]
        else:
            asked = [(row, model) for model in self._paper.groups[row.model]]
        singles = [self._single(*each) for each in asked]
        known = [single for single in singles if single is not None]
        size = len(known)
        if not known or (across in OF_TWO and size < len(asked)):
            return None
        others = []
        for each, model in asked:
            other = each.model_copy(update={"metric": row.against})
            against = self._single(other, model)
            if against:
                others.append(against.measured.value)
        number = over_models(across, [single.measured for single in known], others)
        differing = []
        if size < len(asked):
            differing.append(f"{size} of {len(asked)} models")
        prompts: list[str] = []
        for single in known:
            differing += single.differences
            prompts += single.other_prompts
        headers = [single.header for single in known if single.header]
        newest = max(headers, key=lambda header: header.eval.created)
        return Reproduced(
            self._paper.paper,
            row,
            number,
            newest,
            tuple(dict.fromkeys(differing)),
            "" if number.known else known[0].not_asked,
            tuple(dict.fromkeys(prompts)),
        )


def read_published_logs(
    paths: Sequence[str],
    names: Mapping[str, str] = MappingProxyType({}),
) -> PublishedLogs:
    """Return the finished runs in files and folders.

    Raises DataError if paths are given and none of them holds one.
    """
    if not paths:
        return PublishedLogs((), names=names)
    logs = read_logs(paths, makers=True)
    generation, unread = read_votes(
        [header for header in logs.makers if task_of(header) == "perturb"]
    )
    left_out = list(logs.left_out)
    finished = []
    for run in logs.runs:
        if run.status == "success":
            finished.append(run)
        else:
            left_out.append((run.name, f"an unfinished run (status: {run.status})"))
    left_out += unread
    if not finished and not generation:
        raise DataError(
            f"{', '.join(paths)}: no finished run of"
            f" {tasks_text('bluff')}{first_reason(left_out)}"
        )
    return PublishedLogs(
        finished,
        generation,
        left_out,
        names,
    )
