"""Whether a log can reproduce a published number at all, and what is in the way."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from refusalbench_tasks.datasets.bluff import RELEASED
from refusalbench_tasks.prompting.released_files import FILES, OFFICIAL, released_blob
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.results.log_files import noted, task_of
from refusalbench_tasks.results.published.papers import (
    DATA_SET,
    Published,
    PublishedRow,
)
from refusalbench_tasks.results.table import Run

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
    fingerprints: dict[str, set[str]] = {}
    blobs: dict[str, set[str]] = {}
    for use in FILES:
        blobs.setdefault(use.split()[0], set()).add(released_blob(use))
    for run in runs:
        fingerprint = noted(run.header, "fingerprint")
        if run.data == "hub" and fingerprint:
            fingerprints.setdefault(run.task, set()).add(fingerprint)
        for argument, names in _PROMPT_FILES.items():
            if run.header.eval.task_args.get(argument) == OFFICIAL:
                noted_blobs = {noted(run.header, name) for name in names}
                blobs.setdefault(run.task, set()).update(noted_blobs)
    for known in blobs.values():
        known.discard("")
    return Released(fingerprints, blobs)


def has_released_prompt(run: Run, argument: str, released: Released) -> bool:
    """Whether a run was asked, or graded, by the authors' prompt.

    `argument` is `prompt` or `judge_prompt`. `official` is what its name says; a copy
    is told by the hashes that the log has of the files.
    """
    settings = run.arguments
    if settings.get(argument) == OFFICIAL:
        return True
    if settings.get(argument) != run.header.eval.task_args.get(argument):
        # an added score had another file, whose hash the log does not have
        return False
    hashes = {noted(run.header, name) for name in _PROMPT_FILES[argument]} - {""}
    return bool(hashes) and hashes <= released.blobs.get(run.task, set())


def _prompts(run: Run, released: Released) -> dict[str, str]:
    """Return the arguments of prompts that a log's hashes say more
    of than their paths.
    """
    found = {}
    for argument, names in _PROMPT_FILES.items():
        if has_released_prompt(run, argument, released):
            found[argument] = OFFICIAL
        elif blob := noted(run.header, *names):
            path = one_line(str(run.arguments.get(argument)))
            found[argument] = f"{path} (git blob {blob[:12]})"
    return found


def differences(
    paper: Published, row: PublishedRow, model: str, run: Run, released: Released
) -> tuple[str, ...]:
    """Return what keeps a run from reproducing a published number, a few words each; ()
    if nothing is known to.

    The data, the number of rows, and every setting that the paper's file names for this
    number decide. `model` is the published model that the run is of: that of the row,
    or one of its group.
    """
    settings = {**run.arguments, **_prompts(run, released)}
    about_rows = row.model == DATA_SET
    found = [
        _data(run, released.fingerprints.get(row.task, set())),
        *_rows(paper, model, run),
    ]
    found += [
        setting.difference(settings)
        for setting in paper.settings
        if (not setting.tasks or row.task in setting.tasks)
        and setting.concerns(row.metric, model)
        and (not about_rows or setting.name in _OF_ROWS)
    ]
    # 0 and none are both a run that was not told to think
    tokens = run.header.eval.model_generate_config.reasoning_tokens or 0
    found.append(
        ""
        if about_rows or tokens == (row.tokens or 0)
        else f"reasoning_tokens={tokens}"
    )
    found.append("the published number was read off a figure" if row.read_off else "")
    return tuple(reason for reason in found if reason)


def _data(run: Run, released: set[str]) -> str:
    blob = noted(run.header, "blob")
    if (
        run.data == "hub"
        or blob == RELEASED.blob
        or noted(run.header, "fingerprint") in released
    ):
        return ""
    if run.data == "sample":
        return "data=sample"
    known = bool(released) or (task_of(run.header) == "bluff" and blob)
    return "other data" if known else "data unknown: no data=hub log beside it"


def _rows(paper: Published, model: str, run: Run) -> list[str]:
    config = run.header.eval.config
    done = len(run.replies) / (config.epochs or 1)
    stated = (run.header.eval.metadata or {}).get("selected_rows")
    selected = stated if isinstance(stated, int) else 0
    found = [
        f"{name}={value}"
        for name, value in (("limit", config.limit), ("sample_id", config.sample_id))
        if value
    ]
    if not selected:
        found.append("number of rows unknown")
    elif done < selected:
        found.append(f"{done:.0f} of {selected} rows run")
    published = paper.replies.get(model)
    if selected and published is not None and published != selected:
        found.append(f"published on {published} rows, run on {min(done, selected):.0f}")
    return found
