"""`refusalbench worlds`: rows from invented worlds, as many as you like."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from refusalbench_tasks.errors import DataError

if TYPE_CHECKING:
    from refusalbench_tasks.datasets.benchmarks import Benchmark
    from refusalbench_tasks.worlds.production import Range


@click.command()
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The file: .jsonl or .parquet.")
@click.option("-n", "--rows", "number", type=click.IntRange(4), help="How many rows, from --from on.")
@click.option("--seed", default=0, show_default=True, help="Which rows.")
@click.option("--from", "start", default=0, show_default=True, type=click.IntRange(0), help="The first row.")
@click.option("--to", "stop", type=click.IntRange(4), help="The row behind the last one, instead of -n.")
@click.option("--domains", help="Comma list of domains; all without it.")
@click.option(
    "--layout",
    type=click.Choice(["nq", "garage", "bluff"]),
    default="nq",
    show_default=True,
    help="One passage, ten, or two sets of sources.",
)
@click.option("--per-file", type=click.IntRange(4), help="Split into files of so many rows: rows-00000.parquet, ...")
@click.option("--preferences", is_flag=True, help="Write preference pairs for training instead of rows.")
@click.option("--card", is_flag=True, help="Write a data card beside each file: rows.card.md.")
@click.option("--shortcuts", is_flag=True, help="With --card: what classifiers on counted words tell of the rows.")
@click.option("--processes", default=1, show_default=True, type=click.IntRange(1), help="How many at once.")
def worlds(
    output: Path, number: int | None, seed: int, start: int, stop: int | None, domains: str | None,
    layout: str, per_file: int | None, preferences: bool, card: bool, shortcuts: bool, processes: int,
) -> None:  # fmt: skip
    """Make rows whose labels are computed, each proven by a reader of the text. No model, no network.

    The same seed and range give the same rows, whatever the number of processes and files. Four rows that can't be
    proven are named and left out, and the command ends with status 1. With --preferences each row gives pairs of a
    better and a worse reply to its prompt; seeds kept for measuring are refused. Rows of --layout bluff go to one JSONL
    file, by one process.
    """
    from refusalbench_tasks.arguments import names_of
    from refusalbench_tasks.datasets.benchmarks import BENCHMARKS
    from refusalbench_tasks.worlds.pack import DOMAINS
    from refusalbench_tasks.worlds.preferences import check_seed
    from refusalbench_tasks.worlds.production import Range
    from refusalbench_tasks.worlds.proof import one_line
    from refusalbench_tasks.worlds.rows import known_domains

    if (number is None) == (stop is None):
        raise DataError("give either -n or --to")
    end = start + number if number is not None else stop or 0
    if shortcuts:
        _check_shortcuts(card and layout == "nq" and not preferences)
    if layout == "bluff":
        if preferences or per_file or processes > 1:
            raise DataError("--layout bluff goes without --preferences, --per-file and --processes")
        with one_line():
            _write_sources(output, seed, start, end, names_of(domains), card)
        return
    chosen = known_domains(names_of(domains) or DOMAINS)
    if preferences:
        check_seed(seed)
    benchmark = {benchmark.task: benchmark for benchmark in BENCHMARKS}[layout]
    Range(seed, start, end, chosen).check()
    size = per_file or end - start
    pieces = [Range(seed, at, min(at + size, end), chosen, benchmark.passages) for at in range(start, end, size)]
    for piece in pieces:
        piece.check()
    failed = 0
    # numbered from row 0 on, so that a range that goes on with another leaves its files alone
    for at, piece in enumerate(pieces, start // size):
        path = output if per_file is None else output.with_name(f"{output.stem}-{at:05}{output.suffix}")
        with one_line():
            failed += _write(piece, path, processes, benchmark if preferences else None, card, shortcuts)
    if failed:
        told = "each is named above and left out, all others are written; please report them"
        raise DataError(f"worlds: {failed} of {(end - start) // 4:,} quads could not be proven: {told}")


def _write_sources(path: Path, seed: int, start: int, stop: int, domains: tuple[str, ...], with_card: bool) -> None:
    from refusalbench_tasks.safe_writing import write_rows, write_whole
    from refusalbench_tasks.worlds.source_card import SourceCard
    from refusalbench_tasks.worlds.source_proof import prove_row
    from refusalbench_tasks.worlds.source_rows import source_domains, source_rows

    if path.suffix.lower() != ".jsonl":
        raise DataError(f"{path}: rows of --layout bluff go to a .jsonl file")
    card = SourceCard(seed, start)

    def proven() -> Iterator[dict[str, Any]]:
        for row in source_rows(seed, start, stop, source_domains(domains)):
            prove_row(row)
            card.take(row)
            yield row

    write_rows(path, proven())
    if with_card:
        write_whole(path.with_suffix(".card.md"), card.text())
    click.echo(f"{stop - start} rows in {path}")


def _check_shortcuts(fits: bool) -> None:
    from refusalbench_tasks.worlds.shortcuts import check_library

    if not fits:
        raise DataError("--shortcuts goes with --card and rows of one passage, and not with --preferences")
    check_library()


def _write(
    piece: "Range", path: Path, processes: int, pairs_of: "Benchmark | None", with_card: bool, shortcuts: bool
) -> int:
    """Write the rows of a range, or their preference pairs; return how many quads were left out."""
    from refusalbench_tasks.safe_writing import write_rows, write_whole
    from refusalbench_tasks.worlds.card import Card
    from refusalbench_tasks.worlds.failures import Failures
    from refusalbench_tasks.worlds.production import produce
    from refusalbench_tasks.worlds.proof import line_of

    card, failures = Card(piece.seed, piece.start, sampled=[] if shortcuts else None), Failures()
    written = 0

    def proven() -> Iterator[dict[str, Any]]:
        nonlocal written
        for batch in produce(piece, processes, failures=failures):
            if batch:
                lines = batch if pairs_of is None else list(_pairs(batch, pairs_of))
                yield from lines
                written += len(lines)
                card.take(batch)
            if written:
                for error in failures.errors[card.left_out :]:
                    click.echo(f"left out: {line_of(error)}", err=True)
                card.left_out = len(failures.errors)
        if not written:
            raise failures.errors[0]

    write_rows(path, proven())
    if with_card:
        write_whole(path.with_suffix(".card.md"), card.text())
    click.echo(f"{written} {'rows' if pairs_of is None else 'preference pairs'} in {path}")
    return card.left_out


def _pairs(rows: list[dict[str, Any]], benchmark: "Benchmark") -> Iterator[dict[str, Any]]:
    """Yield the preference pairs of whole quads, each with the prompt of the task."""
    from refusalbench_tasks.solvers.refusal_prompt import filled_prompt, prompt_text
    from refusalbench_tasks.worlds.preferences import preferences, quad_code
    from refusalbench_tasks.worlds.rows import CELLS

    template = prompt_text(base=benchmark.prompt)
    for at in range(0, len(rows), CELLS):
        code = quad_code(rows[at : at + CELLS])
        for pair in (pair for row in rows[at : at + CELLS] for pair in preferences(row, code)):
            prompt = filled_prompt(template, pair["question"], pair["passages"], benchmark.grounded)
            yield {"id": pair["id"], "kind": pair["kind"], "prompt": prompt, **pair}
