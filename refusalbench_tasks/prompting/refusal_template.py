"""What a model is asked about a row of the refusal kind: the template in use, and the
message that it makes of a row.
"""

from collections.abc import Sequence

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.languages import ENGLISH, LANGUAGES, language_of
from refusalbench_tasks.errors import DataError

from . import bundled, fill, from_file, numbered
from .released_files import is_released
from .released_prompts import released_prompt

SLOTS = frozenset({"query", "context"})


def prompt_name(base: str, language: str | None, item: RefusalItem) -> str:
    """Return the file of a bundled prompt in a language, or in that of an item's
    question for `row`; the English one for none.

    Raises DataError for a language that no prompt is in.
    """
    if language == "row":
        language = str(item.columns.get("question_language", language_of(item)))
    if not language or language == ENGLISH:
        return base
    if language not in LANGUAGES:
        raise DataError(
            f"prompt_language: expected row, {', '.join(LANGUAGES)}, got '{language}'"
        )
    return base.replace(".", f"_{language}.")


def prompt_text(
    prompt: str | None = None,
    confidence: bool = False,
    base: str = "nq.txt",
    ask: bool = False,
) -> str:
    """Return the template in use: the bundled one named `base`, a file's, or the
    released one.

    The permission to `ask` back and the request for a `confidence` go before the
    question, so that the part that differs comes last.
    """
    if prompt and is_released(prompt):
        text = released_prompt(base.removesuffix(".txt"), prompt).template
    elif prompt:
        text = from_file(prompt, SLOTS)
    else:
        text = bundled("refusalbench_tasks.solvers", base)
    if ask:
        text = before_question(text, bundled("refusalbench_tasks.solvers", "ask.txt"))
    if not confidence:
        return text
    return before_question(
        text, bundled("refusalbench_tasks.solvers", "confidence.txt")
    )


def before_question(template: str, text: str) -> str:
    """Return a template with a text of its own before the question, or at the start if
    the question has no heading.
    """
    head, heading, item = template.rpartition("QUESTION\n{{query}}")
    return f"{head}{text}\n\n{heading}{item}" if heading else f"{text}\n\n{template}"


def filled_prompt(
    template: str,
    query: str,
    passages: Sequence[str],
    search: bool,
    added: str = "",
) -> str:
    """Return the message of one item: passages with a blank line between, or numbered
    as search results.

    What is `added` stands before the question; it stays text, as what the item says
    does.
    """
    context = numbered(passages) if search else "\n\n".join(passages)
    template = before_question(template, "{{added}}") if added else template
    return fill(template, {"query": query, "context": context, "added": added})
