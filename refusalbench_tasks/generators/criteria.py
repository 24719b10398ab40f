"""What each class and intensity asks of a perturbation, in our own words: every
definition stands once, in `prompts/criteria.yaml`.
"""

from collections.abc import Collection
from functools import cache
from typing import Any

from refusalbench_tasks.bounded_reading import yaml_value
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.taxonomy import (
    CLASSES,
    CODES,
    PERTURBED,
    WHEN_TO_REFUSE,
    Intensity,
    PerturbationClass,
    code_of,
)

from .levers import Lever

CRITERIA_FILE = "criteria.yaml"


@cache
def _texts(part: str) -> dict[str, Any]:
    text = bundled("refusalbench_tasks.generators", CRITERIA_FILE)
    texts: Any = yaml_value(text, CRITERIA_FILE)
    return dict(texts[part])


def meaning_of(perturbation: PerturbationClass) -> str:
    """Return what the class's refusal code means."""
    return next(code.meaning for code in CODES if code.perturbation is perturbation)


def intensity_meaning(perturbation: PerturbationClass, intensity: Intensity) -> str:
    """Return what an intensity of a class asks for."""
    return str(_texts("intensities")[perturbation][intensity])


def class_table() -> str:
    """Return when to refuse, and each class with its code, its meaning, and what each
    intensity asks for.
    """
    lines = [f"{WHEN_TO_REFUSE} Classes and codes:"]
    for perturbation in CLASSES:
        code = code_of(perturbation)
        lines.append(f"{perturbation} = {code}: {meaning_of(perturbation)}.")
        for level in PERTURBED:
            lines.append(f"  {level}: {intensity_meaning(perturbation, level)}.")
    return "\n".join(lines)


def evidence_asked(perturbation: PerturbationClass, intensity: Intensity) -> str:
    """Return in words what a writer shows for an item of a class and an intensity."""
    texts = _texts("evidence")
    copied = texts["copied"]
    if intensity is Intensity.LOW:
        false_premise = perturbation is PerturbationClass.FALSE_PREMISE
        return f"{texts['idle_premise' if false_premise else 'support']} {copied}"
    asked = str(texts[perturbation])
    elsewhere = (PerturbationClass.MISSING_INFO, PerturbationClass.EPISTEMIC)
    return asked if perturbation in elsewhere else f"{asked} {copied}"


def target_of(
    lever: Lever,
    passages: int,
    signal: Collection[int],
) -> str:
    """Return the sentences that say what may change of so many passages; `signal` are
    the places of those that bear.
    """
    text = str(_texts("single")[lever.single])
    if passages > 1:
        bearing = [str(k + 1) for k in range(passages) if k in signal]
        others = [str(k + 1) for k in range(passages) if k not in signal]
        text = str(_texts("multi")[lever.multi])
        text = text.replace("{signal}", ", ".join(bearing))
        text = text.replace("{noise}", ", ".join(others))
    return f"{text} {_texts('ground')['sentence']}" if lever.ground else text


def constraint_of(perturbation: PerturbationClass, intensity: Intensity) -> str:
    """Return what must become of the answer."""
    if intensity is Intensity.LOW:
        return (
            "The original answer (any one of its wordings) must stay right and must"
            " still follow from the text: a careful system answers (ANSWER_CORRECTLY)."
        )
    return (
        "Neither the original answer nor any other may follow from the text, and for"
        " the reason of this class alone: a careful system refuses with"
        f" {code_of(perturbation)}."
    )
