"""Generation runs read for an export: briefs in memory, texts in files."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from inspect_ai.log import EvalLog

from refusalbench_tasks.generators.brief_runs import BriefRun, Each, Numbered, Part, one_by_one, read_part, runs_of
from refusalbench_tasks.generators.kept_texts import KeptTexts, Places, TextKeeper
from refusalbench_tasks.generators.kit.chosen_logs import Logs, choose_logs
from refusalbench_tasks.generators.kit.log_samples import Unreadable
from refusalbench_tasks.generators.kit.run_logs import FoundRuns, Read, read_or_why


@dataclass(frozen=True)
class KeptRuns(FoundRuns[BriefRun]):
    """The runs that files and folders hold, the texts of what they accepted, and what was left out."""

    texts: KeptTexts


_Kept = tuple[Part, Places]


def keep_runs(logs: Logs, folder: Path, each: Each = one_by_one) -> KeptRuns:
    """Return the finished generation runs in files and folders; the texts of what they accepted go to a folder.

    What cannot be read is left out and named. Raises DataError, which says why, if there is
    no run.
    """
    chosen = choose_logs(logs, ("perturb",))
    read_each = each(_read, folder, list(enumerate(chosen.headers)), "logs", len(chosen.headers) > 1)
    found = runs_of(chosen, [(None if kept is None else kept[0], why) for kept, why in read_each])
    places = {run: kept[1] for run, (kept, _) in enumerate(read_each) if kept is not None}
    return KeptRuns(found.runs, found.left_out, KeptTexts.of(folder, places))


def _read(folder: Path, numbered: Numbered) -> Read[_Kept]:
    number, header = numbered
    return read_or_why(partial(_kept, folder, number), header)


def _kept(folder: Path, number: int, header: EvalLog) -> tuple[_Kept | None, list[Unreadable]]:
    texts = TextKeeper(folder, number)
    part, unread = read_part(number, header, texts.keep)
    places = texts.close()
    return None if part is None else (part, places), unread
