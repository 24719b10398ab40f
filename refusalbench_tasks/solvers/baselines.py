"""Baselines that need no model: run them with `--model none` and `--solver refusalbench_tasks/NAME`."""

from collections.abc import Callable

from inspect_ai.model import ChatMessageAssistant, ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.arguments import Fraction, require
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.confidence import Level
from refusalbench_tasks.replies.sentences import best_match, sentences
from refusalbench_tasks.taxonomy import Label, canonical_code


@solver
def always_refuse(code: str = Label.MISSING.value, confidence: str | None = None) -> Solver:
    """Refuse every row with one code.

    Args:
        code: A refusal code or one of the paper's aliases.
        confidence: A confidence level to state on the last line, to check calibration metrics.
    """
    label = refusal_code(code)
    return _baseline("always_refuse", lambda state: label.value, confidence)


@solver
def extractive(threshold: float = 0.3, confidence: str | None = None) -> Solver:
    """Answer with the sentence that best matches the question; refuse (information missing) below a threshold.

    Args:
        threshold: Share of the question's word weight that the sentence must cover, in [0, 1].
        confidence: A confidence level to state on the last line, to check calibration metrics.
    """
    require(Fraction, threshold=threshold)

    def extract(state: TaskState) -> str:
        item = _item(state, "extractive")
        found, share = best_match(item.query, [s for passage in item.passages for s in sentences(passage)])
        return found if share >= threshold else Label.MISSING.value

    return _baseline("extractive", extract, confidence)


@solver
def oracle(confidence: str | None = None) -> Solver:
    """Reply with the gold answer or the gold code. It reads the gold: a check of the scorer, not a model.

    Args:
        confidence: A confidence level to state on the last line, to check calibration metrics.
    """

    def gold(state: TaskState) -> str:
        item = _item(state, "oracle")
        return item.references[0] if item.answerable else item.expected.value

    return _baseline("oracle", gold, confidence)


def _baseline(name: str, reply_to: Callable[[TaskState], str], confidence: str | None) -> Solver:
    level = confidence.strip().upper() if confidence is not None else None
    if level is not None and level not in Level.__members__:
        raise DataError(f"confidence: unknown level '{confidence}'; known: {', '.join(Level)}")
    model = f"refusalbench/{name}"

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        text = reply_to(state)
        content = f"{text}\nCONFIDENCE: {level}" if level else text
        state.output = ModelOutput.from_content(model, content)
        state.messages.append(ChatMessageAssistant(content=content, source="generate", model=model))
        return state

    return solve


def refusal_code(code: str) -> Label:
    """Return the refusal code of a name or an alias of the paper. Raises DataError for any other name."""
    label = canonical_code(code)
    if label is None or (label is Label.OTHER and code.strip().upper() != Label.OTHER.value):
        raise DataError(f"code: unknown refusal code '{code}'; known: {', '.join(x for x in Label if x.is_refusal)}")
    return label


def _item(state: TaskState, name: str) -> RefusalItem:
    try:
        return state.metadata_as(RefusalItem)
    except ValueError:
        from refusalbench_tasks.datasets.benchmarks import tasks_text

        ours = tasks_text(word="and")
        raise DataError(
            f"{name}: a baseline of {ours}; row {state.sample_id} is of another task. Leave out --solver"
        ) from None
