"""The solver that asks for an answer or a refusal code, from the passages alone."""

from collections.abc import Sequence
from functools import cache, partial

from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageUser,
    ModelOutput,
    StopReason,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.languages import ENGLISH, LANGUAGES, language_of
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.prompting import bundled, fill, from_file, numbered
from refusalbench_tasks.prompting.released_files import is_released
from refusalbench_tasks.prompting.released_prompts import released_prompt

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


@solver
def refusal_prompt(
    prompt: str | None = None,
    confidence: bool = False,
    search: bool = False,
    base: str = "nq.txt",
    ask: bool = False,
    language: str | None = None,
) -> Solver:
    """Ask for an answer or a refusal code, with one user message and no system message
    (paper §4.1, App. I).

    Args:
        prompt: A file to use instead of the bundled prompt, with the slots `{{query}}`
            and `{{context}}`; `official` for the authors' own prompt, which is fetched,
            or the path of their file.
        confidence: Ask for one of five confidence levels on a last line (paper F.2).
        search: Show the passages as numbered search results.
        base: The bundled prompt: `nq.txt`, or `garage.txt`, which asks for citations of
            search results.
        ask: Say that the model may ask back where the question is unclear.
        language: The language of the bundled prompt, `row` for that of each question.
    """
    template = cache(
        partial(
            prompt_text,
            prompt,
            confidence,
            ask=ask,
        )
    )
    # a file that is none is told before the first sample
    template(base)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item = state.metadata_as(RefusalItem)
        text = filled_prompt(
            template(prompt_name(base, language, item)),
            item.query,
            item.passages,
            search,
        )
        state.messages = [ChatMessageUser(content=text)]
        return await one_reply(state, generate)

    return solve


def refusal_item(state: TaskState, name: str) -> RefusalItem:
    """Return the row of a sample.

    Raises DataError, which names the solver, for a sample of another task.
    """
    try:
        return state.metadata_as(RefusalItem)
    except ValueError:
        raise DataError(
            f"{name}: for nq and garage alone; row {state.sample_id} is of another task"
        ) from None


def put_reply(
    state: TaskState,
    model: str,
    text: str,
    stop: StopReason = "stop",
) -> None:
    """Make a text the reply of a sample, as if a model had just given it."""
    state.output = ModelOutput.from_content(
        model,
        text,
        stop_reason=stop,
    )
    message = ChatMessageAssistant(
        content=text,
        source="generate",
        model=model,
    )
    state.messages.append(message)


async def one_reply(state: TaskState, generate: Generate) -> TaskState:
    """Return the sample with the model's reply, which may be none: some providers send
    no choice where they refuse.

    No tools are offered, so a tool call of the model is no reason to ask it again.
    Raises what the provider raises.
    """
    before = state.output
    try:
        return await generate(state, tool_calls="none")
    except IndexError:
        # Inspect takes the first choice of the output that it has just set; no choice
        # is no error of the sample
        if state.output is before or state.output.choices:
            raise
        return state
    except Exception as error:
        at = str(
            getattr(
                getattr(error, "request", None),
                "url",
                "",
            )
        )
        if getattr(error, "status_code", None) == 404 and at.endswith("/responses"):
            raise DataError(
                f"{at}: the server knows no Responses API; add -M responses_api=false"
            ) from None
        raise
