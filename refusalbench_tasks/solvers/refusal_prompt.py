"""The solver that asks for an answer or a refusal code, from the passages alone."""

from functools import cache, partial

from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageUser,
    ModelOutput,
    StopReason,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.prompting.refusal_template import (
    filled_prompt,
    prompt_name,
    prompt_text,
)


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
    state.output = ModelOutput.from_content(model, text, stop_reason=stop)
    message = ChatMessageAssistant(content=text, source="generate", model=model)
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
