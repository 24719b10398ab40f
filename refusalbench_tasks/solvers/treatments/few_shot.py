"""A treatment: worked examples before the question, as many of each class."""

from collections.abc import Sequence
from functools import lru_cache

from inspect_ai.solver import Solver, solver

from refusalbench_tasks.arguments import Count, require
from refusalbench_tasks.datasets.benchmarks import GARAGE, NQ, Selection, load
from refusalbench_tasks.datasets.draw import rank
from refusalbench_tasks.datasets.item import RUN_ROWS, RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.prompting import numbered
from refusalbench_tasks.solvers.treatments.treatment import Treated, treatment
from refusalbench_tasks.taxonomy import CODES, Label

_LABELS = (Label.ANSWER, *(code.label for code in CODES if code.perturbation))
_SYNTHETIC = 360
"""Synthetic rows to draw from."""


@solver
def few_shot(
    k: int = 1,
    examples: str = "worlds",
    seed: int = 0,
    ask_now: bool = True,
) -> Solver:
    """Ask with worked examples before the question: `k` that are answered and `k` for
    each of the six classes.

    No example shares its base question with a row of the run. The same examples stand
    before every question, so that a provider's prompt cache pays for them once.

    Args:
        k: Examples of each label.
        examples: Where they are from, as the task's `data`: `worlds` (synthetic rows),
            `sample`, `hub`, or a file.
        seed: Seed of the draw and of synthetic rows.
        ask_now: Ask at once; `false` in a chain, where a treatment behind this one
            asks.
    """
    require(Count, k=k)

    async def step(treated: Treated) -> dict[str, object] | None:
        used = frozenset({treated.item.source_id, treated.item.query})
        run = RUN_ROWS.get()
        if run is not None:
            used = run.bases
        items = drawn_examples(
            examples,
            treated.grounded,
            k,
            seed,
            used,
        )
        treated.add(examples_text(items, treated.grounded))
        if not ask_now:
            return None
        await treated.ask()
        return {"examples": k * len(_LABELS)}

    return treatment("few_shot", step)


@lru_cache(maxsize=8)
def drawn_examples(
    data: str,
    grounded: bool,
    k: int,
    seed: int,
    used: frozenset[str],
) -> tuple[RefusalItem, ...]:
    """Return `k` items of each label whose base question and question are not `used`,
    in a shuffled order.

    No two share a base question where that can be helped. Raises DataError if a label
    has fewer.
    """
    size = {"n": _SYNTHETIC, "seed": seed} if data == "worlds" else {}
    rows = load(GARAGE if grounded else NQ, Selection(data=data, **size))
    free = []
    for item in (*rows.perturbed, *rows.controls):
        if used.isdisjoint((item.source_id, item.query)):
            free.append(item)
    chosen: list[RefusalItem] = []
    for label in _LABELS:
        taken = {item.source_id for item in chosen}
        fitting = [item for item in free if item.expected is label]
        if len(fitting) < k:
            raise DataError(
                f"few_shot: examples={data} has {len(fitting)} rows with {label}"
                f" outside of the run's questions, k={k} needs as many; give other"
                " examples, examples=worlds say"
            )
        fitting.sort(key=lambda item: rank(item.item_id, seed))
        fitting.sort(key=lambda item: item.source_id in taken)
        chosen += fitting[:k]
    return tuple(sorted(chosen, key=lambda item: rank(f"order {item.item_id}", seed)))


def examples_text(items: Sequence[RefusalItem], grounded: bool) -> str:
    """Return the examples as a part of a prompt; the reply is the gold answer, with its
    citation, or the code.
    """
    note = (
        "Some worked examples first. They have nothing to do with the question below."
    )
    blocks = [note]
    for item in items:
        passages = numbered(item.passages) if grounded else "\n\n".join(item.passages)
        reply = item.references[0] if item.answerable else item.expected.value
        if item.answerable and grounded and item.signal:
            reply = f"{reply} [{item.signal[0] + 1}]"
        blocks.append(
            f"EXAMPLE QUESTION\n{item.query}\n\nEXAMPLE TEXT\n{passages}\n\nEXAMPLE"
            f" REPLY\n{reply}"
        )
    return "\n\n".join(blocks)
