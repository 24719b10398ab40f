"""The scores of a search: those of a refusal task, and when the evidence was shown."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.model import ChatMessageAssistant, ChatMessageTool
from inspect_ai.scorer import Score, Scorer, scorer
from inspect_ai.solver import TaskState

from refusalbench_tasks.corpus.passage_id import passage_id
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.metrics.reply_score import score_number
from refusalbench_tasks.outcome import reply_outcome
from refusalbench_tasks.replies.outside_text import one_line, well_formed
from refusalbench_tasks.scorers.refusal import (
    numbers_score,
    refusal_metrics,
    reply_scorer,
)
from refusalbench_tasks.scorers.refusal_decision import Decision
from refusalbench_tasks.scorers.refusal_settings import DecisionSettings
from refusalbench_tasks.solvers.retrieved import gold_passages, holds, retrieved_of

from .search_agents import MALFORMED
from .search_tool import SEARCHES

Searches = Sequence[Mapping[str, Any]]


@scorer(metrics=[refusal_metrics()])
def search_scores(**given: Any) -> Scorer:
    """Score a reply by the numbers of `refusal_scores` (of `grounded_scores` for rows
    with ten passages), and what was searched.

    Args:
        **given: Arguments of `RefusalScoring`, and `grounded`; what is not given is as
            the run had it.
    """
    return reply_scorer(given, _with_searches)


def _with_searches(
    state: TaskState,
    decision: Decision,
    settings: DecisionSettings,
) -> Score:
    reply = numbers_score(state, decision, settings)
    searches = state.store.get(SEARCHES) or ()
    item = state.metadata_as(RefusalItem)
    # what settles the row, as the row has it; without a signal all of its own
    gold = gold_passages(item) or item.passages
    ids = {passage_id(well_formed(text)) for text in gold}
    at = None
    for number, note in enumerate(searches, 1):
        if at is None and ids & set(note["ids"]):
            at = number
    seen = at is not None
    if not searches:
        # an application may have searched by itself
        retrieved = retrieved_of(state) or ()
        seen = any(holds(text, passage) for text in retrieved for passage in gold)
    queries = [note["query"].casefold().split() for note in searches]
    distinct = {tuple(query) for query in queries}
    numbers = {
        "searches": len(searches),
        "evidence_shown": seen if gold else None,
        "shown_at": at,
        "repeated_queries": len(queries) - len(distinct),
        "malformed_calls": _malformed(state),
    }
    assert isinstance(reply.value, Mapping)
    values = {name: score_number(count) for name, count in numbers.items()}
    line = f"{_where(len(searches), seen, at)}, {_what(decision)}"
    explained = f"{line}; {reply.explanation}" if reply.explanation else line
    notes = {**(reply.metadata or {}), "trace": _trace(searches, ids)}
    update = {
        "value": {**reply.value, **values},
        "explanation": explained,
        "metadata": notes,
    }
    return reply.model_copy(update=update)


def _malformed(state: TaskState) -> int:
    """Return how many calls of tools failed, and how many turns were none that the
    protocol has.
    """
    turns = state.store.get(MALFORMED)
    if turns is not None:
        return int(turns)
    count = 0
    # the last message is the reply
    for message in state.messages[:-1]:
        if isinstance(message, ChatMessageTool):
            count += message.error is not None
        elif isinstance(message, ChatMessageAssistant):
            count += not message.tool_calls
    return count


def _where(searches: int, seen: bool, at: int | None) -> str:
    if at is not None:
        return f"found at search {at} of {searches}"
    if seen:
        return "found by the application"
    if not searches:
        return "never searched"
    return f"not found in {searches} searches"


def _what(decision: Decision) -> str:
    if decision.label is None:
        is_none = reply_outcome(decision.reason) == "no_reply"
        kind = "no reply" if is_none else "undecided"
        return f"{kind}: {decision.reason}".replace("_", " ")
    if not decision.label.is_refusal:
        return "answered"
    if not decision.coded:
        return "refused"
    code = decision.label.value.removeprefix("REFUSE_")
    return f"refused: {code.replace('_', ' ').lower()}"


def _trace(searches: Searches, ids: set[str]) -> list[str]:
    """Return one line a search for whoever reads the log: the query, the passages that
    were shown, and which of them is the evidence.
    """
    lines = []
    for count, note in enumerate(searches, 1):
        pairs = zip(
            note["numbers"],
            note["ids"],
            strict=True,
        )
        shown = []
        for number, name in pairs:
            shown.append(f"[{number}] {name}{' (evidence)' if name in ids else ''}")
        query = one_line(note["query"])
        lines.append(f"{count}. {query}: {', '.join(shown) or 'nothing'}")
    return lines
