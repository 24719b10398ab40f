"""The table of classes and codes that writers, readers and verifiers share: each beside all the others."""

from refusalbench_tasks.generators.criteria import INTENSITY, meaning_of
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, WHEN_TO_REFUSE, code_of


def code_table(intensities: bool = True) -> str:
    """Return when to refuse, and each class with its code, its meaning and, on request, what an intensity asks for."""
    lines = [f"{WHEN_TO_REFUSE} Classes and codes:"]
    for one in CLASSES:
        lines.append(f"{one} = {code_of(one)}: {meaning_of(one)}.")
        if intensities:
            lines += [f"  {level}: {INTENSITY[one, level]}." for level in PERTURBED]
    return "\n".join(lines)
