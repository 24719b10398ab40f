"""The few numbers of a log that fit on a screen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from refusalbench_tasks.datasets.benchmarks import tasks_text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.files.log_header import AnyHeader, Scores
from refusalbench_tasks.metrics.consistency import CONSISTENCY
from refusalbench_tasks.metrics.hedging_n import IN_SHOW
from refusalbench_tasks.metrics.refusal import RATES
from refusalbench_tasks.metrics.refusal_values import OF_CONTROLS, WITH_INTERVALS
from refusalbench_tasks.metrics.retrieval import RETRIEVAL
from refusalbench_tasks.outcome import Reason
from refusalbench_tasks.results.logs.score_names import scores_of
from refusalbench_tasks.results.logs.stored import read_summaries
from refusalbench_tasks.results.logs.system_name import system_of
from refusalbench_tasks.results.logs.task_facts import task_facts
from refusalbench_tasks.results.logs.versions import versions_of

if TYPE_CHECKING:
    from inspect_ai.log import EvalScore

_CONTROLS = tuple(f"control_{name}" for name in OF_CONTROLS)
_CODED = tuple(name for name in WITH_INTERVALS if RATES[name].coded)
"""What runs without codes lack."""
_CALIBRATION = ("ece", "ece_answers", "ece_refusals", "ece_answerable", "ece_unanswerable", "brier")
_GROUNDED = ("hybrid_score", "answer_quality", "eligibility")


@dataclass(frozen=True)
class Layout:
    """What is shown of one kind of log: rates, each with the name of its n, and counts."""

    scorers: tuple[str, ...]
    rates: Mapping[str, str]
    counts: tuple[str, ...]
    reasons: tuple[str, ...] = ()
    """Counts that are shown only where they are not 0: why something is unscored."""
    optional: tuple[str, ...] = ()
    """Rates that are shown only where a log has them."""
    groups: tuple[str, ...] = ()
    """The beginnings of further counts that are shown only where they are not 0: what came of what was made."""

    def reasons_in(self, metrics: Mapping[str, float]) -> list[str]:
        """Return the names of the counts that are shown because they are not 0, in their order."""
        grouped = [name for start in self.groups for name in sorted(metrics) if name.startswith(start)]
        return [name for name in (*self.reasons, *grouped) if metrics.get(name)]


_REASONS = tuple(f"n_{reason}" for reason in get_args(Reason))
REFUSAL = Layout(
    ("refusal_scores", "grounded_scores"),
    {name: f"{name}_n" for name in (*WITH_INTERVALS, *_GROUNDED, *CONSISTENCY, *_CONTROLS, *RETRIEVAL, *_CALIBRATION)}
    # so that logs from before there was an n of each have it too
    | dict.fromkeys(("ece", "brier"), "confidence_n"),
    ("n_by_parse", "n_by_alias", "n_by_type", "n_by_judge", "n_unscored", "n_self_graded"),
    _REASONS,
    (*_CODED, *_GROUNDED, *CONSISTENCY, *_CONTROLS, *RETRIEVAL, *_CALIBRATION),
)
HEDGING = Layout(
    ("hedging_scores",),
    IN_SHOW,
    (
        "n_pairs",
        "n_pairs_refused",
        "n_pairs_unscored",
        "n_pairs_missing_arm",
        "n_pairs_no_confidence",
        "n_by_phrase",
        "n_by_judge",
        "n_unscored",
        "n_self_graded",
    ),
    _REASONS,
)
GENERATION = Layout(
    ("consensus_scores",),
    {"acceptance": "acceptance_n", "yield": "yield_n"},
    ("n_candidates", "n_items", "n_accepted", "n_unscored", "calls"),
)
_PER_ACCEPTED = {"calls_per_accepted": "n_accepted", "tokens_per_accepted": "n_accepted"}
_YIELDS = {"acceptance": "acceptance_n", "acceptance_low": "acceptance_bounds_n",
           "acceptance_high": "acceptance_bounds_n", "yield": "yield_n"}  # fmt: skip
QUESTIONS = Layout(
    ("question_scores",),
    {**_YIELDS, "known": "known_n", **_PER_ACCEPTED},
    ("n_chunks", "n_chunks_unscored", "n_chunks_without_question", "n_questions", "n_accepted", "n_rejected",
     "n_undecided", "n_withdrawn", "calls"),
    optional=("known", *_PER_ACCEPTED),
    groups=("chunk/", "rejected/", "rule/", "undecided/"),
)  # fmt: skip
COLLECTION = Layout(
    ("collection_scores",),
    {**_YIELDS, "entropy": "entropy_n", **_PER_ACCEPTED, "searches_per_accepted": "n_accepted",
     "pages_per_accepted": "n_accepted"},
    ("n_records", "n_accepted", "n_rejected", "n_undecided", "n_weak", "calls", "searches", "pages"),
    optional=("entropy", *_PER_ACCEPTED, "searches_per_accepted", "pages_per_accepted"),
    groups=("rejected/", "undecided/", "shortfall/", "left_out/"),
)  # fmt: skip
LAYOUTS = (REFUSAL, HEDGING, GENERATION, QUESTIONS, COLLECTION)
LABELS = ("refusal_correct", "hedging_label")
"""The scorers whose metrics are how often each label occurs."""


@dataclass(frozen=True)
class Summary:
    """One log: who was evaluated, on what, how completely, and its metrics by name."""

    name: str
    layout: Layout
    status: str
    samples: int
    completed: int
    metrics: Mapping[str, float]
    task: str = ""
    data: str = ""
    fingerprint: str = ""
    protocol: str = ""
    again: bool = False
    """Whether the scores were added by scoring the log again."""
    judge: str = ""
    versions: str = ""
    """Of the suite and of Inspect, with which the log was written."""


def our_scores(log: AnyHeader) -> "list[tuple[EvalScore | Scores, Layout]]":
    """Return our sets of scores in a log's header with their layouts, the oldest first."""
    return [
        (score, layout)
        for score in (log.results.scores if log.results else [])
        for layout in LAYOUTS
        if scores_of([score.name], layout.scorers)
    ]


def summarise(log: AnyHeader) -> list[Summary]:
    """Return one summary of a log's header per set of our scores in it, the oldest first.

    Raises DataError if it has none of our scores.
    """
    results, score_sets = log.results, our_scores(log)
    if results is None or not score_sets:
        raise DataError(
            f"{log.location}: no scores of ours (status: {log.status}); "
            f"is it a finished log of {tasks_text('bluff', 'perturb', 'question', 'collect')}?"
        )
    facts = task_facts(log)
    return [
        Summary(
            name=system_of(log.eval).name,
            layout=layout,
            status=log.status,
            samples=results.total_samples,
            completed=results.completed_samples,
            metrics={key: metric.value for key, metric in score.metrics.items()},
            task=log.eval.task.rpartition("/")[2],
            data=facts.data,
            fingerprint=facts.selected_fingerprint,
            protocol=str((log.eval.task_args or {}).get("protocol", "")).replace("paper", ""),
            again=k > 0,
            judge=_judge(log.location, score.name) if k > 0 else "",
            versions=versions_of(log),
        )
        for k, (score, layout) in enumerate(score_sets)
    ]


def _judge(log: str, scorer: str) -> str:
    """Return the models that graded one set of scores, which only the samples tell."""
    graders: set[str] = set()
    for summary in read_summaries(log):
        score = (summary.get("scores") or {}).get(scorer) or {}
        graders |= set(map(str, (score.get("metadata") or {}).get("graders") or ()))
    return " + ".join(sorted(graders)) or "none"
