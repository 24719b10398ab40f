"""`refusalbench cost`: the bill of a run before it is run, without a network."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from refusalbench_tasks.command_output import (
    Output,
    format_option,
    output,
    task_args_option,
    tell_left_out,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tables import Format, Table

from .score import TASKS, arguments_of

if TYPE_CHECKING:
    from refusalbench_tasks.results.bill import Counts, Size

CHARACTERS = 3.9
"""Characters of a token, where no tokenizer is given: runs of three small models had
3.4 to 4.2, the marks of their chats included.
"""


@click.command()
@click.argument("task", type=click.Choice((*TASKS, "search")))
@task_args_option
@click.option(
    "--model",
    "models",
    multiple=True,
    required=True,
    help="A model to be evaluated; may be given several times.",
)
@click.option("--grader", help="The model in the role grader; by default the model.")
@click.option(
    "--log",
    "logs",
    multiple=True,
    type=click.Path(exists=True),
    help="Logs of the same models, which say what they spent.",
)
@click.option(
    "--prices",
    type=click.Path(exists=True, path_type=Path),
    metavar="FILE.yaml",
    help="Dollars for a million tokens by model: input, output.",
)
@click.option(
    "--tokenizer",
    type=click.Path(exists=True),
    metavar="tokenizer.json",
    help="What counts tokens; without it, characters do.",
)
@format_option
def cost(task: str, form: Format, **options: Any) -> None:
    """Print what a run of TASK will take: calls, tokens, price, minutes. No model is
    called.

    \b
    Example: refusalbench cost nq -T data=sample --model openai/gpt-4o
    """
    with output(form) as out:
        _print_bill(out, task, options)


def _print_bill(out: Output, task: str, options: Mapping[str, Any]) -> None:
    from refusalbench_tasks.judging.graders import ROLE
    from refusalbench_tasks.log_reading import read_headers, task_of
    from refusalbench_tasks.results.bill import (
        MODEL,
        bill_line,
        dry_run,
        shares_of,
        task_to_run,
    )

    prices = _prices(options["prices"])
    size = size_by(options["tokenizer"])
    counts = dry_run(task_to_run(task, arguments_of(options["task_args"])), size)
    headers = read_headers(options["logs"])
    tell_left_out(headers.left_out)
    shares: dict[str, Counts] = {}
    for log in headers.logs:
        if task_of(log) == task:
            try:
                shares |= shares_of(log, task, size)
            except DataError as error:
                tell_left_out([(log.location, str(error))])
    lines = []
    for model in options["models"]:
        for role, name in ((MODEL, model), (ROLE, options["grader"] or model)):
            if counts[role]["calls"]:
                line = bill_line(counts[role], shares.get(name), prices.get(name))
                lines.append({"run of": model, "role": role, "called": name} | line)
    out.table(Table("cost", "Cost", lines), f"{task}: {counts[MODEL]['rows']} rows")


def _prices(path: Path | None) -> "Mapping[str, Counts]":
    """Return the prices in a file by model. Raises DataError for what is none."""
    from refusalbench_tasks.arguments import value_of_kind
    from refusalbench_tasks.bounded_reading import read_text, yaml_value

    if path is None:
        return {}
    kind = dict[str, dict[Literal["input", "output"], float]]
    value = yaml_value(read_text(path, "prices"), path.name)
    prices: Mapping[str, Counts] = value_of_kind(kind, "prices", value)
    return prices


def size_by(tokenizer: str | None) -> "Size":
    """Return what counts the tokens of a text: a tokenizer, or else its length."""
    if tokenizer is None:
        return lambda text: len(text) / CHARACTERS
    from refusalbench_tasks.libraries import library

    tokenizers = library("tokenizers", extra="train")
    try:
        encoder = tokenizers.Tokenizer.from_file(tokenizer)
    except Exception as error:  # the library has none of its own
        raise DataError(f"{tokenizer}: no tokenizer.json ({error})") from None
    return lambda text: len(encoder.encode(text).ids)
