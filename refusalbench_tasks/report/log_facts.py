"""What the header of a log tells of how its run came about, for the table of logs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from refusalbench_tasks.files.log_header import Usage, short_header
from refusalbench_tasks.tables import TableRow

if TYPE_CHECKING:
    from inspect_ai.model import ModelUsage

COLUMNS = ("suite", "task version", "inspect", "revision", "licence", "prompt", "tokens in", "tokens out", "cost ($)")
_PACKAGE = ("refusalbench-tasks", "refusalbench_tasks")


def log_facts(name: str) -> TableRow:
    """Return versions, data revision, licence, hash of the prompt, tokens and cost; blank where a log doesn't tell.

    Tokens are those of all models of the run, judges too; of the tokens in, those read from a cache are a part. The
    cost is in dollars, as Inspect noted it.
    """
    try:
        header = short_header(name)
    except Exception:  # a log that was read before may be gone or cut off by now
        return dict.fromkeys(COLUMNS, "")
    spec, noted = header.eval, header.eval.metadata or {}
    usages: list[ModelUsage | Usage] = [*header.stats.model_usage.values()]
    costs = [usage.total_cost for usage in usages if usage.total_cost is not None]
    tokens_in = sum(
        usage.input_tokens + (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
        for usage in usages
    )
    return {
        "suite": next((str(spec.packages[one]) for one in _PACKAGE if one in spec.packages), ""),
        "task version": str(spec.task_version),
        "inspect": str(spec.packages.get("inspect_ai", "")),
        "revision": _told(noted, "revision") or _told(noted, "blob"),
        "licence": _told(noted, "licence"),
        "prompt": _told(noted, "prompt_sha256")[:16],
        "tokens in": tokens_in if usages else "",
        "tokens out": sum(usage.output_tokens for usage in usages) if usages else "",
        "cost ($)": round(sum(costs), 4) if costs and len(costs) == len(usages) else "",
    }


def _told(noted: Mapping[str, Any], name: str) -> str:
    return str(noted.get(name) or "")
