"""Logs as one table of replies: a row is one reply (sample and epoch), on which every
command and the report work.

    logs = read_logs(["logs/"])              # sample summaries: 8,000 replies a second
    logs = read_logs(["logs/"], texts=True)  # whole samples: question, reply, passages,
    latency; 3,000 a second
    for run in logs.runs:                    # a log of nq, garage or bluff
        RunView(run).numbers             # results.run_view: every metric with its CI
    frame(logs.runs)                         # the replies of all runs, one below the
    other, with what was lost

`run.replies` has the columns of `metrics.reply_table` (`nq`, `garage`) or
`metrics.hedging_table` (`bluff`), and then those of `ABOUT`. Samples without a score of
ours are in `run.lost`, which has the same columns and the outcome "error". A log that
is damaged, continued by a later one or not ours is in `logs.left_out` with the reason.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    EvalSampleSummary,
    read_eval_log,
    read_eval_log_sample_summaries,
    read_eval_log_samples,
)
from inspect_ai.model import ModelConfig, ModelUsage
from inspect_ai.scorer import Score

from refusalbench_tasks.datasets.benchmarks import tasks_text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import (
    UnreadableLog,
    each_once,
    local_path,
    unreadable,
)
from refusalbench_tasks.outcome import Cluster, Protocol
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.results.log_files import (
    REFUSAL,
    LeftOut,
    noted,
    read_headers,
    scorer_of,
    scores_of,
    system_of,
    task_of,
)
from refusalbench_tasks.results.parallel import each
from refusalbench_tasks.solvers.treatments import TREATMENTS

if TYPE_CHECKING:
    import pandas as pd

ABOUT = (
    "log",
    "task",
    "model",
    "system",
    "sample_id",
    "question_text",
    "reply",
    "explanation",
    "references",
    "retrieved",
    "passages",
    "source_document",
    "latency",
    "tokens",
    "output_tokens",
    "cost",
    "error",
)
"""The columns beside those of the metrics.

`tokens` (in and out), `output_tokens` (thinking included) and `cost` are the evaluated
model's own, without what it used in a role; `latency` is, in seconds. `question_text`,
`reply`, `references` (gold answers), `retrieved`, `passages`, `source_document` and
`latency` are read with `texts=True` alone, else None or NaN; `retrieved` is None too
where no application told what it retrieved.
"""
MAKERS = ("perturb", "question", "collect")
"""The tasks whose logs have numbers of what they made, and no replies."""
_STORED = "refusalbench_retrieved"
AnySample = EvalSample | EvalSampleSummary
_AT_ONCE = 20_000
"""Samples of longer logs are read one by one, so that they need not fit into memory."""


@dataclass(frozen=True)
class Run:
    """One log of `nq`, `garage` or `bluff`: its header and its scored replies; names
    are one line each.
    """

    name: str
    header: EvalLog
    replies: "pd.DataFrame"
    lost: "pd.DataFrame"
    """The samples that ended without our score, with the columns of `replies` and the
    outcome "error".
    """
    scorer: str = "refusal_scores"
    part: bool = field(default=False)
    """Whether these are some of the log's rows alone, so that nothing is known of
    samples that were not run.
    """

    @property
    def refusal(self) -> bool:
        """Return whether this is a run of the refusal family (`nq`, `garage`), not of
        `bluff`.
        """
        return bool(scores_of([self.scorer], REFUSAL))

    @property
    def task(self) -> str:
        """Return the name of the task."""
        return task_of(self.header)

    @property
    def model(self) -> str:
        """Return who replied: a model, an application, or a baseline."""
        return system_of(self.header).name

    @property
    def baseline(self) -> bool:
        """Return whether a solver of ours replied in place of a model."""
        return system_of(self.header).baseline

    @property
    def treatment(self) -> str:
        """Return the treatments in place of the plain prompt, with what was set of
        them; empty if there are none.
        """
        names = []
        for step in self.header.plan.steps:
            name = step.solver.rpartition("/")[2]
            args = ", ".join(
                f"{key}={value}" for key, value in (step.params_passed or {}).items()
            )
            names += (
                [one_line(f"{name}({args})" if args else name)]
                if name in TREATMENTS
                else []
            )
        return " + ".join(names)

    @property
    def created(self) -> str:
        """Return when the run began."""
        return str(self.header.eval.created)

    @property
    def status(self) -> str:
        """Return the status of the log: started, success, cancelled or error."""
        return str(self.header.status)

    @property
    def data(self) -> str:
        """Return the argument `data`."""
        return noted(self.header, "data")

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of the rows that the run was given."""
        return noted(self.header, "selected_fingerprint")

    @property
    def prompt(self) -> str:
        """Return the hash of the prompt."""
        return noted(self.header, "prompt_sha256")

    @property
    def settings(self) -> str:
        """Return the arguments of the task that were set."""
        args = self.header.eval.task_args_passed or {}
        return one_line(", ".join(f"{name}={args[name]}" for name in sorted(args)))

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the settings of generation, of the task, and of a score that was
        appended later.
        """
        config = self.header.eval.model_generate_config
        generation = {"temperature": config.temperature, "top_p": config.top_p}
        scores = self.header.results.scores if self.header.results else []
        params: dict[str, Any] = {}
        for score in scores:
            if score.name == self.scorer:
                params = score.params or {}
                break
        given = {name: value for name, value in params.items() if value is not None}
        return {**generation, **self.header.eval.task_args, **given}

    @property
    def reader(self) -> str:
        """Return who tells answers from refusals: rules alone, or a grader, with its
        prompt where that is not ours.
        """
        arguments = self.arguments
        if arguments.get("judge") == "offline":
            return "rules"
        prompt = arguments.get("judge_prompt")
        return "a grader" if prompt in (None, "ours") else f"a grader ({prompt})"

    @cached_property
    def protocol(self) -> Protocol:
        """Return the protocol that the replies were scored by."""
        return (
            "official-code"
            if "official-code" in set(self.replies["protocol"])
            else "paper"
        )

    @cached_property
    def cluster(self) -> Cluster:
        """Return what the run was told to resample."""
        return "row" if "row" in set(self.replies["cluster_by"]) else "question"

    @cached_property
    def graders(self) -> frozenset[str]:
        """Return the models that graded replies."""
        return frozenset(
            one_line(name) for names in set(self.replies["graders"]) for name in names
        )

    @property
    def grader(self) -> str:
        """Return the graders as a name."""
        return " + ".join(sorted(self.graders)) or "none"

    @property
    def lexicon(self) -> str:
        """Return the list that hedges were counted by; empty in `nq` and `garage`."""
        known = (
            [] if self.refusal else [name for name in self.replies["lexicon"] if name]
        )
        return one_line(known[0]) if known else ""

    @cached_property
    def main(self) -> "pd.DataFrame":
        """Return the replies that the main metrics are about: no controls, and of
        `bluff` the paper's two arms.
        """
        if self.refusal:
            return self.replies[~self.replies["control"]]
        return self.replies[self.replies["arm"].isin(["clear", "ambiguous"])]

    @cached_property
    def controls(self) -> "pd.DataFrame":
        """Return the unperturbed controls."""
        return (
            self.replies[self.replies["control"]] if self.refusal else self.replies[:0]
        )

    @property
    def never_run(self) -> int:
        """Return how many samples the run did not come to, each epoch counted."""
        return (
            0
            if self.part
            else max(0, _planned(self.header) - len(self.replies) - len(self.lost))
        )

    def of_rows(self, chosen: "pd.Series[bool]") -> "Run":
        """Return the run with some of its replies alone."""
        return replace(
            self, replies=self.replies[chosen], lost=self.lost[:0], part=True
        )


@dataclass(frozen=True)
class Logs:
    """What files and folders hold: runs by their creation, headers of logs that made
    data, and what was left out.
    """

    runs: tuple[Run, ...]
    makers: tuple[EvalLog, ...]
    left_out: tuple[LeftOut, ...]


def read_logs(
    paths: Iterable[str],
    texts: bool = False,
    makers: bool = True,
    texts_of_undecided: bool = False,
) -> Logs:
    """Return the runs in files and folders. Raises DataError if there is none of ours.

    With `texts_of_undecided` runs that have an undecided reply are read with their
    texts.

    The finished log of a run that was killed and continued stands for its attempts. An
    unfinished run is read as far as it came, and says so by its status. Without
    `makers` a log of perturb, question or collect is left out.
    """
    places = list(paths)
    (headers, left_out), made, runs = read_headers(places), [], []
    rows = [header for header in headers if scorer_of(header) is not None]
    for header in headers:
        if (made_data := task_of(header) in MAKERS and bool(header.results)) and makers:
            made.append(header)
        elif made_data:
            left_out.append(
                (header.location, f"a log of {task_of(header)}: use report or export")
            )
        elif scorer_of(header) is None:
            left_out.append(
                (
                    header.location,
                    f"not a log of this suite with scores (status: {header.status})",
                )
            )
    wanted = [(header, texts, texts_of_undecided) for header in rows]
    for header, read in zip(rows, each(_read_or_why, wanted, "logs"), strict=True):
        if isinstance(read, str):
            left_out.append((header.location, read))
        elif not len(read.replies):
            left_out.append(
                (header.location, f"no scored sample (status: {header.status})")
            )
        else:
            runs.append(read)
    if not runs and not made:
        why = (
            f"; {len(left_out)} left out, the first because: {left_out[0][1]}"
            if left_out
            else ""
        )
        tasks = tasks_text("bluff", *MAKERS if makers else ())
        raise DataError(
            f"{', '.join(places)}: no log with scored samples of {tasks}{why}"
        )
    return Logs(tuple(runs), tuple(made), tuple(left_out))


def frame(runs: Sequence[Run]) -> "pd.DataFrame":
    """Return the replies of runs, and what was lost, one below the other; a column that
    a task lacks is NaN there.
    """
    import pandas as pd

    every = [part for run in runs for part in (run.replies, run.lost) if len(part)]
    return (
        pd.concat(every, ignore_index=True)
        if every
        else pd.DataFrame(columns=list(ABOUT))
    )


def read_run(header: EvalLog, texts: bool = False) -> Run:
    """Return the run of a log of `nq`, `garage` or `bluff`.

    Raises UnreadableLog, whatever is wrong with it.
    """
    try:
        return run_of(header, _samples(header, texts), scorer_of(header) or "")
    except Exception as error:  # anything can be wrong with a file
        raise unreadable(header.location, error) from None


def _read_or_why(wanted: tuple[EvalLog, bool, bool]) -> Run | str:
    header, texts, texts_of_undecided = wanted
    try:
        run = read_run(header, texts)
        undecided = (run.replies["outcome"] == "unscored").any()
        return (
            read_run(header, True)
            if texts_of_undecided and not texts and undecided
            else run
        )
    except UnreadableLog as error:
        return str(error).removeprefix(f"{header.location}: ")


def run_of(header: EvalLog, samples: Iterable[AnySample], scorer: str) -> Run:
    """Return the run of a header and its samples, by one of our scorers.

    Raises KeyError, ValueError or TypeError for samples that are none of ours.
    """
    from refusalbench_tasks.metrics.hedging_table import hedging_row, hedging_table
    from refusalbench_tasks.metrics.reply_table import reply_row, reply_table

    row_of, table_of = (
        (reply_row, reply_table)
        if scores_of([scorer], REFUSAL)
        else (hedging_row, hedging_table)
    )
    scored: list[dict[str, Any]] = []
    lost: list[dict[str, Any]] = []
    about: tuple[list[dict[str, Any]], list[dict[str, Any]]] = ([], [])
    for sample in each_once(samples):
        score = (sample.scores or {}).get(scorer)
        known = score is not None and isinstance(score.value, Mapping)
        row = row_of(
            sample.metadata, score if score is not None and known else Score(value={})
        )
        (scored if known else lost).append(
            row | {"epoch": sample.epoch} | ({} if known else {"outcome": "error"})
        )
        about[0 if known else 1].append(_about(header, sample, score))
    tables = [
        _joined(table_of, rows, more)
        for rows, more in zip((scored, lost), about, strict=True)
    ]
    return Run(header.location, header, tables[0], tables[1], scorer)


def _joined(
    table_of: "Callable[[Iterable[Mapping[str, Any]]], pd.DataFrame]",
    rows: list[dict[str, Any]],
    about: list[dict[str, Any]],
) -> "pd.DataFrame":
    import pandas as pd

    # a frame of dicts would take lists apart and guess dtypes
    more = {
        name: pd.Series([one[name] for one in about], dtype=_dtype(name))
        for name in ABOUT
    }
    return table_of(rows).assign(**more)


def _dtype(name: str) -> str:
    return (
        "float64"
        if name in ("latency", "tokens", "output_tokens", "cost")
        else "object"
    )


def _samples(header: EvalLog, texts: bool) -> Iterable[AnySample]:
    """Return the samples of a log.

    References to attachments stay: no text that we read has one.
    """
    name = header.location
    if not texts:
        return read_eval_log_sample_summaries(name)
    if _planned(header) > _AT_ONCE:
        return read_eval_log_samples(
            name, all_samples_required=False, exclude_fields={"events", "messages"}
        )
    # without ids in its header Inspect reads no sample by itself; all at once, from an
    # open file, take a quarter
    path = local_path(name)
    if not path.is_file():
        return read_eval_log(name, exclude_fields={"events", "messages"}).samples or ()
    with path.open("rb") as file:
        return read_eval_log(file).samples or ()


def _planned(header: EvalLog) -> int:
    return len(header.eval.dataset.sample_ids or ()) * (header.eval.config.epochs or 1)


def _about(header: EvalLog, sample: AnySample, score: Score | None) -> dict[str, Any]:
    columns = sample.metadata.get("columns") or {}
    error = (
        sample.error
        if isinstance(sample.error, str)
        else sample.error.message
        if sample.error
        else None
    )
    return {
        "log": header.location.rstrip("/").rpartition("/")[2],
        "task": task_of(header),
        "model": header.eval.model,
        "system": system_of(header).name,
        "sample_id": str(sample.id),
        "explanation": (score.explanation or "") if score is not None else "",
        **_spent(header, sample),
        "error": error,
        "source_document": str(
            sample.metadata.get("document") or columns.get("document") or ""
        ),
        **(
            _texts(sample)
            if isinstance(sample, EvalSample)
            else dict.fromkeys(_OF_TEXTS)
        ),
    }


def _spent(header: EvalLog, sample: AnySample) -> dict[str, float | None]:
    """Return what the evaluated model used, without its part as a grader of its own
    replies, say.
    """
    usage = (sample.model_usage or {}).get(header.eval.model)
    if usage is None:
        return {"tokens": None, "output_tokens": None, "cost": None}
    roles = header.eval.model_roles or {}
    own = [
        role
        for role, of in roles.items()
        if isinstance(of, ModelConfig) and of.model == header.eval.model
    ]
    others = [sample.role_usage[role] for role in own if role in sample.role_usage]
    output = usage.output_tokens - sum(one.output_tokens for one in others)
    cost = (
        None
        if usage.total_cost is None
        else usage.total_cost - sum(one.total_cost or 0 for one in others)
    )
    tokens = output + _tokens_read(usage) - sum(map(_tokens_read, others))
    return {"tokens": tokens, "output_tokens": output, "cost": cost}


def _tokens_read(usage: ModelUsage) -> int:
    """Return the tokens of prompts, those from a server's cache too: which rows find it
    warm is chance.
    """
    cached = (usage.input_tokens_cache_read or 0) + (
        usage.input_tokens_cache_write or 0
    )
    return usage.input_tokens + cached


_OF_TEXTS = ("question_text", "reply", "references", "retrieved", "passages", "latency")


def _texts(sample: EvalSample) -> dict[str, Any]:
    metadata = sample.metadata
    passages = metadata.get("passages") or metadata.get("sources") or []
    answers = [
        metadata.get("reference"),
        metadata.get("answer"),
        *(metadata.get("answers") or ()),
    ]
    retrieved = (sample.store or {}).get(_STORED)
    return {
        "question_text": str(metadata.get("query") or ""),
        "reply": sample.output.completion,
        "references": [str(text) for text in answers if text],
        "retrieved": [str(text) for text in retrieved]
        if isinstance(retrieved, list)
        else None,
        "passages": [
            str(one.get("text", "") if isinstance(one, Mapping) else one)
            for one in passages
        ],
        "latency": sample.output.time,
    }
