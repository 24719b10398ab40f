"""A small open model as writer, annotator, verifier and reader of the tasks that make data.

`python -m benchmarks.real.writers LOGS` runs it, prints a line for each run, and keeps its
drafts in `tests/generators/drafts-MODEL.jsonl`.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, Model, get_model

from benchmarks.real.drafts import drafts, facts_of
from benchmarks.real.local_web import local_web
from benchmarks.real.runs import addressed
from benchmarks.real.server import served
from benchmarks.real.weights import OpenModel, open_models, weights_of
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.own.documents.build import DocumentSettings, build_corpus
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.safe_writing import write_rows, write_whole
from refusalbench_tasks.tasks.collect import collect
from refusalbench_tasks.tasks.perturb import perturb
from refusalbench_tasks.tasks.question import question

ROOT = Path(__file__).parents[2]
COMPANY = ROOT / "examples" / "company"
DRAFTS = ROOT / "tests" / "generators"
DEFAULT = "qwen2.5-coder-1.5b"
SLOTS = 6
RECORDS = 2
TOPICS = """topics:
  sports: [winners of the Cairn Relay]
  finance: [policy rate of the Reserve Bank of Quennia]
"""
"""Subjects on which the local web has pages."""
ONE_ITEM = 700
"""Tokens of a reply: a draft with its analysis and its evidence takes some 400."""
THREE_ITEMS = 1800
"""Tokens of a reply with three drafts."""
RETRIES = 2
"""How often a request is repeated: a server that ended must not be waited for."""


@dataclass(frozen=True)
class WriterRun:
    """One run: how its task is made, and how long a reply may be.

    `make` takes a folder for what the task reads, and the argument `search`.
    """

    name: str
    make: Callable[[Path, str], Task]
    longest: int = ONE_ITEM


def _perturb(folder: Path, search: str) -> Task:
    return perturb(bases="nq_sample", self_votes=True, cache=False, max_failures=0)


def _together(folder: Path, search: str) -> Task:
    return perturb(bases="nq_sample", together=True, self_votes=True, cache=False, max_failures=0)


def _question(folder: Path, search: str) -> Task:
    corpus = folder / "corpus.jsonl"
    build_corpus(COMPANY, corpus, DocumentSettings())
    return question(corpus=str(corpus), n=SLOTS, outside=1, cache=False, max_failures=0)


def _collect(folder: Path, search: str) -> Task:
    topics = folder / "topics.yaml"
    write_whole(topics, TOPICS)
    return collect(
        search=search,
        n=RECORDS,
        topics=str(topics),
        unknown="unreliable",
        archive=str(folder / "archive"),
        delay=0.0,
        self_reads=True,
        cache=False,
        max_failures=0,
    )


RUNS = (
    WriterRun("perturb", _perturb),
    WriterRun("perturb-together", _together, THREE_ITEMS),
    WriterRun("question", _question),
    WriterRun("collect", _collect),
)


def run(writer_run: WriterRun, name: str, logs: Path, search: str) -> EvalLog:
    """Return the log of a run in which one model, by its name for Inspect, has all roles.

    A reader of questions must not be their writer: there it has a second name.
    """
    folder = logs / writer_run.name
    folder.mkdir(parents=True, exist_ok=True)
    model = bound(name, writer_run.longest)
    reader = bound(f"{name}-reader", writer_run.longest)
    roles = {"reader": reader} if writer_run.name == "question" else {"verifier": model}
    [log] = eval(
        writer_run.make(folder, search),
        model=model,
        model_roles=roles,
        limit=SLOTS,
        max_samples=1,
        log_dir=str(folder),
        display="plain",
        score_display=False,
        log_level="info",
        metadata={"run": writer_run.name, "longest": writer_run.longest},
    )
    return log


def bound(name: str, longest: int) -> Model:
    """Return a model that says what is likeliest, in at most some tokens."""
    config = GenerateConfig(temperature=0.0, max_tokens=longest, max_connections=1, max_retries=RETRIES)
    # a model that Inspect remembers would call an earlier server
    return get_model(name, config=config, memoize=False)


def line_of(log: EvalLog) -> str:
    """Return the line that tells of a run: status, minutes, slots, accepted, reasons."""
    facts = facts_of(log)
    counts = Counter(facts["reasons"]).most_common()
    reasons = ", ".join(f"{reason} {times}" for reason, times in counts)
    error = f"; {one_line(log.error.message)}" if log.error else ""
    return (
        f"{facts['run']}: {log.status}, {facts['minutes']} minutes, "
        f"{facts['slots']} slots, {facts['accepted']} accepted; "
        f"{reasons or 'no reasons'}{error}"
    )


def run_all(model: OpenModel, address: str, logs: Path, kept: Path) -> bool:
    """Run all, print their lines, keep the drafts; return whether all runs ended."""
    done = True
    with addressed(address), local_web() as search:
        for writer_run in RUNS:
            log = run(writer_run, model.inspect_name, logs, search)
            done &= log.status == "success"
            print(line_of(log), flush=True)
    write_rows(kept, drafts(logs))
    return done


def main() -> int:
    """Return 0 if all runs ended, 1 if some did not."""
    parser = argparse.ArgumentParser("python -m benchmarks.real.writers", description=__doc__)
    parser.add_argument("logs", type=Path, help="the folder of logs")
    parser.add_argument("--models", type=Path, help="a folder with the weights")
    parser.add_argument("--only", default=DEFAULT, help="the name of a model")
    args = parser.parse_args()
    models = {model.name: model for model in open_models()}
    if args.only not in models:
        parser.error(f"no model '{args.only}'; there are {', '.join(models)}")
    model = models[args.only]
    with served(weights_of(model, args.models)) as address:
        done = run_all(model, address, args.logs, DRAFTS / f"drafts-{model.name}.jsonl")
    return 0 if done else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except DataError as error:
        sys.exit(str(error))
