"""What runs are called beside each other."""

from collections import Counter
from collections.abc import Mapping, Sequence

from refusalbench_tasks.results.logs.model_names import short_names
from refusalbench_tasks.results.logs.run import AnyRun


def labels(runs: Sequence[AnyRun], short: Mapping[str, str]) -> list[str]:
    """Return a name for each run, no two alike: its model, with its graders and a number where that is not enough.

    `short` are the names of models.
    """
    names = [short[run.model] or "(no name)" for run in runs]
    models = Counter(names)
    by = short_names(sorted({grader for run in runs for grader in run.graders}))
    graders = [" + ".join(sorted(by[name] for name in run.graders)) or "no grader" for run in runs]
    names = [f"{name} ({by})" if models[name] > 1 else name for name, by in zip(names, graders, strict=True)]
    counts, taken = Counter(names), set(names)
    result = []
    for name in names:
        k, label = 1, name
        while counts[name] > 1 and (label == name or label in taken):
            label, k = f"{name} #{k}", k + 1
        taken.add(label)
        result.append(label)
    return result
