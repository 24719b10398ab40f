"""What the tasks of the refusal kind share: from a data set and its arguments to an
Inspect task.
"""

import logging
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Self

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import Scorer
from pydantic import model_validator

from refusalbench_tasks.arguments import PromptFile, Switch, Text
from refusalbench_tasks.datasets.benchmarks import (
    Benchmark,
    Selection,
    load,
    select,
    stratum,
)
from refusalbench_tasks.datasets.draw import fingerprint, part_of, shard_facts
from refusalbench_tasks.datasets.item import RefusalItem, RunRows
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.graders import announce_graders
from refusalbench_tasks.judging.grounding import Raf
from refusalbench_tasks.outcome import Cluster, GraderCheck, JudgeMode, Protocol
from refusalbench_tasks.replies.reading import load_phrases
from refusalbench_tasks.scorers.decision import OURS, Settings
from refusalbench_tasks.scorers.refusal import (
    grounded_scores,
    refusal_correct,
    refusal_scores,
)
from refusalbench_tasks.scorers.row_facts import row_facts
from refusalbench_tasks.scorers.sample_list import refusal_list
from refusalbench_tasks.solvers.refusal_prompt import prompt_text, refusal_prompt
from refusalbench_tasks.solvers.released_files import is_released, released_facts
from refusalbench_tasks.solvers.released_prompts import released_prompt

logger = logging.getLogger(__name__)


class RefusalSettings(Selection):
    """The arguments of a task of the refusal kind: its rows, what it asks, and how
    replies are scored.
    """

    confidence: Switch = False
    """Ask for one of five confidence levels with every reply, and measure calibration.
    """
    judge: JudgeMode = "cascade"
    """`cascade` (parse first, judge the rest), `always` (judge every reply), `offline`
    (no model).
    """
    protocol: Protocol = "paper"
    """`paper` (formulas as printed) or `official-code` (as the released code computes
    them).
    """
    prompt: PromptFile = None
    """A prompt file to use instead of the bundled prompt, with the slots `{{query}}`
    and `{{context}}`; `official` for the authors' own prompt, which is fetched at a
    pinned commit, or the path of their file (`.py`) or of its folder; `ours` for the
    bundled one.
    """
    judge_prompt: Text = OURS
    """The grader's prompt: `ours`, `official` (the authors' prompt, fetched), or the
    path of their file (`.py`) or of its folder.
    """
    codes: Switch = True
    """Ask for refusal codes; `false` for an application without them: only answer and
    refusal are told apart.
    """
    grader_check: GraderCheck = "stop"
    """A grader that misreads known replies ends the run before it starts (`stop`), or
    the log warns (`warn`); `off` leaves the check out.
    """
    refusals: Text | None = None
    """A file of your system's refusal phrases, one per line; only with `judge=offline`.
    """
    raf: Raf = "reply"
    """`reply` (one judgement of an answer's factuality) or `claims` (one per sentence
    of it); `garage` only.
    """
    cluster: Cluster = "question"
    """The unit that standard errors and CIs resample: the base `question`, or the `row`
    as if rows were independent.
    """

    @model_validator(mode="after")
    def _released_code_has_codes(self) -> Self:
        if self.protocol == "official-code" and not self.codes:
            raise DataError(
                "codes=false: the released code knows no replies without codes; use"
                " protocol=paper"
            )
        if not self.codes and (is_released(self.prompt) or self.judge_prompt != OURS):
            raise DataError(
                "codes=false: the released prompts ask for codes; leave out prompt= and"
                " judge_prompt="
            )
        if self.refusals and self.judge != "offline":
            raise DataError(
                "refusals: only with judge=offline; a grader reads all words"
            )
        if self.judge_prompt != OURS and not is_released(self.judge_prompt):
            raise DataError(
                "judge_prompt: expected ours, official, a .py file or its folder, got"
                f" '{self.judge_prompt}'"
            )
        if self.judge_prompt != OURS and self.raf == "claims":
            raise DataError(
                "judge_prompt: the released judge sees the reply as a whole; leave out"
                " raf=claims"
            )
        return self


def refusal_task(benchmark: Benchmark, version: str, settings: RefusalSettings) -> Task:
    """Return the task of a data set: its rows, its prompt, and the scorers of its kind.

    Raises DataError.
    """
    loaded = load(
        benchmark, settings, keep_conflicts=settings.protocol == "official-code"
    )
    whole = select(loaded, settings)
    items = part_of(
        whole, settings.shard, settings.seed, lambda item: item.source_id, stratum
    )
    scoring = _scoring(benchmark, settings)
    _name_clashes(scoring.refusals, items)
    base = (
        benchmark.prompt
        if settings.codes
        else "garage_free.txt"
        if benchmark.grounded
        else "nq_free.txt"
    )
    text = prompt_text(settings.prompt, settings.confidence, base)
    # a treatment, which takes the place of the solver, asks with the same prompt
    remembered = asdict(scoring) | (
        {"prompt": settings.prompt} if settings.prompt else {}
    )
    return Task(
        dataset=MemoryDataset(
            [item.to_sample(remembered) for item in items], name=benchmark.name
        ),
        setup=announce_graders(
            needed=settings.judge != "offline",
            rows=RunRows(items),
            check=scoring.check,
        ),
        solver=refusal_prompt(
            settings.prompt, settings.confidence, benchmark.grounded, base
        ),
        scorer=_scorers(scoring),
        headline_metric=HeadlineMetric(
            scorer="grounded_scores" if benchmark.grounded else "refusal_scores",
            # as headline()
            metric=("calibrated_refusal_score" if settings.codes else "detection_f1"),
        ),
        viewer=refusal_list(benchmark.grounded),
        version=version,
        metadata=loaded.provenance
        | {
            "selected_rows": len(items),
            "selected_fingerprint": fingerprint(items),
        }
        | _prompts(benchmark, text, settings)
        | shard_facts(settings.shard, whole),
    )


def _scoring(benchmark: Benchmark, settings: RefusalSettings) -> Settings:
    return Settings(
        judge=settings.judge,
        confidence=settings.confidence,
        grounded=benchmark.grounded,
        protocol=settings.protocol,
        raf=settings.raf,
        codes=settings.codes,
        cluster=settings.cluster,
        judge_prompt=settings.judge_prompt,
        grader_check=settings.grader_check,
        refusals=(
            "\n".join(load_phrases(settings.refusals)) if settings.refusals else ""
        ),
    )


def _name_clashes(refusals: str, items: Sequence[RefusalItem]) -> None:
    """Warn of a phrase of refusals that stands in a gold answer: right answers that
    hold it would be refusals.
    """
    answers = "\n".join(
        answer.casefold()
        for item in items
        if item.answerable
        for answer in item.references
    )
    for phrase in refusals.splitlines():
        if phrase.casefold() in answers:
            logger.warning(
                f"refusals: '{phrase}' stands in a gold answer of these rows; give a"
                " longer phrase"
            )


def _prompts(
    benchmark: Benchmark, text: str, settings: RefusalSettings
) -> dict[str, str]:
    """Return what the log says of the prompts: hashes of the text and of files."""
    facts = {"prompt_sha256": sha256(text.encode()).hexdigest()}
    if settings.prompt and is_released(settings.prompt):
        file = released_prompt(benchmark.task, settings.prompt).file
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


def _scorers(settings: Settings) -> list[Scorer]:
    # without arguments a scorer goes by the settings that each sample remembers
    return [
        refusal_correct(),
        grounded_scores() if settings.grounded else refusal_scores(),
        row_facts(),
    ]
