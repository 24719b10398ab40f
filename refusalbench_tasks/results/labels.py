"""What models and runs are called beside each other."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from .table import Run


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
        short = {}
        for name, depth in depths.items():
            short[name] = "/".join(parts[name][-depth:])
        times = Counter(short.values())
        alike = [name for name in parts if times[short[name]] > 1]
        if not alike:
            return short
        for name in alike:
            depths[name] = min(depths[name] + 1, len(parts[name]))


def labels(runs: Sequence[Run], short: Mapping[str, str] | None = None) -> list[str]:
    """Return a name for each run, no two alike: its model, treatment and agent, with
    graders and a number where needed.

    `short` are the names of models, by default the shortest that tell those of these
    runs apart.
    """
    short = short or short_names(sorted({run.model for run in runs}))
    names = []
    for run in runs:
        parts = short[run.model] or "(no name)", run.treatment, run.agent
        names.append(" + ".join(filter(None, parts)))
    models = Counter(names)
    every = frozenset().union(*(run.graders for run in runs))
    short_graders = short_names(sorted(every))
    for i, run in enumerate(runs):
        if models[names[i]] > 1:
            graders = sorted(short_graders[grader] for grader in run.graders)
            names[i] += f" ({' + '.join(graders) or 'no grader'})"
    alike = Counter(names)
    numbers = defaultdict[str, Iterator[int]](lambda: count(1))
    for i, name in enumerate(names):
        if alike[name] > 1:
            names[i] += f" #{next(numbers[name])}"
    return names
