"""Treatments by confidence: that of several replies which agree, or that which a model
states.
"""

from collections.abc import Sequence

from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import Solver, solver
from inspect_ai.util import collect

from refusalbench_tasks.arguments import Count, Fraction, require
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.replies.confidence import MIDPOINTS, level_at, split_confidence
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.solvers.treatments.treatment import (
    Treated,
    kind_of,
    says_something,
    treatment,
    unusable_reason,
    with_text,
)
from refusalbench_tasks.taxonomy import Label


@solver
def self_consistency(samples: int = 5) -> Solver:
    """Ask several times and take the majority over the labels; a tie between answering
    and refusing refuses.

    Of replies with the winning label the commonest text is scored, the first of equals.
    The share of replies with that label is noted, and in a run with `confidence=true`
    it is the reply's level of confidence.

    Args:
        samples: How often to ask.
    """
    require(Count, samples=samples)

    async def step(treated: Treated) -> dict[str, object]:
        await treated.ask()
        state = treated.state
        prompt = state.messages[:-1] if state.output.choices else state.messages
        # a cached reply would be one vote counted many times
        further = [
            get_model().generate(
                prompt,
                tool_choice="none",
                cache=False,
            )
            for _ in range(samples - 1)
        ]
        outputs = [state.output, *await collect(*further)]
        treated.calls = samples
        state.output, share = vote(outputs, treated.asks_confidence)
        kinds = [kind_of(reply_of(output)) for output in outputs]
        return {"share": share, "kinds": kinds}

    return treatment("self_consistency", step)


def vote(
    outputs: Sequence[ModelOutput], confidence: bool = False
) -> tuple[ModelOutput, float]:
    """Return the output to be scored, with the tokens of all, and the share in (0, 1]
    of replies with its label.

    An empty or cut-off reply has no vote, unless there is no other. Ties go to a
    refusal, then to the first reply.
    """
    usable = [output for output in outputs if unusable_reason(output) is None]
    voters = usable or list(outputs)
    bodies = [split_confidence(reply_of(output)).body for output in voters]
    kinds = [kind_of(body) for body in bodies]
    answers = 2 * kinds.count("answer") > len(kinds)
    standing = [kind for kind in kinds if (kind == "answer") is answers]
    winner = max(standing, key=kinds.count)
    winners = [at for at, kind in enumerate(kinds) if kind == winner]
    texts = [bodies[at].casefold().strip(" .") for at in winners]
    commonest = max(texts, key=texts.count)
    at = winners[texts.index(commonest)]
    share = kinds.count(winner) / len(kinds)
    chosen = voters[at].model_copy(deep=True)
    if confidence and chosen.choices:
        body = bodies[at] if winner == "answer" else winner
        chosen = with_text(chosen, f"{body}\nCONFIDENCE: {level_at(share)}")
    counted = [output.usage for output in outputs if output.usage]
    chosen.usage = sum(counted, ModelUsage())
    return chosen, share


@solver
def threshold(minimum: float = 0.5) -> Solver:
    """Ask with a stated level of confidence, and refuse where an answer's level stands
    for less than `minimum`.

    The refusal has the code of missing information. The level stays with the reply in a
    run with `confidence=true`. Without a level a reply stays as it is, and a level
    without an answer stays no reply. Behind another treatment in a chain it takes that
    one's reply, which then needs `confidence=true`.

    Args:
        minimum: The lowest probability, in [0, 1], with which an answer is given;
            levels stand for .95, .80, .60, .40 and .15.
    """
    require(Fraction, minimum=minimum)

    async def step(treated: Treated) -> dict[str, object]:
        if not treated.state.output.choices:
            if not treated.asks_confidence:
                treated.add(bundled("refusalbench_tasks.solvers", "confidence.txt"))
            await treated.ask()
        first = treated.reply
        body, level = split_confidence(first)
        unsure = level is not None and MIDPOINTS[level] < minimum
        if unsure and kind_of(first) == "answer" and says_something(body):
            body = Label.MISSING.value
        if treated.asks_confidence and level:
            body = f"{body}\nCONFIDENCE: {level}"
        if treated.whole:
            treated.reply = body
        return {"level": level} | treated.since(first)

    return treatment("threshold", step)
