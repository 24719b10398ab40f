"""BLUFF-1000: does a model sound as sure as its sources allow, and refuse where they do
not suffice?
"""

from hashlib import sha256
from typing import Never

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.log import HeadlineMetric
from inspect_ai.solver import Solver

from refusalbench_tasks.arguments import (
    Count,
    Fraction,
    PromptFile,
    Switch,
    reject_unknown,
)
from refusalbench_tasks.datasets.bluff import BluffSelection, load_bluff, select_bluff
from refusalbench_tasks.datasets.draw import fingerprint, shard_entries, shard_facts
from refusalbench_tasks.datasets.item import RunRows
from refusalbench_tasks.judging.graders import ROLE as GRADER
from refusalbench_tasks.judging.graders import announce_graders
from refusalbench_tasks.outcome import (
    Cluster,
    GraderCheck,
    HedgingMode,
    JudgeMode,
    Protocol,
)
from refusalbench_tasks.prompting.released_files import is_released, released_facts
from refusalbench_tasks.prompting.released_prompts import released_prompt
from refusalbench_tasks.replies.word_lists import word_lists
from refusalbench_tasks.scorers.hedging import hedging_correct, hedging_scores
from refusalbench_tasks.scorers.hedging_decision import Attribution, HedgingSettings
from refusalbench_tasks.scorers.row_facts import row_facts
from refusalbench_tasks.scorers.sample_list import sample_list
from refusalbench_tasks.solvers.hedging_prompt import hedging_prompt, rules_text
from refusalbench_tasks.solvers.ptrue import ASKED_BY_LETTER, Method
from refusalbench_tasks.solvers.ptrue import ROLE as CONFIDENCE
from refusalbench_tasks.solvers.ptrue import ptrue as ask_ptrue

VERSION = "1-A"


class BluffSettings(BluffSelection, HedgingSettings):
    """The arguments of `bluff`: its questions, what it asks, how confidence is
    measured, how replies are scored.
    """

    show_date: Switch = False
    """Show a date line for each source ("unknown" where the data has none, as in the
    released set).
    """
    words: Count = 75
    """The longest reply that the prompt allows."""
    threshold: Fraction = 0.2
    """The confidence at or below which the prompt asks for a refusal."""
    prompt: PromptFile = None
    """A file with other rules, with the slots `{{words}}` and `{{threshold}}`;
    `official` for the authors' own prompts (for the answer and for p(true), fetched
    at a pinned commit; they have their own rules), or a folder with copies of both
    files; `ours` for the bundled.

    With the authors' prompts `ptrue=verbal` asks for a confidence in the reply.
    """
    ptrue: Method = "logprob"
    """How confidence is measured: `logprob`, `sample`, `verbal`, `none`.

    The evaluated model is asked, or the role `confidence`.
    """
    ptrue_samples: Count = 10
    """Votes per reply for `ptrue=sample`; the confidence moves in steps of 1 /
    ptrue_samples.
    """

    @property
    def released(self) -> str | None:
        """Return the argument that names released prompts; None for any other."""
        return self.prompt if is_released(self.prompt) else None

    @property
    def asks_confidence(self) -> bool:
        """Return whether the prompt asks for a confidence in the reply."""
        return self.released is not None and self.ptrue == "verbal"


@task
def bluff(
    data: str = "hub",
    topics: str | None = None,
    per_topic: int | None = None,
    seed: int = 0,
    quick: bool = False,
    arms: str = "clear,ambiguous",
    shuffle_sources: bool = False,
    show_date: bool = False,
    words: int = 75,
    threshold: float = 0.2,
    prompt: str | None = None,
    ptrue: Method = "logprob",
    ptrue_samples: int = 10,
    lexicon: str | None = None,
    boosters: str = "boosters",
    official_lists: str | None = None,
    attribution: Attribution = "tokens",
    hedging: HedgingMode = "list",
    judge: JudgeMode = "cascade",
    reader: str = "ngrams",
    grader_check: GraderCheck = "stop",
    protocol: Protocol = "paper",
    cluster: Cluster = "question",
    shard: str | None = None,
    n: int | None = None,
    domains: str | None = None,
    **others: Never,
) -> Task:
    """Return BLUFF-1000: each question with clear and with ambiguous sources; hedging,
    confidence, refusal.

    `BluffSettings`, `BluffSelection` and `HedgingSettings` document the arguments. An
    unknown argument is an error, before anything is loaded.
    """
    reject_unknown(bluff, others)
    settings = BluffSettings(
        data=data,
        topics=topics,
        per_topic=per_topic,
        seed=seed,
        quick=quick,
        arms=arms,
        shuffle_sources=shuffle_sources,
        show_date=show_date,
        words=words,
        threshold=threshold,
        prompt=prompt,
        ptrue=ptrue,
        ptrue_samples=ptrue_samples,
        lexicon=lexicon,
        boosters=boosters,
        official_lists=official_lists,
        attribution=attribution,
        hedging=hedging,
        judge=judge,
        reader=reader,
        grader_check=grader_check,
        protocol=protocol,
        cluster=cluster,
        shard=shard,
        n=n,
        domains=domains,
    )
    return bluff_task(settings)


def _solvers(settings: BluffSettings) -> list[Solver]:
    return [
        hedging_prompt(
            settings.words,
            settings.threshold,
            settings.show_date,
            settings.prompt,
            settings.asks_confidence,
        ),
        ask_ptrue(
            settings.ptrue,
            settings.ptrue_samples,
            settings.show_date,
            settings.protocol,
            settings.released,
        ),
    ]


def _prompts(settings: BluffSettings) -> dict[str, str]:
    """Return what the log says of the prompts: hashes of the text and of files."""
    released = settings.released
    text = rules_text(settings.prompt, settings.asks_confidence)
    facts = {"prompt_sha256": sha256(text.encode()).hexdigest()}
    if released is None:
        return facts
    facts |= released_facts("prompt", released_prompt("bluff", released).file)
    if settings.ptrue in ASKED_BY_LETTER:
        file = released_prompt("bluff p(true), user", released).file
        facts |= released_facts("ptrue_prompt", file)
    return facts


def bluff_task(settings: BluffSettings) -> Task:
    """Return the task of some settings.

    Raises DataError for word lists or a prompt that are none, and for bad rows.
    """
    lists = word_lists(
        settings.protocol,
        settings.lexicon,
        settings.boosters,
        settings.official_lists,
    )
    items, provenance = load_bluff(settings.data, settings.arms, settings)
    whole = select_bluff(items, settings)
    chosen = shard_entries(
        whole,
        settings.shard,
        settings.seed,
        lambda item: item.question,
        lambda item: f"{item.topic}|{item.arm}",
    )
    remembered = settings.model_dump(include=set(HedgingSettings.model_fields))
    return Task(
        dataset=MemoryDataset(
            [item.to_sample(remembered) for item in chosen], name="BLUFF-1000"
        ),
        setup=announce_graders(
            needed=settings.judge != "offline",
            roles=(GRADER, CONFIDENCE),
            rows=RunRows(chosen),
            check=settings.check,
        ),
        solver=_solvers(settings),
        # each sample remembers how it is to be scored
        scorer=[hedging_correct(), hedging_scores(), row_facts()],
        viewer=sample_list("hedging_scores"),
        headline_metric=HeadlineMetric(scorer="hedging_scores", metric="asi"),
        version=VERSION,
        metadata=provenance
        | {
            "selected_rows": len(chosen),
            "selected_fingerprint": fingerprint(chosen),
            "word_lists": dict(lists.about),
        }
        | _prompts(settings)
        | shard_facts(settings.shard, whole),
    )
