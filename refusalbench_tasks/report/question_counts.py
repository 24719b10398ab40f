"""What became of the questions to a system of one's own, counted: answerable ones that
are answered right or wrong or declined, others that are declined or made up.
"""

from collections import Counter

from refusalbench_tasks.taxonomy import Label

from .groups import Group, SystemView
from .reply_kinds import COLOURS, reply_kinds
from .sentences import percent

_SIDES = {"answerable": "answer", "unanswerable": "don't answer"}
_VERBS = {"made up": "made up an answer to", "no reply": "no reply to"}
"""What stands before a number of questions, where it is not the kind alone."""


def question_counts(system: SystemView) -> dict[str, Counter[str]]:
    """Return how many answerable and unanswerable questions of a run became what,
    samples that failed included.
    """
    import pandas as pd

    rows = pd.concat([system.rows, system.run.lost])
    kinds = pd.Series(reply_kinds(rows))
    expected = rows["expected"].to_numpy()
    answerable = expected == Label.ANSWER
    return {
        "answerable": Counter(kinds[answerable]),
        "unanswerable": Counter(kinds[~answerable & (expected != "")]),
    }


def counts_sentence(group: Group, system: SystemView) -> str:
    """Return the counts of a run in words, beside those of its last run where they
    differ, and the CI of what is made up.
    """
    counts = question_counts(system)
    earlier = question_counts(group.before(system) or system)
    sentences = []
    for side, now in counts.items():
        parts = []
        for kind in COLOURS:
            before = earlier[side][kind]
            ci = _made_up_ci(system, now.total()) if kind == "made up" else ""
            changed = f"{before} before" if before != now[kind] else ""
            remark = "; ".join(filter(None, (ci, changed)))
            if now[kind] or before:
                count = f"{_VERBS.get(kind, kind)} {now[kind]}"
                parts.append(f"{count} ({remark})" if remark else count)
        if parts:
            questions = f"question{'s' * (now.total() != 1)}"
            sentences.append(
                f"Of the {now.total()} {questions} that the documents {_SIDES[side]}:"
                f" {'; '.join(parts)}."
            )
    return " ".join(sentences)


def _made_up_ci(system: SystemView, total: int) -> str:
    missed = system.number("missed_refusal_rate")
    if not missed.has_interval:
        return ""
    of_known = f" of the {missed.n:.0f} known" if missed.n < total else ""
    ends = f"{percent(missed.low)} to {percent(missed.high)}"
    return f"95\u00a0% CI {ends}{of_known}"
