"""What the tasks of the refusal kind share: from a data set and its arguments to an
Inspect task.
"""

import logging
from collections.abc import Sequence
from hashlib import sha256
from typing import Self

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from pydantic import model_validator

from refusalbench_tasks.arguments import PromptFile, Switch, Text
from refusalbench_tasks.datasets.balance import Items, stratum
from refusalbench_tasks.datasets.benchmarks import (
    Benchmark,
    Selection,
    load,
    select,
)
from refusalbench_tasks.datasets.draw import fingerprint, shard_entries, shard_facts
from refusalbench_tasks.datasets.item import RefusalItem, RunRows
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.graders import announce_graders
from refusalbench_tasks.prompting.refusal_template import prompt_name, prompt_text
from refusalbench_tasks.prompting.released_files import is_released, released_facts
from refusalbench_tasks.prompting.released_prompts import released_prompt
from refusalbench_tasks.scorers.refusal import (
    grounded_scores,
    refusal_correct,
    refusal_scores,
)
from refusalbench_tasks.scorers.refusal_settings import (
    OURS,
    DecisionSettings,
    RefusalScoring,
)
from refusalbench_tasks.scorers.row_facts import row_facts
from refusalbench_tasks.scorers.sample_list import sample_list
from refusalbench_tasks.solvers.refusal_prompt import refusal_prompt

logger = logging.getLogger(__name__)


class RowSettings(Selection, RefusalScoring):
    """What all tasks over rows to be answered or refused are given."""

    ask: Switch = False
    """Tell the model, or the agent, that it may ask back where the question is
    unclear.
    """


class RefusalSettings(RowSettings):
    """The arguments of a task of the refusal kind: its rows, what it asks, and how
    replies are scored.
    """

    prompt: PromptFile = None
    """A prompt file to use instead of the bundled prompt, with the slots `{{query}}`
    and `{{context}}`; `official` for the authors' own prompt, which is fetched at a
    pinned commit, or the path of their file (`.py`) or of its folder; `ours` for the
    bundled one.
    """
    prompt_language: Text | None = None
    """The language of the bundled prompt, `row` for that of each row's question."""

    @model_validator(mode="after")
    def _translated_as_it_stands(self) -> Self:
        differs = self.prompt or self.ask or self.confidence or not self.codes
        if self.prompt_language and differs:
            raise DataError(
                "prompt_language: leave out prompt=, ask=, confidence= and codes=false"
            )
        return self

    @model_validator(mode="after")
    def _go_with_the_released_prompt(self) -> Self:
        if not self.codes and is_released(self.prompt):
            raise DataError(
                "codes=false: the released prompts ask for codes; leave out prompt="
            )
        if self.ask and is_released(self.prompt):
            raise DataError(
                "ask=true: the released prompts allow no question back; leave out"
                " prompt="
            )
        return self


def refusal_task(
    benchmark: Benchmark,
    version: str,
    settings: RefusalSettings,
) -> Task:
    """Return the task of a data set: its rows, its prompt, and the scorers of its kind.

    Raises DataError.
    """
    released = settings.protocol == "official-code"
    loaded = load(benchmark, settings, keep_conflicts=released)
    whole = select(loaded, settings)
    grounded = benchmark.grounded
    items, scoring = run_rows(whole, settings, grounded)
    base = _bundled_prompt(benchmark, settings.codes)
    prompts = {prompt_name(base, settings.prompt_language, item) for item in items}
    scores = "grounded_scores" if grounded else "refusal_scores"
    # a treatment, which takes the place of the solver, asks with the same prompt
    asking = settings.model_dump(include={"prompt", "ask", "prompt_language"})
    remembered = scoring.model_dump() | asking
    samples = [item.to_sample(remembered) for item in items]
    return Task(
        dataset=MemoryDataset(samples, name=benchmark.name),
        setup=announce_graders(
            needed=settings.judge != "offline",
            rows=RunRows(items),
            check=scoring.check,
        ),
        solver=refusal_prompt(
            settings.prompt,
            settings.confidence,
            grounded,
            base,
            settings.ask,
            settings.prompt_language,
        ),
        # each sample remembers how it is to be scored
        scorer=[
            refusal_correct(),
            grounded_scores() if grounded else refusal_scores(),
            row_facts(),
        ],
        headline_metric=headline_of(scoring, scores),
        viewer=sample_list(scores),
        version=version,
        metadata={
            **loaded.provenance,
            "selected_rows": len(items),
            "selected_fingerprint": fingerprint(items),
            **_prompts(benchmark, prompts, settings),
            **shard_facts(settings.shard, whole),
        },
    )


def run_rows(
    whole: Items,
    settings: RowSettings,
    grounded: bool,
) -> tuple[Items, DecisionSettings]:
    """Return the rows of the shard that is asked for, and how replies to them are
    scored.
    """
    items = shard_entries(
        whole,
        settings.shard,
        settings.seed,
        lambda item: item.source_id,
        stratum,
    )
    arguments = settings.model_dump(include=set(RefusalScoring.model_fields))
    scoring = DecisionSettings(**arguments, grounded=grounded)
    name_clashes(scoring.phrases, items)
    return items, scoring


def _bundled_prompt(benchmark: Benchmark, codes: bool) -> str:
    if codes:
        return benchmark.prompt
    return "garage_free.txt" if benchmark.grounded else "nq_free.txt"


def headline_of(scoring: DecisionSettings, scorer: str) -> HeadlineMetric:
    """Return the headline of a log, as `metrics.refusal_metrics.headline` names it."""
    # which is not loaded before there are replies
    metric = "calibrated_refusal_score" if scoring.codes else "detection_f1"
    return HeadlineMetric(scorer=scorer, metric=metric)


def name_clashes(
    phrases: Sequence[str],
    items: Sequence[RefusalItem],
) -> None:
    """Warn of a phrase of refusals that stands in a gold answer: right answers that
    hold it would be refusals.
    """
    references: list[str] = []
    for item in items:
        if item.answerable:
            references += item.references
    answers = "\n".join(references).casefold()
    for phrase in phrases:
        if phrase.casefold() in answers:
            logger.warning(
                f"refusals: '{phrase}' stands in a gold answer of these rows; give a"
                " longer phrase"
            )


def _prompts(
    benchmark: Benchmark,
    prompts: set[str],
    settings: RefusalSettings,
) -> dict[str, str]:
    """Return what the log says of the prompts: hashes of the texts and of files."""
    texts = []
    prompt = settings.prompt
    for name in sorted(prompts):
        text = prompt_text(
            prompt,
            settings.confidence,
            name,
            settings.ask,
        )
        texts.append(text)
    facts = {"prompt_sha256": sha256("\n".join(texts).encode()).hexdigest()}
    if prompt and is_released(prompt):
        file = released_prompt(benchmark.task, prompt).file
        facts |= released_facts("prompt", file)
    if settings.judge_prompt != OURS:
        uses = ["nq judge"]
        if benchmark.grounded:
            uses = ["garage judge, answerable", "garage judge, unanswerable"]
        # both of garage stand in one file
        for use in uses:
            file = released_prompt(use, settings.judge_prompt).file
            facts |= released_facts("judge_prompt", file)
    return facts
