"""Replies judged without a model and without Inspect: for other harnesses, notebooks
and tests.

    row = judge_offline({"query": "When?", "context": "…", "answers": ["1987"]}, "1987")
    every_number(reply_table([row]))  # metrics.refusal, metrics.reply_table
"""

from collections.abc import Mapping, Sequence
from typing import Any

from refusalbench_tasks.datasets.benchmarks import layout_of
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.rows import checked_row
from refusalbench_tasks.metrics.reply_score import reply_score
from refusalbench_tasks.metrics.reply_table import reply_row
from refusalbench_tasks.replies.decision import ReplySettings, decide_by_form
from refusalbench_tasks.replies.readers import DEFAULT_READER

OFFLINE = ReplySettings("offline")


def judge_offline(
    row: Mapping[str, Any],
    reply: str,
    reader: str = DEFAULT_READER,
    stop_reason: str | None = None,
    codes: bool = True,
    refusals: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the row of the table of replies that a run with `judge=offline` has for
    one reply, from which every metric is computed.

    Its columns are those of `metrics.reply_table`: `expected`, `predicted` (a code,
    `REFUSAL` for a refusal in words, empty if undecided), `outcome` (decided, no_reply,
    unscored), `reason`, `right` (NaN: unknown), `decided_by` and the row's facts.

    Args:
        row: A row of `nq`, or of `garage` if it has `grounding`, in any layout that
            the tasks read.
        reply: What the system replied.
        reader: What tells answers from refusals in words (`replies.readers`).
        stop_reason: Why the reply ended, in Inspect's words: one that was cut off
            (`max_tokens`, `model_length`) or stopped (`content_filter`) is none.
        codes: Whether the system was told the refusal codes.
        refusals: Phrases by which the system refuses.

    Raises DataError, one line, for a row that is none and for a reader that is unknown
    or not installed.
    """
    checked = checked_row("row", str(row.get("id", "without an id")), row)
    benchmark = layout_of(checked)
    item = benchmark.layout.item_of(checked)
    settings = ReplySettings(
        "offline",
        codes=codes,
        phrases=refusals,
        reader=reader,
    )
    return judge_item(
        item,
        reply,
        benchmark.grounded,
        stop_reason or "",
        settings,
    )


def judge_item(
    item: RefusalItem,
    reply: str,
    grounded: bool,
    stop_reason: str = "",
    settings: ReplySettings = OFFLINE,
) -> dict[str, Any]:
    """Return what `judge_offline` does, for a row that is read already; `grounded` if
    it is one of `garage`.
    """
    decision = decide_by_form(
        item,
        reply,
        stop_reason,
        settings,
    )
    score = reply_score(
        item,
        decision,
        {},
        settings.codes,
        grounded,
    )
    return reply_row(item.model_dump(mode="json"), score)
