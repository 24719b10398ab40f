"""What the YAML files beside this module name: rows with their prompts, replies judged
offline, and the numbers that a log of Inspect holds.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import nan
from typing import Any

from refusalbench_tasks.datasets.benchmarks import (
    GARAGE,
    NQ,
    Benchmark,
    Selection,
    load,
    select,
)
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.rows import Row, read_rows
from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.metrics.metric_table import METRICS
from refusalbench_tasks.metrics.refusal import logged_numbers
from refusalbench_tasks.metrics.refusal_metrics import RATES
from refusalbench_tasks.metrics.reply_table import BLANK, reply_table
from refusalbench_tasks.offline import judge_item
from refusalbench_tasks.prompting import bundled, fill, numbered
from refusalbench_tasks.prompting.refusal_template import filled_prompt, prompt_text
from refusalbench_tasks.replies.ab_probability import (
    FALSE,
    MIN_MASS,
    TRUE,
    from_logprobs,
)
from refusalbench_tasks.replies.code import visible_text
from refusalbench_tasks.replies.confidence import level_at
from refusalbench_tasks.taxonomy import Label

Document = Mapping[str, Any]
"""A row as the harness has it: `prompt`, what is `expected`, and the `item` as JSON."""
Splits = dict[str, Any]


def _number(name: str, rows: Sequence[Document]) -> float:
    """Return a number of a log; NaN where it is undefined."""
    return logged_numbers(reply_table(rows)).get(name, nan)


def _metric_list(names: Iterable[str]) -> list[dict[str, Any]]:
    """Return what a declaration says of numbers: each, and behind it the standard error
    of the log, where the harness has put one that it doesn't know.
    """
    listed = []
    for name in names:
        higher = METRICS[name].better == "higher"
        for column, better in ((name, higher), (f"{name}_stderr", False)):
            listed.append(
                {
                    "metric": column,
                    "aggregation": partial(_number, column),
                    "higher_is_better": better,
                }
            )
    return listed


def _scored(answerable: bool, rows: Sequence[Document]) -> int:
    """Return of how many rows with an answer, or without, the reply is scored."""
    table = reply_table(rows)
    alike = (table["expected"] == Label.ANSWER) == answerable
    return int((alike & (table["outcome"] != "unscored")).sum())


def _count(name: str, answerable: bool) -> dict[str, Any]:
    counted = partial(_scored, answerable)
    return {"metric": name, "aggregation": counted, "higher_is_better": True}


COUNTS = [_count("answerable_n", True), _count("unanswerable_n", False)]
"""The n of false and of missed refusals: the harness shows none."""
REFUSAL = [
    *_metric_list(
        name
        for name, metric in RATES.items()
        if (metric.main or metric.logged) and not metric.grounded
    ),
    *COUNTS,
]
"""The numbers of replies; no answer of `garage` is graded offline."""
CONFIDENCE = _metric_list(("ece", "brier", "unscored_rate"))
"""The numbers of p(true)."""


def nq_splits(
    data: str = "hub",
    per_stratum: int | None = None,
    quick: bool = False,
    **others: Any,
) -> Splits:
    """Return the rows of `nq`: the arguments are those of the task, what else the
    harness hands over is ignored. Raises DataError.
    """
    return _splits(NQ, Selection(data=data, per_stratum=per_stratum, quick=quick))


def garage_splits(
    data: str = "hub",
    per_stratum: int | None = None,
    quick: bool = False,
    **others: Any,
) -> Splits:
    """Return the rows of `garage`, as `nq_splits` does."""
    return _splits(GARAGE, Selection(data=data, per_stratum=per_stratum, quick=quick))


def worlds_splits(n: int | None = None, **others: Any) -> Splits:
    """Return `n` synthetic rows of one passage each, 1,800 by default."""
    return _splits(NQ, Selection(data="worlds", n=n))


def answer_splits(replies: str = "", **others: Any) -> Splits:
    """Return the answers that are known to be right or wrong in a file of samples
    (`--log_samples`) of another of these tasks, each with the question whether it is.

    Raises DataError for a file that is none or has no such answer.
    """
    documents = []
    for sample in read_rows(replies, "replies", ""):
        document, item, reply = _sample(sample)
        row = judge_item(item, reply, document["grounded"])
        if row["predicted"] == Label.ANSWER and row["right"] in (0, 1):
            question = {
                "prompt": _ptrue_prompt(item, visible_text(reply)),
                "expected": TRUE if row["right"] else FALSE,
                "reply": reply,
            }
            documents.append({**document, **question})
    if not documents:
        raise DataError(f"{replies}: no answer that is known to be right or wrong")
    return _test_split(documents)


def judged_reply(document: Document, results: Sequence[str]) -> dict[str, Document]:
    """Return the reply's row in the table of replies, under the name of each number.

    Why a reply ended the harness doesn't say: one that was cut off counts as whole.
    """
    return _named(REFUSAL, _judged(document, results[0]))


def confidence_in_answer(
    document: Document, results: Sequence[tuple[float, bool]]
) -> dict[str, Document]:
    """Return the row of an answer, with the level of confidence in whose range p(true)
    lies, from the log-likelihoods of A and B; unscored if they hold less than MIN_MASS.
    """
    row = _judged(document, document["reply"])
    letters = zip((TRUE, FALSE), results, strict=True)
    reading = from_logprobs((letter, logprob) for letter, (logprob, _) in letters)
    if reading is None or reading.mass < MIN_MASS:
        row |= {"outcome": "unscored", "reason": "low_mass"}
    else:
        row["level"] = level_at(reading.probability).value
    return _named(CONFIDENCE, row | {"confidence_asked": True})


def _named(metrics: Sequence[Document], row: Document) -> dict[str, Document]:
    """Return a row under the name of each metric."""
    filled = {}
    for column, value in row.items():
        # what is unknown is filled in again, and need not be in a file of samples
        if value == value and value != BLANK.get(column):
            filled[column] = value
    return {metric["metric"]: filled for metric in metrics}


def _judged(document: Document, reply: str) -> dict[str, Any]:
    item = RefusalItem.model_validate_json(document["item"])
    return judge_item(item, reply, document["grounded"])


def _splits(benchmark: Benchmark, selection: Selection) -> Splits:
    """Return the rows of a run, in an order whose beginning is balanced (`--limit`)."""
    template = prompt_text(base=benchmark.prompt)
    grounded = benchmark.grounded
    documents = []
    for item in select(load(benchmark, selection), selection):
        prompt = filled_prompt(
            template,
            item.query,
            item.passages,
            grounded,
        )
        documents.append(
            {
                "prompt": prompt,
                "expected": item.expected.value,
                "grounded": grounded,
                "item": item.model_dump_json(),
            }
        )
    return _test_split(documents)


def _test_split(documents: Sequence[Document]) -> Splits:
    from datasets.arrow_dataset import Dataset

    return {"test": Dataset.from_list(documents)}


def _sample(sample: Row) -> tuple[Document, RefusalItem, str]:
    """Return the row, as it was and as an item, and the reply of a line of samples.

    Raises DataError.
    """
    try:
        document = sample.values["doc"]
        [reply] = sample.values["filtered_resps"]
        item = RefusalItem.model_validate_json(document["item"])
        return document, item, str(reply)
    except (KeyError, TypeError, ValueError):
        raise RowError(
            sample.source,
            sample.place,
            "doc",
            "expected a sample of refusalbench_nq, _garage or _worlds (--log_samples)",
        ) from None


def _ptrue_prompt(item: RefusalItem, reply: str) -> str:
    """Return the question whether a reply is true, behind the passages."""
    solvers = "refusalbench_tasks.solvers"
    values = {"sources": numbered(item.passages), "query": item.query}
    sources = fill(bundled(solvers, "bluff_sources.txt"), values)
    proposed = {"material": material({"PROPOSED ANSWER": reply})}
    return f"{sources}\n\n{fill(bundled(solvers, 'ptrue.txt'), proposed)}"
