"""Whether a log can reproduce a published number at all, and what is in the way."""

from collections.abc import Iterable, Mapping

from inspect_ai.log import EvalLog, EvalScore

from refusalbench_tasks.datasets.bluff import RELEASED
from refusalbench_tasks.results.logs.task_facts import task_facts
from refusalbench_tasks.results.published.papers import DATA_SET, Published, PublishedRow

_BLOBS = frozenset({RELEASED.blob})
"""Git blobs of released files that are pinned."""
_OF_ROWS = frozenset(
    {"classes", "intensities", "generators", "levers", "domains", "per_stratum", "controls", "topics", "per_topic"}
)
"""The arguments that decide which rows a run has; nothing else can change a number about the rows."""


def released_fingerprints(headers: Iterable[EvalLog]) -> dict[str, set[str]]:
    """Return by task the fingerprints of the released rows, as far as runs on `data=hub` tell them."""
    found: dict[str, set[str]] = {}
    for header in headers:
        facts = task_facts(header)
        if facts.data == "hub" and facts.fingerprint:
            found.setdefault(task_of(header), set()).add(facts.fingerprint)
    return found


def task_of(header: EvalLog) -> str:
    """Return the name of a log's task, without its package."""
    return header.eval.task.rpartition("/")[2]


def differences(
    paper: Published,
    row: PublishedRow,
    model: str,
    header: EvalLog,
    score: EvalScore,
    released: Mapping[str, set[str]],
) -> tuple[str, ...]:
    """Return what keeps a log from reproducing a published number, a few words each; () if nothing is known to.

    The data, the number of rows, and every setting that the paper's file names for this number decide. Settings are
    those of the score, which may have been appended later, and of the task. `model` is the published model that the
    log is of: that of the row, or one of its group.
    """
    settings = {**header.eval.task_args, **{k: v for k, v in (score.params or {}).items() if v is not None}}
    found = [_data(header, released.get(row.task, set())), *_rows(paper, model, header)]
    about_rows = row.model == DATA_SET
    found += [
        setting.difference(settings)
        for setting in paper.settings
        if setting.concerns(row.metric, model) and (not about_rows or setting.name in _OF_ROWS)
    ]
    found.append("" if about_rows else _thinking(row, header))
    return tuple(reason for reason in found if reason)


def _thinking(row: PublishedRow, header: EvalLog) -> str:
    tokens = header.eval.model_generate_config.reasoning_tokens
    # 0 and none are both a run that was not told to think
    return "" if (tokens or 0) == (row.tokens or 0) else f"reasoning_tokens={tokens or 0}"


def _data(header: EvalLog, released: set[str]) -> str:
    facts = task_facts(header)
    if facts.data == "hub" or facts.blob in _BLOBS or facts.fingerprint in released:
        return ""
    if facts.data == "sample":
        return "data=sample"
    known = bool(released) or (task_of(header) == "bluff" and facts.blob)
    return "other data" if known else "data unknown: no data=hub log beside it"


def _rows(paper: Published, model: str, header: EvalLog) -> list[str]:
    facts = task_facts(header)
    results, config = header.results, header.eval.config
    epochs = config.epochs or 1
    done = (results.completed_samples if results else 0) / epochs
    selected = facts.selected_rows
    found = [f"{name}={value}" for name, value in (("limit", config.limit), ("sample_id", config.sample_id)) if value]
    if not selected:
        found.append("number of rows unknown")
    elif done < selected:
        found.append(f"{done:.0f} of {selected} rows run")
    published = paper.replies.get(model)
    if selected and published is not None and published != selected:
        found.append(f"published on {published} rows, run on {min(done, selected):.0f}")
    return found
