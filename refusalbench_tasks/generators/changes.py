"""What was changed, as a list that a verifier can read."""

from difflib import SequenceMatcher

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.candidate import Candidate

_AROUND = 4
"""Words of an unchanged text that are shown on each side of a change."""


def changes_of(base: RefusalItem, candidate: Candidate) -> list[str]:
    """Return one line `where: old → new` for each change of the question and the passages."""
    lines = [f"question: {old} → {new}" for old, new in word_changes(base.query, candidate.query)]
    for number, (before, after) in enumerate(zip(base.passages, candidate.ungrounded, strict=False), 1):
        where = "passage" if len(base.passages) == 1 else f"passage {number}"
        lines += [f"{where}: {old} → {new}" for old, new in word_changes(before, after)]
    if candidate.ground_added:
        lines.append(f"passage {candidate.ground_passage + 1}, sentence added: {candidate.ground_added}")
    return lines


def word_changes(before: str, after: str) -> list[tuple[str, str]]:
    """Return the stretches of words that differ, with a few of the words around them, old and new.

    Changes that stand closer together than that are one; a text of which little is left is one change.
    """
    old, new = before.split(), after.split()
    found: list[tuple[str, str]] = []
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(_AROUND):
        (_, i, _, k, _), (_, _, j, _, n) = group[0], group[-1]
        found.append((" ".join(old[i:j]) or "(nothing)", " ".join(new[k:n]) or "(nothing)"))
    return found
