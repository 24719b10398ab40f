"""A treatment: several replies to the same prompt, and the majority of their labels."""

from collections import Counter
from collections.abc import Sequence

from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import collect

from refusalbench_tasks.arguments import Count, require
from refusalbench_tasks.replies.confidence import level_at, split_confidence
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.solvers.treatments.asking import (
    ask,
    is_whole_output,
    item_of,
    kind_of,
    note,
    run_prompt,
    settings_of,
)


@solver
def self_consistency(samples: int = 5, temperature: float | None = None) -> Solver:
    """Ask several times and take the majority over the labels; a tie between answering and refusing refuses.

    Of replies with the winning label the commonest text is scored, the first of equals. The share of replies with that
    label is noted, and in a run with `confidence=true` it is the reply's level of confidence.

    Args:
        samples: How often to ask.
        temperature: Of the further replies; without it, that of the run.
    """
    require(Count, samples=samples)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item_of(state, "self_consistency")
        state = await ask(state, generate, run_prompt(state))
        model, config = get_model(), GenerateConfig(temperature=temperature)
        # a cached reply would be one vote counted many times
        prompt = state.messages[:-1] if state.output.choices else state.messages
        further = [model.generate(prompt, tool_choice="none", config=config, cache=False) for _ in range(samples - 1)]
        outputs = [state.output, *await collect(*further)]
        state.output, share = vote(outputs, bool(settings_of(state).get("confidence")))
        note(state, "self_consistency", samples, share=share, kinds=[kind_of(reply_of(one)) for one in outputs])
        return state

    return solve


def vote(outputs: Sequence[ModelOutput], confidence: bool = False) -> tuple[ModelOutput, float]:
    """Return the output to be scored, with the tokens of all, and the share in (0, 1] of replies with its label.

    An empty or cut-off reply has no vote, unless there is no other. Ties go to a refusal, then to the first reply.
    """
    usable = [one for one in outputs if is_whole_output(one)] or list(outputs)
    bodies = [split_confidence(reply_of(one)).body for one in usable]
    kinds = [kind_of(body) for body in bodies]
    counts = Counter(kinds)
    refusals = len(kinds) - counts["answer"]
    able = {kind for kind in counts if (kind == "answer") is (counts["answer"] > refusals)}
    winner = max((kind for kind in kinds if kind in able), key=counts.__getitem__)
    texts = Counter(body.casefold().strip(" .") for body, kind in zip(bodies, kinds, strict=True) if kind == winner)
    at = max(
        (k for k, kind in enumerate(kinds) if kind == winner), key=lambda k: texts[bodies[k].casefold().strip(" .")]
    )
    share = counts[winner] / len(kinds)
    chosen = usable[at].model_copy(deep=True)
    chosen.usage = sum((one.usage for one in outputs if one.usage), ModelUsage())
    if confidence and chosen.choices:
        body = bodies[at] if winner == "answer" else winner
        chosen.completion = f"{body}\nCONFIDENCE: {level_at(share)}"
    return chosen, share
