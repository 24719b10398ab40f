"""Levers: named ways to perturb a question and its passages."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import Any, Literal

from pydantic import BaseModel, Field, model_validator

from refusalbench_tasks.bounded_reading import (
    data_yaml,
    file_at,
    in_layout,
    read_text,
    yaml_value,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import (
    CLASSES,
    PERTURBED,
    Intensity,
    Label,
    PerturbationClass,
    expected_label,
    plain_name,
)

from .evidence import Words
from .kit.answers import AnswerType
from .kit.calls import text_digest

Target = Literal["query", "context", "query_and_context"]
Strategy = Literal["query", "one_noise", "all_signal", "query_and_signal"]
Keeps = Literal["yes", "no", "any"]
_PERHAPS = data_yaml("generators.kit", "answer_types.yaml")


class LeverText(BaseModel, frozen=True, extra="forbid"):
    """A question and its passage."""

    query: Words
    context: Words


class Example(BaseModel, frozen=True, extra="forbid"):
    """A worked example: the answers of the original, both texts, the behaviour that is
    right after it, and why.
    """

    answers: tuple[str, ...] = Field(min_length=1)
    before: LeverText
    after: LeverText
    expected: Label
    why: Words


class Lever(BaseModel, frozen=True, extra="forbid", populate_by_name=True):
    """One lever: where it belongs, what it asks the writer to do, where it acts, and an
    example.

    `single` says what may change with one passage; `multi` with ten: the query, one
    passage that does not bear on the question, all that do, or the query and those.
    `answers` are the types of answers that it can be done on (any without them):
    whatever else it needs, the writer tells (`applicable: false`). `keeps_answer` says
    whether the original answer still stands in the changed passages; it follows from
    class and intensity where it is not given. `ground` allows one more sentence in the
    passages, although the lever acts on the question alone: it contradicts what the
    question takes for granted. `accepted_alternatives` are other refusal codes that a
    careful reader may give.
    """

    name: Words
    perturbation: PerturbationClass = Field(alias="class")
    intensity: Intensity
    instruction: Words
    single: Target
    multi: Strategy
    answers: tuple[AnswerType, ...] = ()
    keeps_answer: Keeps | None = None
    ground: bool = False
    accepted_alternatives: tuple[Label, ...] = ()
    example: Example

    @model_validator(mode="after")
    def _consistent(self) -> "Lever":
        if self.intensity not in PERTURBED:
            raise ValueError(f"intensity: one of {', '.join(PERTURBED)}")
        due = expected_label(self.perturbation, self.intensity)
        if self.example.expected is not due:
            raise ValueError(
                f"example.expected: {due} follows from class and intensity"
            )
        if self.ground and self.single != "query":
            raise ValueError("ground: only where the lever acts on the question alone")
        for label in self.accepted_alternatives:
            if Label.ANSWER in (label, due) or label is due:
                raise ValueError(
                    f"accepted_alternatives: {label} is no other refusal code than the"
                    " expected one"
                )
        return self

    @property
    def keeps(self) -> Keeps:
        """Return whether the original answer still stands in the changed passages.

        Where the lever does not say (our definition): at LOW it must. Contradiction and
        Ambiguity put something beside it, FalsePremise leaves the passages alone;
        MissingInfo takes it away. Elsewhere it may go or stay.
        """
        beside = (
            PerturbationClass.AMBIGUITY,
            PerturbationClass.CONTRADICTION,
            PerturbationClass.FALSE_PREMISE,
        )
        if self.keeps_answer:
            return self.keeps_answer
        if self.intensity == Intensity.LOW or self.perturbation in beside:
            return "yes"
        missing = self.perturbation == PerturbationClass.MISSING_INFO
        return "no" if missing else "any"

    def fits(self, kind: AnswerType) -> bool:
        """Whether the lever can be done on an answer of a type, as far as code can
        know.
        """
        perhaps = _PERHAPS.get(kind, [kind])
        return not self.answers or not set(perhaps).isdisjoint(self.answers)


Levers = Sequence[Lever]


def load_levers(extra: str | None, ground: bool = True) -> tuple[Lever, ...]:
    """Return the 176 bundled levers by class and intensity, then those of a YAML or
    JSON file (a list of levers).

    Without `ground` none of them may add a sentence to the passages. Raises DataError
    for a missing or malformed file, and for a name that occurs twice.
    """
    levers = bundled_levers()
    if extra is not None:
        path = file_at(extra, "lever_file")
        levers += tuple(
            read_levers(read_text(path, f"lever_file: '{extra}'"), path.name)
        )
        names = Counter(lever.name.lower() for lever in levers)
        for lever in levers:
            if names[lever.name.lower()] > 1:
                raise DataError(
                    f"lever_file: {path.name}: the name '{lever.name}' is taken; names"
                    " must be unique"
                )
    if ground:
        return levers
    return tuple(lever.model_copy(update={"ground": False}) for lever in levers)


def lever_facts(chosen: Levers, known: Levers) -> dict[str, Any]:
    """Return what a log notes of a run's levers: their number and digest, and those
    that are not bundled.

    `known` are all levers that a run could choose from. Files change later; what stands
    in the log does not.
    """
    bundled = {lever.name for lever in bundled_levers()}
    added = [lever for lever in known if lever.name not in bundled]
    return {
        "levers": len(chosen),
        "levers_sha256": text_digest(json.dumps(_plain(chosen), sort_keys=True)),
        "own_levers": _plain(added),
    }


def _plain(levers: Levers) -> list[dict[str, Any]]:
    return [lever.model_dump(mode="json", by_alias=True) for lever in levers]


@cache
def bundled_levers() -> tuple[Lever, ...]:
    """Return the levers shipped with the package (names: paper App. K and the released
    catalogue; texts: ours).
    """
    folder = resources.files("refusalbench_tasks.generators") / "data"
    levers = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".yaml"):
            levers += read_levers(file.read_text(encoding="utf-8"), file.name)
    levers.sort(key=lambda lever: PERTURBED.index(lever.intensity))
    levers.sort(key=lambda lever: CLASSES.index(lever.perturbation))
    return tuple(levers)


def read_levers(text: str, source: str) -> list[Lever]:
    """Return the levers of a YAML text.

    Raises DataError that names the source, the lever and the field.
    """
    entries = yaml_value(text, f"lever_file: {source}")
    if not isinstance(entries, list) or not entries:
        raise DataError(
            f"lever_file: {source} needs a list of levers; docs/perturb.md has an"
            " example"
        )
    about = f"lever_file: {source}, lever"
    return [
        in_layout(Lever, entry, f"{about} {number}")
        for number, entry in enumerate(entries, 1)
    ]


def select_levers(
    levers: Iterable[Lever],
    classes: Sequence[str] = (),
    intensities: Sequence[str] = (),
    names: Sequence[str] = (),
) -> list[Lever]:
    """Return the levers that pass every filter; empty means all.

    Raises DataError for an unknown name.
    """
    chosen = list(levers)
    filters = (
        ("classes", classes, "perturbation"),
        ("intensities", intensities, "intensity"),
        ("levers", names, "name"),
    )
    for argument, wanted, attribute in filters:
        if not wanted:
            continue
        plain_names = [plain_name(getattr(lever, attribute)) for lever in chosen]
        for name in wanted:
            if plain_name(name) not in plain_names:
                raise DataError(
                    f"{argument}: unknown name '{name}'; `refusalbench plan --levers`"
                    " lists them"
                )
        kept = set(map(plain_name, wanted))
        pairs = zip(chosen, plain_names, strict=True)
        chosen = [lever for lever, name in pairs if name in kept]
    return chosen
