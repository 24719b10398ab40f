"""What became of the questions to a system of one's own, counted: answerable ones that
are answered right or wrong or declined, others that are declined or made up.
"""

from collections import Counter

from refusalbench_tasks.taxonomy import Label

from .groups import Group, SystemView
from .reply_kinds import COLOURS, reply_kinds
from .sentences import percent


def question_counts(system: SystemView) -> dict[str, Counter[str]]:
    """Return how many answerable and unanswerable questions of a run became what,
    samples that failed included.
    """
    import pandas as pd

    rows = pd.concat([system.rows, system.run.lost])
    kinds = pd.Series(reply_kinds(rows))
    expected = rows["expected"].to_numpy()
    answerable = expected == Label.ANSWER.value
    return {
        "answerable": Counter(kinds[answerable]),
        "unanswerable": Counter(kinds[~answerable & (expected != "")]),
    }


def counts_sentence(group: Group, system: SystemView) -> str:
    """Return the counts of a run in words, beside those of its last run where they
    differ, and the CI of what is made up.
    """
    cis = {}
    missed = system.number("missed_refusal_rate")
    if missed.has_interval:
        span = f"{percent(missed.low)} to {percent(missed.high)}"
        cis["made up"] = f", 95\u00a0% CI {span}"
    counts = question_counts(system)
    earlier = question_counts(group.before(system) or system)
    sentences = []
    silent = sum(count["silent"] for count in counts.values())
    if silent:
        total = sum(count.total() for count in counts.values())
        sentences.append(f"Gives no answer to {silent} of {total}.")
    for side, now in counts.items():
        parts = []
        for words in COLOURS:
            before = earlier[side][words]
            changed = f" ({before} before)" if before != now[words] else ""
            if now[words] or before:
                parts.append(f"{now[words]} {words}{changed}{cis.get(words, '')}")
        if parts:
            sentences.append(f"Of {now.total()} {side}: {', '.join(parts)}.")
    return " ".join(sentences)
