"""`refusalbench plan`: what a generation run takes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from refusalbench_tasks.arguments import names_of
from refusalbench_tasks.command_output import Output, format_option, output
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.commands.lever_options import lever_options
from refusalbench_tasks.tables import Format, Table

if TYPE_CHECKING:
    from refusalbench_tasks.datasets.item import RefusalItem
    from refusalbench_tasks.generators.levers import Lever

COVERAGE = ("balanced", "rotation", "all", "model")


@click.command()
@click.option("--bases", "bases_file", help="A file of base questions.")
@lever_options
@click.option("--coverage", type=click.Choice(COVERAGE), default="balanced", show_default=True)
@click.option("--writers", default="writer", help="Comma list of writer models.")
@click.option("--verifiers", default="verifier", help="Comma list of verifier models.")
@click.option("--prices", type=click.Path(), help="YAML or JSON: MODEL: {input: X, output: Y} per million tokens.")
@click.option("--attempts", type=click.IntRange(1), default=1, show_default=True, help="Attempts at each item.")
@click.option("--together", is_flag=True, help="LOW, MEDIUM and HIGH of a class are written and judged in one call.")
@click.option("--ranked", is_flag=True, help="With --together: a blind ranking of the three (intensity=rank).")
@click.option("--self-votes", is_flag=True, help="Writers also judge their own items (self_votes=true, the paper).")
@click.option("--no-reading", is_flag=True, help="Nobody reads blind (reading=off, the paper).")
@click.option("--seed", default=0, show_default=True)
@click.option("--epsilon", type=float, help="Largest error of an estimate; with --delta, the needed sample sizes.")
@click.option("--delta", type=float, help="Probability that an estimate is further off.")
@click.option("--rounds", type=click.IntRange(1), default=1, show_default=True, help="Rounds of evaluation.")
@click.option(
    "--drift",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="How far a static set may have drifted.",
)
@format_option
def plan(
    bases_file: str | None, classes: str | None, intensities: str | None, names: str | None,
    lever_file: str | None, coverage: str,
    writers: str, verifiers: str, prices: str | None, attempts: int, together: bool, ranked: bool,
    self_votes: bool, no_reading: bool, seed: int, epsilon: float | None,
    delta: float | None, rounds: int, drift: float, form: Format,
) -> None:  # fmt: skip
    """Show counts, calls, tokens and cost of a generation run, and the sample sizes that a precision needs.

    \b
    Example: refusalbench plan --bases bases.jsonl
    """
    if bases_file is None and (epsilon is None or delta is None):
        raise DataError("plan: give --bases, or --epsilon and --delta")
    if ranked and not together:
        raise DataError("plan: --ranked needs --together, as intensity=rank needs together=true")
    with output(form) as out:
        if bases_file is not None:
            _show_plan(
                out, bases_file, classes, intensities, names, lever_file, coverage, writers, verifiers, prices,
                attempts, together, ranked, self_votes, not no_reading, seed,
            )  # fmt: skip
        if epsilon is not None and delta is not None:
            _show_sizes(out, epsilon, delta, rounds, drift)


def _show_plan(
    out: Output, bases_file: str, classes: str | None, intensities: str | None, names: str | None,
    lever_file: str | None, mode: Any,
    writers: str, verifiers: str, prices: str | None, attempts: int, together: bool,
    ranked: bool, self_votes: bool, read: bool, seed: int,
) -> None:  # fmt: skip
    from refusalbench_tasks.generators.estimate import coverage, estimate, read_prices
    from refusalbench_tasks.generators.kit.bases import load_bases
    from refusalbench_tasks.generators.levers import load_levers, select_levers
    from refusalbench_tasks.generators.plan import make_plan
    from refusalbench_tasks.generators.siblings import with_siblings

    questions = load_bases(bases_file)
    chosen = select_levers(load_levers(lever_file), names_of(classes), names_of(intensities), names_of(names))
    slots = make_plan(questions, chosen, mode, seed)
    slots = with_siblings(slots) if together else slots
    out.remark(f"{len(questions)} base questions, {len(chosen)} levers, {len(slots)} items per writer\n")
    cells = [{"class": name, "intensity": level, "items": n} for (name, level), n in coverage(slots).items()]
    out.table(Table("items", "Items per writer", cells))
    _show_fits(out, questions, chosen)
    usages = estimate(slots, chosen, names_of(writers), names_of(verifiers), attempts, ranked, self_votes, read)
    known = read_prices(prices) if prices else {}
    costs = [u.cost(known) for u in usages]
    rows = [
        {
            "model": u.model, "role": u.role, "calls": u.calls, "input tokens": u.input_tokens,
            "output tokens": u.output_tokens, "cost": cost,
        }
        for u, cost in zip(usages, costs, strict=True)
    ]  # fmt: skip
    out.remark()
    often = "one attempt" if attempts == 1 else f"{attempts} attempts"
    out.table(Table("calls", f"Calls of {often} at each item", rows, formats={"cost": _money}))
    total = "unknown" if None in costs else _money(sum(c for c in costs if c is not None))
    out.remark(f"\nat most {sum(u.calls for u in usages)} calls for {often} at each item; cost: {total}")


def _show_fits(out: Output, questions: Sequence["RefusalItem"], levers: Sequence["Lever"]) -> None:
    """Print which levers fit none of the base questions, and which base questions no lever of a cell fits."""
    from refusalbench_tasks.generators.survey import survey

    found = survey(questions, levers)
    never = set(found.never_usable)
    lacking = [
        {
            "class": lever.perturbation.value, "intensity": lever.intensity.value, "lever": lever.name,
            "needs": ", ".join(need if isinstance(need, str) else " or ".join(need) for need in lever.needs),
        }
        for lever in levers
        if lever.name in never
    ]  # fmt: skip
    out.remark(
        f"\n{found.inapplicable} of {found.pairs} pairs of a base question and a lever can't be applied; "
        f"{len(never)} of {len(levers)} levers fit none of the base questions"
    )
    if lacking:
        out.remark()
        out.table(Table("never_usable", "Levers that fit none of the base questions", lacking))
    if found.without:
        out.remark()
        rows = [{"base": base, "class": name.value, "intensity": level.value} for base, name, level in found.without]
        out.table(Table("without_lever", "Base questions that no lever of a class and intensity fits", rows))
    out.remark()


def _show_sizes(out: Output, epsilon: float, delta: float, rounds: int, drift: float) -> None:
    from refusalbench_tasks.stats.sample_size import (
        fresh_samples,
        static_error,
        static_failure_bound,
        static_failure_floor,
        static_samples,
    )

    try:
        fresh, static = fresh_samples(epsilon, delta, rounds), static_samples(epsilon, delta)
    except ValueError as error:
        raise DataError(f"plan: {error}") from None
    except (ZeroDivisionError, OverflowError):
        raise DataError(f"plan: no number of items is that precise; epsilon {epsilon:g} is too small") from None
    low, high = static_failure_floor(epsilon, fresh, drift), static_failure_bound(epsilon, fresh, drift)
    off = static_error(delta, fresh, drift)
    out.remark(f"fresh: {fresh} items in each of {rounds} rounds keep every estimate within {epsilon} (1 - {delta})")
    out.remark(f"static: {static} items once, if the world drifts by at most {epsilon / 2:g}")
    out.remark(
        f"a static set of {fresh} items under a drift of {drift:g}: within {off:.3f} "
        f"(1 - {delta}); it is off by more than {epsilon} with a probability between {low:.3f} and {high:.3f}"
    )
    sizes = {
        "epsilon": epsilon, "delta": delta, "rounds": rounds, "drift": drift, "fresh items a round": fresh,
        "static items": static, "static error": off, "failure low": low, "failure high": high,
    }  # fmt: skip
    out.numbers(Table("sizes", "Items that a precision needs", [sizes]))


def _money(cost: float) -> str:
    return f"{cost:.2f}"
