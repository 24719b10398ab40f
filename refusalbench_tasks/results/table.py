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

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd
from inspect_ai.log import (
    EvalError,
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
    LeftOut,
    UnreadableLog,
    each_once,
    file_name,
    local_path,
    read_headers,
    reason_for,
    scores_of,
    task_of,
    unreadable,
    without_superseded,
)
from refusalbench_tasks.metrics.reply_columns import protocol_of
from refusalbench_tasks.outcome import Cluster, Protocol
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.replies.readers import DEFAULT_READER
from refusalbench_tasks.solvers.retrieved import STORED, passages_in
from refusalbench_tasks.solvers.treatments import TREATMENTS

from .log_files import (
    REFUSAL,
    noted,
    scorer_of,
    system_of,
)
from .parallel import each
from .retrieved_documents import BASIS, bases

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
    *BASIS,
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
`reply`, `references` (gold answers), `retrieved` (`passages_in`), what the reply rests
on (`BASIS`), `passages`, `source_document` and `latency` are read with `texts=True`
alone, else None or NaN; `retrieved` is None too where no application told what it
retrieved.
"""
_NUMBERS = ("latency", "tokens", "output_tokens", "cost")
MAKERS = ("perturb", "question", "collect")
"""The tasks whose logs have numbers of what they made, and no replies."""
AnySample = EvalSample | EvalSampleSummary
_Rows = list[tuple[dict[str, Any], dict[str, Any]]]
"""The row of each sample in the table of metrics, and its columns of `ABOUT`."""
_LONGEST_ERROR = 300
_AT_ONCE = 20_000
"""Samples of longer logs are read one by one, so that they need not fit into memory."""


@dataclass(frozen=True)
class Run:
    """One log of `nq`, `garage`, `search` or `bluff`: its header and its scored
    replies; names are one line each.
    """

    name: str
    header: EvalLog
    replies: "pd.DataFrame"
    lost: "pd.DataFrame"
    """The samples that ended without our score, with the columns of `replies` and the
    outcome "error".
    """
    scorer: str = "refusal_scores"
    part: bool = False
    """Whether these are some of the log's rows alone, so that nothing is known of
    samples that were not run.
    """

    @property
    def refusal(self) -> bool:
        """Return whether this is a run of the refusal family (`nq`, `garage`,
        `search`), not of `bluff`.
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
            if name in TREATMENTS:
                set_args = (step.params_passed or {}).items()
                args = ", ".join(f"{key}={value}" for key, value in set_args)
                names.append(one_line(f"{name}({args})" if args else name))
        return " + ".join(names)

    @property
    def agent(self) -> str:
        """Return the agent of a run of `search`, where it is a model's and not the
        default.
        """
        if self.task != "search" or self.header.eval.model.startswith("none"):
            return ""
        return one_line((self.header.eval.solver or "").rpartition("/")[2])

    @property
    def created(self) -> str:
        """Return when the run began."""
        return self.header.eval.created

    @property
    def status(self) -> str:
        """Return the status of the log: started, success, cancelled or error."""
        return self.header.status

    @property
    def data(self) -> str:
        """Return the argument `data`."""
        return noted(self.header, "data")

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of the rows that the run was given."""
        return noted(self.header, "selected_fingerprint")

    @property
    def thinking_tokens(self) -> int:
        """Return the budget of thinking tokens; 0 where the run named none."""
        return self.header.eval.model_generate_config.reasoning_tokens or 0

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
        header = self.header
        config = header.eval.model_generate_config
        generation = {"temperature": config.temperature, "top_p": config.top_p}
        arguments = {**generation, **header.eval.task_args}
        for score in header.results.scores if header.results else ():
            if score.name == self.scorer:
                stated = (score.params or {}).items()
                return arguments | {
                    name: value for name, value in stated if value is not None
                }
        return arguments

    @property
    def reader(self) -> str:
        """Return who tells answers from refusals: rules and a reader of words, or a
        grader, with its prompt where that is not ours.
        """
        arguments = self.arguments
        if arguments.get("judge") == "offline":
            return f"rules and {self.word_reader}"
        prompt = arguments.get("judge_prompt")
        return "a grader" if prompt in (None, "ours") else f"a grader ({prompt})"

    @property
    def word_reader(self) -> str:
        """Return the reader that tells answers from refusals in words without a
        grader; logs that name none have the default one.
        """
        return one_line(self.arguments.get("reader") or DEFAULT_READER)

    @cached_property
    def protocol(self) -> Protocol:
        """Return the protocol that the replies were scored by."""
        return protocol_of(self.replies)

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
        if self.refusal:
            return ""
        return one_line(next(filter(None, self.replies["lexicon"]), ""))

    @cached_property
    def main(self) -> "pd.DataFrame":
        """Return the replies that the main metrics are about: no controls, and of
        `bluff` the paper's two arms.
        """
        replies = self.replies
        if self.refusal:
            return replies[~replies["control"]]
        return replies[replies["arm"].isin(["clear", "ambiguous"])]

    @cached_property
    def controls(self) -> "pd.DataFrame":
        """Return the unperturbed controls."""
        if not self.refusal:
            return self.replies[:0]
        return self.replies[self.replies["control"]]

    @property
    def failures(self) -> str:
        """Return how many samples failed, and by which error most; empty for none."""
        n = len(self.lost)
        text = f"{n} of {len(self.replies) + n} failed"
        errors = Counter(map(one_line, self.lost["error"].dropna()))
        for error, count in errors.most_common(1):
            often = "" if count == n else f"{count} times "
            text += f": {often}{error[:_LONGEST_ERROR]}"
        return text if n else ""

    @property
    def never_run(self) -> int:
        """Return how many samples the run did not come to, each epoch counted."""
        if self.part:
            return 0
        came_to = len(self.replies) + len(self.lost)
        return max(0, _planned(self.header) - came_to)

    def of_rows(self, chosen: "pd.Series[bool]") -> "Run":
        """Return the run with some of its replies alone."""
        replies = self.replies[chosen]
        return replace(
            self,
            replies=replies,
            lost=self.lost[:0],
            part=True,
        )


NO_SCORE = "no scored sample"
"""Why a log is left out of which every sample failed."""


@dataclass(frozen=True)
class Logs:
    """What files and folders hold: runs by their creation, headers of logs that made
    data, and what was left out.
    """

    runs: Sequence[Run]
    makers: Sequence[EvalLog]
    left_out: Sequence[LeftOut]


def read_logs(
    paths: Iterable[str],
    texts: bool = False,
    makers: bool = False,
    texts_of_undecided: bool = False,
    failed: bool = False,
) -> Logs:
    """Return the runs in files and folders. Raises DataError if there is none of ours.

    With `texts_of_undecided` runs that have an undecided reply are read with their
    texts. With `failed` a run without a scored sample is a run, else it is left out.

    The finished log of a run that was killed and continued stands for its attempts. An
    unfinished run is read as far as it came, and says so by its status. Without
    `makers` a log of perturb, question or collect is left out.
    """
    names = list(paths)
    readable = without_superseded(read_headers(names))
    left_out = list(readable.left_out)
    of_makers = []
    wanted = []
    for header in sorted(
        readable.logs, key=lambda log: (log.eval.created, log.location)
    ):
        if task_of(header) in MAKERS and header.results:
            if makers:
                of_makers.append(header)
            else:
                why = f"a log of {task_of(header)}: use report or export"
                left_out.append((header.location, why))
        elif scorer_of(header) is None:
            why = f"not a log of this suite with scores (status: {header.status})"
            left_out.append((header.location, why))
        else:
            wanted.append((header, texts, texts_of_undecided))
    runs = []
    for (header, *_), run in zip(
        wanted,
        each(_read, wanted, "logs"),
        strict=True,
    ):
        if isinstance(run, str):
            left_out.append((header.location, run))
        elif not failed and not len(run.replies):
            why = f"{NO_SCORE} (status: {header.status})"
            # samples of a run that ended are cancelled: the log knows why
            cause = header.error.message if header.error else run.failures
            if cause:
                why += f": {one_line(cause)[:_LONGEST_ERROR]}"
            left_out.append((header.location, why))
        else:
            runs.append(run)
    if not runs and not of_makers:
        tasks = tasks_text("bluff", *MAKERS if makers else ())
        raise DataError(
            f"{', '.join(names)}: no log with scored samples of"
            f" {tasks}{first_reason(left_out)}"
        )
    return Logs(
        runs,
        of_makers,
        left_out,
    )


def first_reason(left_out: Sequence[LeftOut]) -> str:
    """Return how many logs are left out, and why the first is, to end a sentence."""
    if not left_out:
        return ""
    return f"; {len(left_out)} left out, the first because: {left_out[0][1]}"


def frame(runs: Sequence[Run]) -> "pd.DataFrame":
    """Return the replies of runs, and what was lost, one below the other; a column that
    a task lacks is NaN there.
    """
    tables = [table for run in runs for table in (run.replies, run.lost) if len(table)]
    if not tables:
        return pd.DataFrame(columns=list(ABOUT))
    return pd.concat(tables, ignore_index=True)


def _read(wanted: tuple[EvalLog, bool, bool]) -> Run | str:
    """Return the run of a log, or why it can't be read."""
    header, texts, texts_of_undecided = wanted
    try:
        run = read_run(header, texts)
        undecided = (run.replies["outcome"] == "unscored").any()
        if texts_of_undecided and not texts and undecided:
            return read_run(header, texts=True)
        return run
    except UnreadableLog as error:
        return reason_for(header.location, error)


def read_run(header: EvalLog, texts: bool) -> Run:
    """Return the run of a log of `nq`, `garage` or `bluff`.

    Raises UnreadableLog, whatever is wrong with it.
    """
    try:
        return run_of(
            header,
            _samples(header, texts),
            scorer_of(header) or "",
        )
    except Exception as error:  # anything can be wrong with a file
        raise unreadable(header.location, error) from None


def run_of(
    header: EvalLog,
    samples: Iterable[AnySample],
    scorer: str,
) -> Run:
    """Return the run of a header and its samples, by one of our scorers.

    Raises KeyError, ValueError or TypeError for samples that are none of ours.
    """
    from refusalbench_tasks.metrics.hedging_table import hedging_row, hedging_table
    from refusalbench_tasks.metrics.reply_table import reply_row, reply_table

    is_refusal = bool(scores_of([scorer], REFUSAL))
    row_of = reply_row if is_refusal else hedging_row
    scored = []
    lost = []
    for sample in each_once(samples):
        score = (sample.scores or {}).get(scorer)
        about = _about(header, sample, score)
        if score is not None and isinstance(score.value, Mapping):
            row = row_of(sample.metadata, score)
            scored.append((row | {"epoch": sample.epoch}, about))
        else:
            row = row_of(sample.metadata, Score(value={}))
            lost.append((row | {"epoch": sample.epoch, "outcome": "error"}, about))
    table_of = reply_table if is_refusal else hedging_table
    replies = _with_about(table_of(row for row, _ in scored), scored)
    if replies["retrieved"].notna().any():
        replies[[*BASIS]] = [*bases(replies, header.eval.created[:10])]
    failed = _with_about(table_of(row for row, _ in lost), lost)
    return Run(
        header.location,
        header,
        replies,
        failed,
        scorer,
    )


def _with_about(table: "pd.DataFrame", rows: _Rows) -> "pd.DataFrame":

    columns = {}
    for name in ABOUT:
        # a frame of dicts would take lists apart and guess dtypes
        dtype = "float64" if name in _NUMBERS else "object"
        columns[name] = pd.Series([about[name] for _, about in rows], dtype=dtype)
    return table.assign(**columns)


def _samples(header: EvalLog, texts: bool) -> Iterable[AnySample]:
    """Return the samples of a log.

    References to attachments stay: no text that we read has one.
    """
    name = header.location
    unread = {"events", "messages"}
    if not texts:
        return read_eval_log_sample_summaries(name)
    if _planned(header) > _AT_ONCE:
        return read_eval_log_samples(
            name,
            all_samples_required=False,
            exclude_fields=unread,
        )
    # without ids in its header Inspect reads no sample by itself; all at once, from an
    # open file, take a quarter
    path = local_path(name)
    if not path.is_file():
        return read_eval_log(name, exclude_fields=unread).samples or ()
    with path.open("rb") as file:
        return read_eval_log(file).samples or ()


def _planned(header: EvalLog) -> int:
    spec = header.eval
    epochs = spec.config.epochs or 1
    return epochs * len(spec.dataset.sample_ids or ())


def _about(
    header: EvalLog,
    sample: AnySample,
    score: Score | None,
) -> dict[str, Any]:
    """Return the columns of `ABOUT`."""
    metadata = sample.metadata
    columns = metadata.get("columns") or {}
    document = metadata.get("document") or columns.get("document") or ""
    error = sample.error
    return {
        **dict.fromkeys(ABOUT),
        "log": file_name(header.location),
        "task": task_of(header),
        "model": header.eval.model,
        "system": system_of(header).name,
        "sample_id": str(sample.id),
        "explanation": (score and score.explanation) or "",
        **_spent(header, sample),
        "error": error.message if isinstance(error, EvalError) else error,
        "source_document": str(document),
        **(_texts(sample) if isinstance(sample, EvalSample) else {}),
    }


def _spent(header: EvalLog, sample: AnySample) -> dict[str, float | None]:
    """Return what the evaluated model used, without its part as a grader of its own
    replies, say.
    """
    model = header.eval.model
    usage = (sample.model_usage or {}).get(model)
    if model == "none/none" and isinstance(sample, EvalSample):
        # what an application tells
        usage = sample.output.usage
    if usage is None:
        return {}
    in_roles = []
    for role, config in (header.eval.model_roles or {}).items():
        is_model = isinstance(config, ModelConfig) and config.model == model
        if is_model and role in sample.role_usage:
            in_roles.append(sample.role_usage[role])
    output = usage.output_tokens - sum(used.output_tokens for used in in_roles)
    tokens = output + _tokens_read(usage) - sum(map(_tokens_read, in_roles))
    spent: dict[str, float | None] = {"tokens": tokens, "output_tokens": output}
    if usage.total_cost is not None:
        in_part = sum(used.total_cost or 0 for used in in_roles)
        spent["cost"] = usage.total_cost - in_part
    return spent


def _tokens_read(usage: ModelUsage) -> int:
    """Return the tokens of prompts, those from a server's cache too: which rows find it
    warm is chance.
    """
    warm = usage.input_tokens_cache_read or 0
    return usage.input_tokens + warm + (usage.input_tokens_cache_write or 0)


def _texts(sample: EvalSample) -> dict[str, Any]:
    metadata = sample.metadata
    answers = [metadata.get("reference"), metadata.get("answer")]
    answers += metadata.get("answers") or ()
    retrieved = (sample.store or {}).get(STORED)
    passages = []
    for passage in metadata.get("passages") or metadata.get("sources") or []:
        is_record = isinstance(passage, Mapping)
        passages.append(str(passage.get("text", "") if is_record else passage))
    return {
        "question_text": str(metadata.get("query") or ""),
        "reply": sample.output.completion,
        "references": [str(text) for text in answers if text],
        "retrieved": None if retrieved is None else passages_in(retrieved),
        "passages": passages,
        "latency": sample.output.time,
    }
