"""The scores of a refusal task: whether a reply is right, and the numbers behind every
metric.
"""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    accuracy,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from refusalbench_tasks.arguments import require
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.judging.grounding import Raf
from refusalbench_tasks.outcome import (
    Cluster,
    GraderCheck,
    JudgeMode,
    Protocol,
    is_right,
    reply_outcome,
)
from refusalbench_tasks.replies.citations import count_citations
from refusalbench_tasks.replies.confidence import MIDPOINTS
from refusalbench_tasks.scorers.carried import carrying
from refusalbench_tasks.scorers.decision import OURS, Decision, Settings, decide
from refusalbench_tasks.scorers.run_settings import RunSettings
from refusalbench_tasks.solvers.retrieved import retrieval_notes, seen_item
from refusalbench_tasks.solvers.treatments import NOTES
from refusalbench_tasks.taxonomy import REFUSAL, Label

NAN = float("nan")
DEFAULTS: dict[str, Any] = {
    "judge": "cascade",
    "confidence": False,
    "grounded": False,
    "protocol": "paper",
    "raf": "reply",
    # a log from before there was a choice has none of these: nothing to warn of
    "codes": None,
    "cluster": None,
    "judge_prompt": None,
    "refusals": None,
    "grader_check": None,
}
CHOICES: dict[str, Any] = {
    "judge": JudgeMode,
    "protocol": Protocol,
    "raf": Raf,
    "cluster": Cluster,
    "grader_check": GraderCheck,
}
SettingsOf = Callable[[TaskState], Settings]


@metric(scores="unreduced")
def refusal_metrics(cluster: Cluster | None = None) -> Metric:
    """Return the paper's main metrics (App. D), each with `_stderr`, and as `stderr`
    that of the headline.

    It is unreduced, so `--epochs-reducer` has no effect on it: an average of the labels
    of a sample's epochs means nothing.

    Args:
        cluster: `question` resamples base questions; `row` takes rows for independent,
            for comparison with the paper. Without it as the run was told.
    """
    require(Cluster, cluster=cluster)

    def compute(scores: list[SampleScore]) -> Value:
        # every `inspect` command imports this module, and few need the arithmetic
        from refusalbench_tasks.metrics.refusal import logged_numbers
        from refusalbench_tasks.metrics.reply_table import of_scores

        table = of_scores(scores)
        return logged_numbers(
            table if cluster is None else table.assign(cluster_by=cluster)
        )

    return compute


@scorer(metrics=[accuracy(), stderr(cluster="source_id")])
def refusal_correct(
    judge: JudgeMode | None = None,
    confidence: bool | None = None,
    grounded: bool | None = None,
    protocol: Protocol | None = None,
    raf: Raf | None = None,
    codes: bool | None = None,
    judge_prompt: str | None = None,
    grader_check: GraderCheck | None = None,
) -> Scorer:
    """Score whether a reply is right: a right answer where there is one, else the gold
    refusal code.

    The value is `C` or `I`, and the explanation one line: what was expected, what was
    given, who decided and why. What could not be measured is unscored, with the reason.
    Arguments that are not given are those of the run.

    Args:
        judge: `cascade` (parse first, judge the rest), `always` (judge every reply),
            `offline` (no model).
        confidence: Expect a confidence line at the end of the reply.
        grounded: Grade answers against ten passages. Beside `grounded_scores` the judge
            is asked once for both.
        protocol: As in `grounded_scores`.
        raf: As in `grounded_scores`.
        codes: Whether codes were asked for; if not, any refusal of an unanswerable row
            is right.
        judge_prompt: `ours`, `official` (the authors' prompt, fetched), or the path of
            their file.
        grader_check: What happens if a grader misreads known replies: `stop` the run,
            `warn`, or `off` (no check).
    """
    given = {
        "judge": judge,
        "confidence": confidence,
        "protocol": protocol,
        "codes": codes,
    }
    settings_of = _settings(
        grounded=grounded,
        raf=raf,
        judge_prompt=judge_prompt,
        grader_check=grader_check,
        **given,
    )

    async def score(state: TaskState, target: Target) -> Score:
        settings = settings_of(state)
        decision = await decide(state, settings)
        return carrying(
            correctness(state.metadata_as(RefusalItem), decision, settings),
            settings,
            decision,
        )

    return score


@scorer(metrics=[refusal_metrics()])
def refusal_scores(
    judge: JudgeMode | None = None,
    confidence: bool | None = None,
    protocol: Protocol | None = None,
    cluster: Cluster | None = None,
    codes: bool | None = None,
    judge_prompt: str | None = None,
    grader_check: GraderCheck | None = None,
) -> Scorer:
    """Score a reply by numbers: refused, hit (the gold code), right, grade, confidence,
    unscored.

    NaN is "unknown".

    Its metrics are those of the paper. The predicted label is the score's answer,
    `REFUSAL` for a refusal whose code nobody read. Arguments that are not given are
    those of the run.

    Args:
        judge: `cascade` (parse first, judge the rest), `always` (judge every reply),
            `offline` (no model).
        confidence: Expect a confidence line at the end of the reply.
        protocol: `paper` (formulas as printed) or `official-code` (as the released
            scripts compute them).
        cluster: What standard errors and intervals resample: the `question` or the
            `row`.
        codes: Whether codes were asked for; if not, answers are told from refusals
            alone, whose code is unknown.
        judge_prompt: As in `refusal_correct`.
        grader_check: As in `refusal_correct`.
    """
    given = {
        "judge": judge,
        "confidence": confidence,
        "protocol": protocol,
        "cluster": cluster,
        "codes": codes,
    }
    return _numbers_scorer(
        _settings(
            grounded=False,
            judge_prompt=judge_prompt,
            grader_check=grader_check,
            **given,
        )
    )


@scorer(metrics=[refusal_metrics()])
def grounded_scores(
    judge: JudgeMode | None = None,
    confidence: bool | None = None,
    protocol: Protocol | None = None,
    raf: Raf | None = None,
    cluster: Cluster | None = None,
    codes: bool | None = None,
    judge_prompt: str | None = None,
    grader_check: GraderCheck | None = None,
) -> Scorer:
    """Score a reply to ten passages by numbers: as `refusal_scores`, with eligibility,
    factuality and citations.

    Arguments that are not given are those of the run.

    Args:
        judge: `cascade` (parse first, judge the rest), `always` (judge every reply),
            `offline` (no model).
        confidence: Expect a confidence line at the end of the reply.
        protocol: `paper` (RAF = eligible and every claim supported by relevant
            passages) or `official-code` (the second alone; unscored rows stay in the
            denominators).
        raf: `reply` (one judgement of the whole reply) or `claims` (one per sentence of
            it).
        cluster: What standard errors and intervals resample: the `question` or the
            `row`.
        codes: As in `refusal_scores`.
        judge_prompt: As in `refusal_correct`.
        grader_check: As in `refusal_correct`.
    """
    given = {
        "judge": judge,
        "confidence": confidence,
        "protocol": protocol,
        "cluster": cluster,
        "codes": codes,
    }
    return _numbers_scorer(
        _settings(
            grounded=True,
            raf=raf,
            judge_prompt=judge_prompt,
            grader_check=grader_check,
            **given,
        )
    )


def _numbers_scorer(settings_of: SettingsOf) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        settings = settings_of(state)
        decision = await decide(state, settings)
        return carrying(numbers_score(state, decision, settings), settings, decision)

    return score


def _settings(**given: Any) -> SettingsOf:
    """Return how a sample is to be scored: as given, else as its run was, else by the
    defaults of the tasks.
    """
    for name, value in given.items():
        if name in CHOICES:
            require(CHOICES[name], **{name: value})
    settings = RunSettings(given, DEFAULTS)

    def settings_of(state: TaskState) -> Settings:
        known = settings.of(state)
        fixed = {
            "cluster": known["cluster"] or "question",
            "judge_prompt": known["judge_prompt"] or OURS,
        }
        fixed |= {
            "refusals": known["refusals"] or "",
            "grader_check": known["grader_check"] or "stop",
        }
        return Settings(**known | {"codes": known["codes"] is not False} | fixed)

    return settings_of


def correctness(item: RefusalItem, decision: Decision, settings: Settings) -> Score:
    """Return whether a decided reply is right, as a score that Inspect's tools read."""
    right = is_right(
        item.expected, decision.label, decision.correct, settings.codes, decision.coded
    )
    if reply_outcome(decision.reason) == "no_reply":
        right = False
    given = _given(decision, settings.codes)
    return Score(
        value=NAN if right is None else CORRECT if right else INCORRECT,
        answer=given or None,
        explanation=(
            f"expected {item.expected.value}, given {given or 'nothing'}"
            f" ({_why(decision)})"
        ),
        reason=decision.reason or ("undecided_offline" if right is None else None),
        metadata={"decided_by": decision.decided_by, "form": decision.form},
    )


def _given(decision: Decision, codes: bool) -> str:
    """Return what a reply was found to be: an answer, its code, `REFUSAL` if nobody
    read one, empty if undecided.
    """
    if decision.label is None:
        return ""
    if decision.label.is_refusal and not (codes and decision.coded):
        return REFUSAL
    return decision.label.value


def _why(decision: Decision) -> str:
    """Return who decided, or why nothing could be, and the explanation, in one line."""
    found = (
        decision.decided_by or decision.reason,
        " ".join(decision.explanation.split()),
    )
    return ": ".join(part for part in found if part)


def numbers_score(state: TaskState, decision: Decision, settings: Settings) -> Score:
    """Return the numbers of a decided reply; its label is the answer, and who decided
    is in the metadata.
    """
    item = state.metadata_as(RefusalItem)
    label = decision.label
    outcome = reply_outcome(decision.reason)
    # what the model failed to give is no refusal, no hit and not right; what we could
    # not measure is unknown
    nothing = 0.0 if outcome == "no_reply" else NAN
    right = is_right(
        item.expected, label, decision.correct, settings.codes, decision.coded
    )
    coded = not item.answerable and settings.codes
    grade = {"grade": decision.numbers.get("grade", NAN)}
    special = _grounded_numbers(state, decision) if settings.grounded else grade
    return Score(
        value={
            "refused": float(label.is_refusal) if label else nothing,
            "hit": (
                (float(label is item.expected) if label else nothing)
                if coded and decision.coded
                else NAN
            ),
            "right": (
                nothing if label is None else NAN if right is None else float(right)
            ),
            **special,
            "confidence": MIDPOINTS[decision.level] if decision.level else NAN,
            "unscored": float(outcome == "unscored"),
        },
        answer=_given(decision, settings.codes) or None,
        explanation=decision.explanation or None,
        reason=decision.reason,
        metadata=_provenance(decision)
        | {"epoch": state.epoch}
        | retrieval_notes(state)
        | _calls(state)
        | ({} if settings.codes else {"codes": False})
        | {
            "protocol": settings.protocol,
            "confidence_asked": settings.confidence,
            "cluster": settings.cluster,
        },
    )


def _calls(state: TaskState) -> dict[str, int]:
    """Return how often the model was asked, where treatments have noted it."""
    notes = state.metadata.get(NOTES)
    return (
        {"calls": sum(note["calls"] for note in notes)}
        if isinstance(notes, list)
        else {}
    )


def _grounded_numbers(state: TaskState, decision: Decision) -> dict[str, float]:
    """Return what is noted of a reply to ten passages alone."""
    numbers = {
        key: decision.numbers.get(key, NAN)
        for key in ("eligible", "factual_all", "factual_relevant")
    }
    citations = dict.fromkeys(
        ("citations", "citations_existing", "citations_signal"), NAN
    )
    if decision.label is Label.ANSWER:
        seen = seen_item(state)
        cited = count_citations(decision.body, len(seen.passages), seen.signal)
        counts = (cited.total, cited.existing, cited.signal)
        citations = dict(zip(citations, map(float, counts), strict=True))
    return numbers | citations


def _provenance(decision: Decision) -> dict[str, Any]:
    """Return who decided, and every grader's vote."""
    return {
        "decided_by": decision.decided_by,
        "form": decision.form,
        "level": decision.level,
        "graders": [vote.grader for vote in decision.votes],
        "self_graded": decision.self_graded,
        **(
            {"grader_check": decision.grader_warning} if decision.grader_warning else {}
        ),
        "votes": [asdict(vote) for vote in decision.votes],
    }
