"""A small open model has all roles of the tasks that make data.

`python -m benchmarks.real.writers LOGS` runs it, prints a line for each run, and keeps
its drafts in `tests/generators/drafts-MODEL.jsonl`.
"""

import argparse
import sys
from pathlib import Path

from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, Model, get_model

from benchmarks.real.drafts import drafts, facts_of
from benchmarks.real.local_web import local_web
from benchmarks.real.runs import addressed
from benchmarks.real.server import served
from benchmarks.real.weights import OpenModel, open_models, weights_of
from benchmarks.real.writer_runs import RUNS, SLOTS, WriterRun
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.safe_writing import write_rows

DRAFTS = Path(__file__).parents[2] / "tests" / "generators"
DEFAULT = "qwen2.5-coder-1.5b"
RETRIES = 2
"""How often a request is repeated: a server that ended must not be waited for."""


def run(writer_run: WriterRun, name: str, logs: Path, search: str) -> EvalLog:
    """Return the log of a run in which one model, by its name, has all roles.

    A reader of questions must not be their writer: there it has a second name.
    """
    folder = logs / writer_run.name
    folder.mkdir(parents=True, exist_ok=True)
    model = bound(name, writer_run.longest)
    reader = bound(f"{name}-reader", writer_run.longest)
    roles = {"verifier": model}
    if writer_run.name == "question":
        roles = {"reader": reader}
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
    config = GenerateConfig(
        temperature=0.0,
        max_tokens=longest,
        max_connections=1,
        max_retries=RETRIES,
    )
    # a model that Inspect remembers would call an earlier server
    return get_model(name, config=config, memoize=False)


def line_of(log: EvalLog) -> str:
    """Return the line on a run: status, minutes, slots, accepted, reasons."""
    facts = facts_of(log)
    counts = facts["reasons"].items()
    reasons = ", ".join(f"{reason} {times}" for reason, times in counts)
    error = f"; {one_line(log.error.message)}" if log.error else ""
    ran = f"{log.status}, {facts['minutes']} minutes, {facts['slots']} slots"
    came = f"{facts['accepted']} accepted; {reasons or 'no reasons'}"
    return f"{facts['run']}: {ran}, {came}{error}"


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
    parser = argparse.ArgumentParser(
        "python -m benchmarks.real.writers",
        description=__doc__,
    )
    parser.add_argument("logs", type=Path, help="the folder of logs")
    parser.add_argument("--models", type=Path, help="a folder with the weights")
    parser.add_argument("--only", default=DEFAULT, help="the name of a model")
    args = parser.parse_args()
    models = {model.name: model for model in open_models()}
    if args.only not in models:
        parser.error(f"no model '{args.only}'; there are {', '.join(models)}")
    model = models[args.only]
    with served(weights_of(model, args.models)) as address:
        kept = DRAFTS / f"drafts-{model.name}.jsonl"
        done = run_all(model, address, args.logs, kept)
    return 0 if done else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except DataError as error:
        sys.exit(str(error))
