"""What models and runs are called beside each other."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from refusalbench_tasks.results.table import Run


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return for each name its shortest ending, cut at slashes, that no other name is
    given.

    The prefix of a provider goes first and the telling part at the end stays:
    `openai/gpt-4o` is `gpt-4o`, unless `azure/gpt-4o` is there too. Different names
    never become equal.
    """
    parts = {name: name.split("/") for name in names}
    depths = dict.fromkeys(parts, 1)
    while True:
        short = {name: "/".join(some[-depths[name] :]) for name, some in parts.items()}
        times = Counter(short.values())
        alike = [name for name in parts if times[short[name]] > 1]
        if not alike:
            return short
        for name in alike:
            depths[name] = min(depths[name] + 1, len(parts[name]))


def labels(runs: Sequence[Run], short: Mapping[str, str] | None = None) -> list[str]:
    """Return a name for each run, no two alike: its model and treatment, with graders
    and a number where needed.

    `short` are the names of models, by default the shortest that tell those of these
    runs apart.
    """
    short = short or short_names(sorted({run.model for run in runs}))
    names = [
        " + ".join(filter(None, (short[run.model] or "(no name)", run.treatment)))
        for run in runs
    ]
    models = Counter(names)
    by = short_names(sorted({grader for run in runs for grader in run.graders}))
    graders = [
        " + ".join(sorted(by[name] for name in run.graders)) or "no grader"
        for run in runs
    ]
    names = [
        f"{name} ({by})" if models[name] > 1 else name
        for name, by in zip(names, graders, strict=True)
    ]
    counts = Counter(names)
    numbers = defaultdict[str, Iterator[int]](lambda: count(1))
    return [
        f"{name} #{next(numbers[name])}" if counts[name] > 1 else name for name in names
    ]
