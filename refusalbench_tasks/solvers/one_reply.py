"""One reply of the evaluated model to the messages of a sample."""

from inspect_ai.solver import Generate, TaskState


async def one_reply(state: TaskState, generate: Generate) -> TaskState:
    """Return the sample with the model's reply, which may be none: some providers send no choice where they refuse.

    No tools are offered, so a tool call of the model is no reason to ask it again. Raises what the provider raises.
    """
    before = state.output
    try:
        return await generate(state, tool_calls="none")
    except IndexError:
        # Inspect takes the first choice of the output that it has just set; no choice is no error of the sample
        if state.output is before or state.output.choices:
            raise
        return state
