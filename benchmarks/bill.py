"""What `refusalbench cost` counts for the rows of finished runs beside what they took:
`python -m benchmarks.bill LOG …`, with TOKENIZER=tokenizer.json by a tokenizer.
"""

import os
import sys
from collections.abc import Iterator, Sequence

from inspect_ai.log import EvalLog

from refusalbench_tasks.command_output import tell_left_out
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import read_headers, task_of
from refusalbench_tasks.results.bill import Size, shares_of
from refusalbench_tasks.results.commands.cost import size_by
from refusalbench_tasks.tables import Table, TableRow


def compared(log: EvalLog, size: Size) -> Iterator[TableRow]:
    """Return tokens in and out as counted and as taken, by model."""
    task = task_of(log)
    for model, share in shares_of(log, task, size).items():
        usage = log.stats.model_usage[model]
        taken = (usage.total_tokens - usage.output_tokens, usage.output_tokens)
        counted_in = taken[0] / share["tokens in"]
        counted_out = taken[1] / share["tokens out"]
        yield {
            "task": task,
            "solver": log.eval.solver,
            "rows": len(log.eval.dataset.sample_ids or ()),
            "model": model,
            "counted in": round(counted_in),
            "counted out": round(counted_out),
            "taken in": taken[0],
            "taken out": taken[1],
            "difference": f"{(counted_in + counted_out) / sum(taken) - 1:+.0%}",
        }


def main(paths: Sequence[str]) -> None:
    """Print the table of the logs in files and folders."""
    size = size_by(os.environ.get("TOKENIZER"))
    rows: list[TableRow] = []
    headers = read_headers(paths)
    tell_left_out(headers.left_out)
    for log in headers.logs:
        try:
            rows += compared(log, size)
        except DataError as error:
            tell_left_out([(log.location, error.message)])
    print(Table("bill", "Bill", rows).as_text())


if __name__ == "__main__":
    main(sys.argv[1:])
