"""Whether a log can reproduce a published number at all, and what is in the way."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from refusalbench_tasks.datasets.bluff import RELEASED
from refusalbench_tasks.log_reading import task_of
from refusalbench_tasks.prompting.released_files import FILES, OFFICIAL, released_blob
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.results.log_files import noted
from refusalbench_tasks.results.table import Run

from .papers import DATA_SET, Published, PublishedRow

_PROMPT_FILES = {
    "prompt": ("prompt_file_blob", "ptrue_prompt_file_blob"),
    "judge_prompt": ("judge_prompt_file_blob",),
}
"""Where a log has the hashes of the files that an argument named."""
_OF_ROWS = frozenset(
    {
        "classes",
        "intensities",
        "generators",
        "levers",
        "domains",
        "per_stratum",
        "controls",
        "topics",
        "per_topic",
    }
)
"""The arguments that decide which rows a run has; nothing else can change a number
about the rows.
"""


@dataclass(frozen=True)
class Released:
    """What is known of the released data and prompts: by hashes, not by their names."""

    fingerprints: Mapping[str, set[str]]
    """Those of the released rows, by task, as far as runs on `data=hub` tell them."""
    blobs: Mapping[str, set[str]]
    """Those of the released prompt files, by task: pinned, fetched, or of official
    runs.
    """


def released_by(runs: Iterable[Run]) -> Released:
    """Return what the package and some runs know of the released data and prompts."""
    fingerprints = defaultdict[str, set[str]](set)
    blobs = defaultdict[str, set[str]](set)
    for use in FILES:
        blobs[use.split()[0]].add(released_blob(use))
    for run in runs:
        if run.data == "hub":
            fingerprints[run.task].add(noted(run.header, "fingerprint"))
        for argument in _PROMPT_FILES:
            if run.header.eval.task_args.get(argument) == OFFICIAL:
                blobs[run.task] |= _noted_blobs(run, argument)
    for known in (*fingerprints.values(), *blobs.values()):
        known.discard("")
    return Released(fingerprints, blobs)


def _noted_blobs(run: Run, argument: str) -> set[str]:
    """Return the hashes that a log has of the files of an argument."""
    return {noted(run.header, name) for name in _PROMPT_FILES[argument]} - {""}


def _has_released_prompt(
    run: Run,
    argument: str,
    released: Released,
) -> bool:
    """Whether a run was asked, or graded, by the authors' prompt.

    `argument` is `prompt` or `judge_prompt`. `official` is what its name says; a copy
    is told by the hashes that the log has of the files.
    """
    setting = run.arguments.get(argument)
    if setting == OFFICIAL:
        return True
    if setting != run.header.eval.task_args.get(argument):
        # an added score had another file, whose hash the log does not have
        return False
    blobs = _noted_blobs(run, argument)
    return bool(blobs) and blobs <= released.blobs.get(run.task, set())


def other_prompts(run: Run) -> tuple[str, ...]:
    """Return by which of this package's prompts a run was asked or graded, in place of
    the authors', a few words each.
    """
    asked_by = ("prompt",) if run.task == "bluff" else _PROMPT_FILES
    ours = [name for name in asked_by if run.arguments.get(name) in (None, "ours")]
    return tuple(f"{name}=ours" for name in ours)


def run_differences(
    paper: Published,
    row: PublishedRow,
    model: str,
    run: Run,
    released: Released,
) -> tuple[str, ...]:
    """Return what keeps a run from reproducing a published number, a few words each; ()
    if nothing is known to.

    The data, the number of rows, and every setting that the paper's file names for this
    number decide. `model` is the published model that the run is of: that of the row,
    or one of its group.
    """
    settings = dict(run.arguments)
    # the hashes of a log say more of its prompts than their paths
    for argument, names in _PROMPT_FILES.items():
        if _has_released_prompt(run, argument, released):
            settings[argument] = OFFICIAL
        elif blob := noted(run.header, *names):
            path = one_line(str(run.arguments.get(argument)))
            settings[argument] = f"{path} (git blob {blob[:12]})"
    about_rows = row.model == DATA_SET
    reasons = [_data(run, released.fingerprints.get(row.task, set()))]
    reasons += _rows(paper, model, run)
    for setting in paper.settings:
        if about_rows and setting.name not in _OF_ROWS:
            continue
        if setting.concerns(row.task, row.metric, model):
            reasons.append(setting.difference(settings))
    # 0 and none are both a run that was not told to think
    if not about_rows and run.thinking_tokens != (row.tokens or 0):
        reasons.append(f"reasoning_tokens={run.thinking_tokens}")
    if row.read_off:
        reasons.append("the published number was read off a figure")
    return tuple(filter(None, reasons))


def _data(run: Run, released: set[str]) -> str:
    blob = noted(run.header, "blob")
    same_rows = noted(run.header, "fingerprint") in released
    if run.data == "hub" or blob == RELEASED.blob or same_rows:
        return ""
    if run.data == "sample":
        return "data=sample"
    known = bool(released) or (task_of(run.header) == "bluff" and blob)
    return "other data" if known else "data unknown: no data=hub log beside it"


def _rows(
    paper: Published,
    model: str,
    run: Run,
) -> list[str]:
    config = run.header.eval.config
    done = len(run.replies) / (config.epochs or 1)
    selected = (run.header.eval.metadata or {}).get("selected_rows")
    reasons = []
    if config.limit:
        reasons.append(f"limit={config.limit}")
    if config.sample_id:
        reasons.append(f"sample_id={config.sample_id}")
    if not selected or not isinstance(selected, int):
        return [*reasons, "number of rows unknown"]
    if done < selected:
        reasons.append(f"{done:.0f} of {selected} rows run")
    published = paper.replies.get(model, selected)
    if published != selected:
        done = min(done, selected)
        reasons.append(f"published on {published} rows, run on {done:.0f}")
    return reasons
