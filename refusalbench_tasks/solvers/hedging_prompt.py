"""The solver that asks for an answer from five sources, hedged where
it is uncertain.
"""

from inspect_ai.model import ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.arguments import Count, Fraction, require
from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.prompting import bundled, fill, from_file
from refusalbench_tasks.prompting.released_files import is_released
from refusalbench_tasks.prompting.released_prompts import released_answer_prompt
from refusalbench_tasks.solvers.refusal_prompt import one_reply

SLOTS = frozenset({"words", "threshold"})


def rules_text(prompt: str | None, asks_confidence: bool) -> str:
    """Return the template of the rules, bundled or a file's, with its slots `SLOTS`.

    A released prompt is the whole message, with the slots `query` and `sources`; it may
    ask for a confidence in the reply.
    """
    if prompt and is_released(prompt):
        return released_answer_prompt(prompt, asks_confidence).template
    if prompt:
        return from_file(prompt, SLOTS)
    return bundled("refusalbench_tasks.solvers", "bluff.txt")


def sources_text(item: BluffItem, show_date: bool = False) -> str:
    """Return the sources and the question, with which every prompt about an item
    begins.

    Every call about an item shares this beginning, so that a provider's prompt cache
    pays for it once. A source's category is never shown (BLUFF's paper, Figure 10).
    """
    template = bundled("refusalbench_tasks.solvers", "bluff_sources.txt")
    blocks = []
    for number, source in enumerate(item.sources, 1):
        lines = [f"Source {number}", f"Title: {source.title}", f"URL: {source.url}"]
        if show_date:
            lines.append(f"Date: {source.date or 'unknown'}")
        lines.append(f"Text: {source.text}")
        blocks.append("\n".join(lines))
    shown = "\n\n".join(blocks)
    if not blocks:
        shown = bundled("refusalbench_tasks.solvers", "bluff_no_sources.txt").strip()
    return fill(template, {"sources": shown, "query": item.query})


@solver
def hedging_prompt(
    words: int = 75,
    threshold: float = 0.2,
    show_date: bool = False,
    prompt: str | None = None,
    asks_confidence: bool = False,
) -> Solver:
    """Ask for an answer line and its reasons, with one user message (paper, Figure 10).

    Args:
        words: The longest reply that the prompt allows.
        threshold: The confidence at or below which the prompt asks for a refusal.
        show_date: Show a date line for each source ("unknown" where the data has none).
        prompt: A file with other rules, with the slots `{{words}}` and `{{threshold}}`;
            `official` for the authors' own prompt, which is fetched and has its own
            rules, or the path of their file or of its folder.
        asks_confidence: Let the authors' prompt ask for a confidence in the reply.
    """
    require(Count, words=words)
    require(Fraction, threshold=threshold)
    released = is_released(prompt)
    template = rules_text(prompt, asks_confidence)
    limits = {"words": str(words), "threshold": f"{threshold:g}"}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item = state.metadata_as(BluffItem)
        if released:
            shown = {"query": item.query, "sources": released_sources(item)}
            text = fill(template, shown)
        else:
            text = f"{sources_text(item, show_date)}\n\n{fill(template, limits)}"
        state.messages = [ChatMessageUser(content=text)]
        return await one_reply(state, generate)

    return solve


def released_sources(item: BluffItem) -> str:
    """Return the sources as the released prompts show them: five lines each, a date
    always, a blank line between.
    """
    return "".join(
        f"Source {number}:\nTitle: {source.title}\nURL: {source.url}\nDate:"
        f" {source.date or 'Unknown'}\nText: {source.text}\n\n"
        for number, source in enumerate(item.sources, 1)
    )
